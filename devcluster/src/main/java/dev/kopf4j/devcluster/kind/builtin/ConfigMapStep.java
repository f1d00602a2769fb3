package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Config maps: their keys. */
final class ConfigMapStep implements KindRules {
    @Override
    public void prepare(Draft draft) {
        for (String field : List.of("data", "binaryData")) {
            if (draft.next().path(field).isEmpty()) {
                draft.next().remove(field);
            }
        }
    }

    @Override
    public List<Cause> check(Draft draft) {
        ObjectNode next = draft.next();
        List<Cause> causes = new ArrayList<>(ConfigKeys.check(next.path("data"), "data"));
        causes.addAll(ConfigKeys.check(next.path("binaryData"), "binaryData"));
        JsonNode binary = next.path("binaryData");
        for (String key : next.path("data").propertyNames()) {
            if (binary.has(key)) {
                causes.add(Cause.invalidString("data[" + key + "]", key, "duplicate of key present in binaryData"));
            }
        }
        if (size(next) > ConfigKeys.MAX_SIZE) {
            causes.add(ConfigKeys.tooLong(""));
        }
        causes.addAll(Immutable.check(draft.before(), next, List.of("data", "binaryData")));
        return causes;
    }

    private static long size(ObjectNode map) {
        long plain = map.path("data")
                .valueStream()
                .mapToLong(value -> value.asString().getBytes(StandardCharsets.UTF_8).length)
                .sum();
        long binary = map.path("binaryData")
                .valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
        return plain + binary;
    }
}
