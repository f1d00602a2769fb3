package dev.kopf4j.types.text;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes YAML that reads the same by the rules of versions 1.1, which {@code kubectl} follows, and 1.2. The same value
 * gives the same text. Pure.
 */
public final class YamlWriter {
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z_/.][A-Za-z0-9_/.+-]*(?: [A-Za-z0-9_/.(][A-Za-z0-9_/.,;()+-]*)*");

    /** What some version takes for a flag, nothing, or a number. */
    private static final Pattern AMBIGUOUS =
            Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|[+-]?\\.(inf|nan|[0-9_].*)|\\.+|<<|[0-9]+e[0-9]+");

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    /** A document without marks around it. */
    public static String text(Map<String, ?> document) {
        YamlWriter writer = new YamlWriter();
        writer.map(document, 0);
        return writer.out.toString();
    }

    private void map(Map<?, ?> map, int depth) {
        boolean first = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!first || out.isEmpty() || out.charAt(out.length() - 1) == '\n') {
                indent(depth);
            }
            first = false;
            out.append(scalar(String.valueOf(entry.getKey()), 0)).append(':');
            value(entry.getValue(), depth);
        }
    }

    private void value(@Nullable Object value, int depth) {
        switch (value) {
            case Map<?, ?> map
            when !map.isEmpty() -> {
                out.append('\n');
                map(map, depth + 1);
            }
            case List<?> list
            when !list.isEmpty() -> {
                out.append('\n');
                list(list, depth);
            }
            case null, default -> out.append(' ').append(leaf(value, depth + 1)).append('\n');
        }
    }

    private void list(List<?> list, int depth) {
        for (Object item : list) {
            indent(depth);
            out.append('-');
            switch (item) {
                case Map<?, ?> map
                when !map.isEmpty() -> {
                    out.append(' ');
                    map(map, depth + 1);
                }
                case List<?> nested
                when !nested.isEmpty() -> {
                    out.append('\n');
                    list(nested, depth + 1);
                }
                case null, default ->
                    out.append(' ').append(leaf(item, depth + 1)).append('\n');
            }
        }
    }

    private static String leaf(@Nullable Object value, int depth) {
        return switch (value) {
            case Map<?, ?> map -> "{}";
            case List<?> list -> "[]";
            case String text -> scalar(text, depth);
            case null -> "null";
            default -> value.toString();
        };
    }

    private static String scalar(String text, int depth) {
        if (PLAIN.matcher(text).matches() && !AMBIGUOUS.matcher(text).matches()) {
            return text;
        }
        return depth > 0 && isBlock(text) ? block(text, depth) : quoted(text);
    }

    /** Texts of several lines, unless blanks at places that people do not see would change their meaning. */
    private static boolean isBlock(String text) {
        return text.indexOf('\n') > 0
                && !text.startsWith(" ")
                && !text.startsWith("\t")
                && !text.endsWith("\n\n")
                && text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7f) || (c >= 0xa0 && c < 0x2000))
                && text.lines().noneMatch(line -> line.endsWith(" "));
    }

    private static String block(String text, int depth) {
        StringBuilder block = new StringBuilder(text.endsWith("\n") ? "|" : "|-");
        text.lines().forEach(line -> {
            block.append('\n');
            if (!line.isEmpty()) {
                block.append("  ".repeat(depth)).append(line);
            }
        });
        return block.toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().map(YamlWriter::wholeCharacter).forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                default -> {
                    boolean plain = (c >= ' ' && c < 0x7f) || (c >= 0xa0 && c < 0x2000);
                    String escaped = Character.isBmpCodePoint(c) ? "\\u%04x" : "\\U%08x";
                    quoted.append(plain ? Character.toString(c) : String.format(escaped, c));
                }
            }
        });
        return quoted.append('"').toString();
    }

    /** UTF-8 has no half characters, and {@code kubectl} refuses their escapes. */
    private static int wholeCharacter(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE ? 0xfffd : codePoint;
    }

    private void indent(int depth) {
        out.append("  ".repeat(depth));
    }
}
