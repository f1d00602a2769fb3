package dev.kopf4j.text;

import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Texts of others in lines for people: names, messages and values that a cluster has. None of them can begin a line at
 * the margin, command a terminal, or turn the direction of writing. Pure.
 */
public final class TerminalText {
    private static final int BYTES_MAX = 4000;

    private TerminalText() {}

    /**
     * The text in one line: control characters are escaped as in Java, and the middle of one is left out that would
     * fill the screen.
     */
    public static String line(String text) {
        return TextShortener.middle(escaped(text), BYTES_MAX);
    }

    /**
     * The text in all its lines, whatever their length. Those behind the first begin with this indentation, so that
     * none of them is taken for a text of its own; control characters but tabs are escaped.
     */
    public static String lines(String text, String indentation) {
        return text.lines()
                .map(line -> Stream.of(line.split("\t", -1))
                        .map(TerminalText::escaped)
                        .collect(Collectors.joining("\t")))
                .collect(Collectors.joining("\n" + indentation));
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
        if (text.codePoints().allMatch(TerminalText::isPlain)) {
            return text;
        }
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
