package dev.kopf4j.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Shows a value in an error message: its kind, and enough of its text to recognise it. Pure. */
final class ValueExcerpt {
    private static final int SHOWN_CHARACTERS_MAX = 60;

    private ValueExcerpt() {}

    static String of(@Nullable JsonNode node) {
        if (node == null || node.isMissingNode()) {
            return "nothing";
        }
        return node.isNull() ? "null" : kind(node) + " " + shortened(Json.text(node));
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "the list";
            case OBJECT, POJO -> "the object";
            case STRING, BINARY -> "the string";
            case NUMBER -> "the number";
            case BOOLEAN -> "the boolean";
            case MISSING, NULL -> "the value";
        };
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_CHARACTERS_MAX ? text : text.substring(0, SHOWN_CHARACTERS_MAX) + "…";
    }
}
