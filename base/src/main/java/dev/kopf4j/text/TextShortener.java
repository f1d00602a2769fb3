package dev.kopf4j.text;

import java.nio.charset.StandardCharsets;

/** Takes the middle out of texts that are too long, because the beginning and the end of an error say most. Pure. */
public final class TextShortener {
    private static final String GAP = "...";

    private TextShortener() {}

    /** Returns the text, shortened to this number of bytes in UTF-8. */
    public static String middle(String text, int bytesMax) {
        if (bytes(text) <= bytesMax) {
            return text;
        }
        int tail = (bytesMax - GAP.length()) / 2;
        int head = bytesMax - GAP.length() - tail;
        return head(text, head) + GAP + tail(text, tail);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String head(String text, int bytesMax) {
        int end = 0;
        int used = 0;
        while (end < text.length() && used + width(text.codePointAt(end)) <= bytesMax) {
            used += width(text.codePointAt(end));
            end += Character.charCount(text.codePointAt(end));
        }
        return text.substring(0, end);
    }

    private static String tail(String text, int bytesMax) {
        int start = text.length();
        int used = 0;
        while (start > 0 && used + width(text.codePointBefore(start)) <= bytesMax) {
            used += width(text.codePointBefore(start));
            start -= Character.charCount(text.codePointBefore(start));
        }
        return text.substring(start);
    }

    private static int width(int codePoint) {
        return bytes(Character.toString(codePoint));
    }
}
