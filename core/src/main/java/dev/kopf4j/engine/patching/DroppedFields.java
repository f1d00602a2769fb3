package dev.kopf4j.engine.patching;

import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.text.TextShortener;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a server has made of a patch, in words: for each field, what was asked for, and what is there. Pure. */
final class DroppedFields {
    private static final int LONGEST_VALUE = 100;

    private DroppedFields() {}

    static String describe(List<JsonDiff.Item> items) {
        return items.stream().map(DroppedFields::describe).collect(Collectors.joining("; "));
    }

    private static String describe(JsonDiff.Item item) {
        return item.field() + " was set to " + shown(item.oldValue()) + ", but is " + shown(item.newValue());
    }

    private static String shown(@Nullable JsonNode value) {
        return value == null || value.isNull() ? "absent" : TextShortener.middle(value.toString(), LONGEST_VALUE);
    }
}
