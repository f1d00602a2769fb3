package dev.kopf4j.types.source;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes values as literals of Java, and as JSON. Pure. */
final class JavaText {
    private JavaText() {}

    /** A text in quotes. */
    static String literal(String text) {
        StringBuilder literal = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> literal.append("\\\"");
                case '\\' -> literal.append("\\\\");
                case '\n' -> literal.append("\\n");
                case '\t' -> literal.append("\\t");
                case '\r' -> literal.append("\\r");
                default -> {
                    boolean plain = c >= ' ' && c < 0x7f;
                    literal.append(plain ? String.valueOf((char) c) : String.format(Locale.ROOT, "\\u%04x", c));
                }
            }
        });
        return literal.append('"').toString();
    }

    /** One text, or several in braces. */
    static String literals(Collection<?> texts) {
        String joined =
                texts.stream().map(each -> literal(String.valueOf(each))).collect(Collectors.joining(", "));
        return texts.size() == 1 ? joined : "{" + joined + "}";
    }

    /** A value as JSON. */
    static String json(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(each -> literal(String.valueOf(each.getKey())) + ": " + json(each.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list -> list.stream().map(JavaText::json).collect(Collectors.joining(", ", "[", "]"));
            case String text -> literal(text);
            case null -> "null";
            default -> value.toString();
        };
    }
}
