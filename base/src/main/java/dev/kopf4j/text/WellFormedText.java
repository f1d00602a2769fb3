package dev.kopf4j.text;

/** Mends texts that were cut in the middle of a character: UTF-8 has no half ones, and parsers refuse them. Pure. */
public final class WellFormedText {
    private static final char REPLACEMENT = '\uFFFD';

    private WellFormedText() {}

    /** The text, with the replacement character for each lone surrogate, as servers would read it. */
    public static String of(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (Character.isSurrogate(text.charAt(index))) {
                return mended(text);
            }
        }
        return text;
    }

    private static String mended(String text) {
        StringBuilder mended = new StringBuilder(text.length());
        text.codePoints()
                .map(point ->
                        point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? REPLACEMENT : point)
                .forEach(mended::appendCodePoint);
        return mended.toString();
    }
}
