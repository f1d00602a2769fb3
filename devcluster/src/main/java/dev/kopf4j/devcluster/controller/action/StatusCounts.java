package dev.kopf4j.devcluster.controller.action;

import java.util.List;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads, sums and sets the counts in the status of workloads. Pure. */
public final class StatusCounts {
    private StatusCounts() {}

    public static long get(JsonNode object, String field) {
        return object.path("status").path(field).longValue(0);
    }

    public static long sum(List<JsonNode> objects, String field) {
        return objects.stream().mapToLong(object -> get(object, field)).sum();
    }

    /** The number that a text is, as annotations have it: up to 64 bits, not negative. */
    public static OptionalLong number(String text) {
        try {
            long number = Long.parseLong(text);
            return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Sets a count, which is left out if it is zero. */
    public static void set(ObjectNode status, String field, long value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }
}
