package dev.kopf4j.persistence.conventions;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * JSON as Kopf writes it into annotations, byte for byte: {@code json.dumps(value, separators=(',', ':'))} of Python,
 * which escapes everything beyond ASCII, and has a way of its own to write floating-point numbers. Pure.
 *
 * @see <a href="https://docs.python.org/3/library/json.html">json</a>, {@code ensure_ascii}
 */
public final class PythonJson {
    private static final String HEX = "0123456789abcdef";

    /** Numbers with more digits before their point have an exponent. */
    private static final int WHOLE_DIGITS_MAX = 16;

    /** Numbers with more zeros behind their point, before the first digit, have one too. */
    private static final int ZEROS_MAX = 3;

    private PythonJson() {}

    /** Answers the text of a value. */
    public static String text(JsonNode node) {
        Written out = new Written(new StringBuilder());
        append(node, out);
        return out.text().toString();
    }

    /** Answers the text of a value, with a line break behind it. */
    public static String line(JsonNode node) {
        Written out = new Written(new StringBuilder());
        append(node, out);
        return out.text().append('\n').toString();
    }

    /** True if the line is that of the value; tells so without making another one. */
    public static boolean isLine(String line, JsonNode node) {
        Compared out = new Compared(line);
        append(node, out);
        out.append('\n');
        return out.isSame();
    }

    /** Where a text goes, piece by piece. */
    private interface Output {
        void append(char c);

        void append(String text, int from, int end);

        default void append(String text) {
            append(text, 0, text.length());
        }
    }

    private record Written(StringBuilder text) implements Output {
        @Override
        public void append(char c) {
            text.append(c);
        }

        @Override
        public void append(String piece, int from, int end) {
            text.append(piece, from, end);
        }
    }

    /** Compares with a text that is there. Confined. */
    private static final class Compared implements Output {
        private final String text;
        private int end;
        private boolean same = true;

        Compared(String text) {
            this.text = text;
        }

        @Override
        public void append(char c) {
            same = same && end < text.length() && text.charAt(end) == c;
            end++;
        }

        @Override
        public void append(String piece, int from, int to) {
            same = same && text.regionMatches(end, piece, from, to - from);
            end += to - from;
        }

        boolean isSame() {
            return same && end == text.length();
        }
    }

    private static void append(JsonNode node, Output out) {
        if (node.isObject()) {
            appendObject(node, out);
        } else if (node.isArray()) {
            appendArray(node, out);
        } else if (node.isString()) {
            appendString(node.stringValue(), out);
        } else if (node.isNumber() && !node.isIntegralNumber()) {
            out.append(number(node));
        } else {
            out.append(node.asString("null"));
        }
    }

    private static void appendObject(JsonNode object, Output out) {
        char separator = '{';
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            out.append(separator);
            appendString(entry.getKey(), out);
            out.append(':');
            append(entry.getValue(), out);
            separator = ',';
        }
        out.append(object.isEmpty() ? "{}" : "}");
    }

    private static void appendArray(JsonNode array, Output out) {
        char separator = '[';
        for (JsonNode element : array.values()) {
            out.append(separator);
            append(element, out);
            separator = ',';
        }
        out.append(array.isEmpty() ? "[]" : "]");
    }

    private static void appendString(String text, Output out) {
        int plain = 0;
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                out.append(text, plain, i);
                appendEscaped(c, out);
                plain = i + 1;
            }
        }
        out.append(text, plain, text.length());
        out.append('"');
    }

    private static void appendEscaped(char c, Output out) {
        out.append('\\');
        switch (c) {
            case '"', '\\' -> out.append(c);
            case '\b' -> out.append('b');
            case '\t' -> out.append('t');
            case '\n' -> out.append('n');
            case '\f' -> out.append('f');
            case '\r' -> out.append('r');
            default -> {
                out.append('u');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEX.charAt((c >> shift) & 0xF));
                }
            }
        }
    }

    /** Decimals of Java are written plainly to the server, and so integers where they have no fraction. */
    private static String number(JsonNode node) {
        String text = node.isBigDecimal() ? node.decimalValue().toPlainString() : node.asString();
        return node.isBigDecimal() && text.indexOf('.') < 0 ? text : number(Double.parseDouble(text));
    }

    /** As Python's {@code repr(float)}. */
    private static String number(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0.0" : "0.0";
        }
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        String sign = value < 0 ? "-" : "";
        return sign
                + (point >= -ZEROS_MAX && point <= WHOLE_DIGITS_MAX
                        ? plain(digits, point)
                        : scientific(digits, point - 1));
    }

    /** The shortest digits that mean the number. Java always gives two of them where Python has one. */
    private static BigDecimal shortest(double value) {
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        BigDecimal one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
        return digits.precision() == 2 && one.doubleValue() == value ? one.stripTrailingZeros() : digits;
    }

    private static String plain(String digits, int point) {
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        return point >= digits.length()
                ? digits + "0".repeat(point - digits.length()) + ".0"
                : digits.substring(0, point) + "." + digits.substring(point);
    }

    private static String scientific(String digits, int exponent) {
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        String power = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : String.valueOf(Math.abs(exponent));
        return digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + power;
    }
}
