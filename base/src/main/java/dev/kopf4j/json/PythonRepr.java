package dev.kopf4j.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes values as Python's {@code repr()} does, for log lines that read the same as Kopf's. Pure. */
final class PythonRepr {
    /** The limits beyond which Python's {@code repr()} of a float uses an exponent. */
    private static final int FIXED_EXPONENT_MIN = -4;

    private static final int FIXED_EXPONENT_MAX = 16;

    private PythonRepr() {}

    static String item(JsonDiff.Item item) {
        return "('" + item.operation().name().toLowerCase(Locale.ROOT) + "', "
                + tuple(item.field().keys()) + ", "
                + value(item.oldValue()) + ", " + value(item.newValue()) + ")";
    }

    static String value(@Nullable JsonNode node) {
        if (node == null) {
            return "None";
        }
        return switch (node.getNodeType()) {
            case OBJECT -> mapping(node);
            case ARRAY -> node.valueStream().map(PythonRepr::value).collect(Collectors.joining(", ", "[", "]"));
            case BOOLEAN -> node.booleanValue() ? "True" : "False";
            case NUMBER -> node.isIntegralNumber() ? node.asString() : real(node);
            case STRING, BINARY, POJO -> string(node.asString());
            case MISSING, NULL -> "None";
        };
    }

    private static String tuple(List<String> keys) {
        return keys.stream()
                .map(PythonRepr::string)
                .collect(Collectors.joining(", ", "(", keys.size() == 1 ? ",)" : ")"));
    }

    private static String mapping(JsonNode node) {
        StringJoiner mapping = new StringJoiner(", ", "{", "}");
        node.forEachEntry((key, value) -> mapping.add(string(key) + ": " + value(value)));
        return mapping.toString();
    }

    private static String real(JsonNode node) {
        BigDecimal number = node.decimalValue();
        BigDecimal stripped = number.stripTrailingZeros();
        int exponent = stripped.precision() - stripped.scale() - 1;
        if (number.signum() == 0) {
            return Double.toString(node.asDouble());
        }
        if (exponent >= FIXED_EXPONENT_MIN && exponent < FIXED_EXPONENT_MAX) {
            return stripped.scale() <= 0 ? stripped.toPlainString() + ".0" : stripped.toPlainString();
        }
        String digits = stripped.unscaledValue().abs().toString();
        return (number.signum() < 0 ? "-" : "")
                + digits.charAt(0)
                + (digits.length() > 1 ? "." + digits.substring(1) : "")
                + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static String string(String text) {
        char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
        StringBuilder quoted = new StringBuilder(text.length() + 2).append(quote);
        text.codePoints().forEach(code -> quoted.append(escaped(code, quote)));
        return quoted.append(quote).toString();
    }

    private static String escaped(int code, char quote) {
        return switch (code) {
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> {
                if (code == quote) {
                    yield "\\" + quote;
                }
                yield isPrintable(code) ? Character.toString(code) : codeEscape(code);
            }
        };
    }

    private static String codeEscape(int code) {
        if (code <= 0xff) {
            return String.format(Locale.ROOT, "\\x%02x", code);
        }
        return String.format(Locale.ROOT, code <= 0xffff ? "\\u%04x" : "\\U%08x", code);
    }

    private static boolean isPrintable(int code) {
        return switch (Character.getType(code)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> code == ' ';
            default -> true;
        };
    }
}
