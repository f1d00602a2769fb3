package dev.kopf4j.text;

import java.util.HexFormat;

/**
 * Texts of others in a line for people: names, messages and values that a cluster has. None of them can begin a line,
 * command a terminal, turn the direction of writing, or fill the screen. Pure.
 */
public final class TerminalText {
    private static final int BYTES_MAX = 4000;

    private TerminalText() {}

    /** The text in one line: control characters are escaped as in Java, and the middle of a long one is left out. */
    public static String line(String text) {
        return TextShortener.middle(
                text.codePoints().allMatch(TerminalText::isPlain) ? text : escaped(text), BYTES_MAX);
    }

    private static boolean isPlain(int point) {
        return !switch (Character.getType(point)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                true;
            case Character.FORMAT -> turnsDirection(point);
            default -> false;
        };
    }

    private static boolean turnsDirection(int point) {
        return switch (Character.getDirectionality(point)) {
            case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
                    Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
                    Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
                    Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
                    Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
                    Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE -> true;
            default -> false;
        };
    }

    private static String escaped(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (isPlain(point)) {
                line.appendCodePoint(point);
            } else {
                line.append(escape(point));
            }
        });
        return line.toString();
    }

    private static String escape(int point) {
        return switch (point) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u" + HexFormat.of().toHexDigits((char) point); // all of them have four digits
        };
    }
}
