package dev.kopf4j.engine.chaos;

import dev.kopf4j.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ObjectNode;

/**
 * What somebody makes to stop an operator: objects of many levels and with huge keys, which are handled as all others
 * are, and one object that is damaged wherever it is told of.
 */
final class HostileObjects {
    private static final LongAdder LARGE = new LongAdder();
    private static final LongAdder DAMAGED_IN_LISTS = new LongAdder();
    private static final LongAdder DAMAGED_IN_WATCHES = new LongAdder();
    private static final LongAdder UNKNOWN = new LongAdder();
    private static final String KEY = "k".repeat(60_000);
    private static final int LEVELS = 900;

    private final boolean present;

    HostileObjects(boolean present) {
        this.present = present;
    }

    /** How often each kind has occurred in all worlds so far. */
    static String occurred() {
        return LARGE + " large objects, damaged ones: " + DAMAGED_IN_LISTS + " in lists, " + DAMAGED_IN_WATCHES
                + " in watches, " + UNKNOWN + " that nothing could be told of";
    }

    /** True if each kind has occurred. */
    static boolean haveOccurred() {
        return LARGE.sum() > 0 && DAMAGED_IN_LISTS.sum() > 0 && DAMAGED_IN_WATCHES.sum() > 0 && UNKNOWN.sum() > 0;
    }

    /** Makes one of three objects large. */
    void enlarge(ObjectNode object, RandomGenerator random) {
        if (!present || random.nextInt(3) > 0) {
            return;
        }
        LARGE.increment();
        ObjectNode spec = (ObjectNode) object.get("spec");
        if (random.nextBoolean()) {
            spec.put(KEY, 1);
        } else {
            ObjectNode inner = spec;
            for (int level = 0; level < LEVELS; level++) {
                inner = inner.putObject("a");
            }
        }
    }

    /** A page of a list, with the damaged object among the others. */
    byte[] page(ObjectNode page) {
        if (!present) {
            return Json.bytes(page);
        }
        DAMAGED_IN_LISTS.increment();
        String separator = page.path("items").isEmpty() ? "" : ",";
        String text = Json.text(page);
        int first = text.indexOf("\"items\":[") + "\"items\":[".length();
        return (text.substring(0, first) + damaged(1) + separator + text.substring(first))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** What comes in a watch before an event of that version; empty for nothing. */
    String lineBefore(long version, RandomGenerator random) {
        if (!present) {
            return "";
        }
        return switch (random.nextInt(30)) {
            case 0 -> {
                UNKNOWN.increment();
                yield "{\"type\":\"MODIFIED\",\"object\":nothing}\n";
            }
            case 1, 2, 3, 4, 5, 6 -> {
                DAMAGED_IN_WATCHES.increment();
                yield "{\"type\":\"MODIFIED\",\"object\":" + damaged(version - 1) + "}\n";
            }
            default -> "";
        };
    }

    private static String damaged(long version) {
        return "{\"metadata\":{\"name\":\"damaged\",\"namespace\":\"ns\",\"uid\":\"uid-damaged\",\"resourceVersion\":\""
                + version + "\"},\"spec\":{\"field\":\"\\x\"}}";
    }
}
