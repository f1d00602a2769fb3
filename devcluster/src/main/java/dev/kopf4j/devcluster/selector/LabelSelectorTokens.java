package dev.kopf4j.devcluster.selector;

import java.util.ArrayList;
import java.util.List;

/** The words and signs of a selector's text, one after the other. Confined to one thread. */
final class LabelSelectorTokens {
    private static final String SIGNS = "=!(),<>";
    private final List<String> tokens = new ArrayList<>();
    private int position;

    LabelSelectorTokens(String text) {
        int start = 0;
        while (start < text.length()) {
            int end = end(text, start);
            if (!Character.isWhitespace(text.charAt(start))) {
                tokens.add(text.substring(start, end));
            }
            start = end;
        }
    }

    private static int end(String text, int start) {
        if (text.startsWith("==", start) || text.startsWith("!=", start)) {
            return start + 2;
        }
        int end = start + 1;
        if (isWordPart(text.charAt(start))) {
            while (end < text.length() && isWordPart(text.charAt(end))) {
                end++;
            }
        }
        return end;
    }

    private static boolean isWordPart(char letter) {
        return !Character.isWhitespace(letter) && SIGNS.indexOf(letter) < 0;
    }

    /** True if a token is a word, not a sign or the end. */
    static boolean isWord(String token) {
        return !token.isEmpty() && isWordPart(token.charAt(0));
    }

    /** The next token, which stays; empty at the end. */
    String peek() {
        return position < tokens.size() ? tokens.get(position) : "";
    }

    /** Takes the next token; empty at the end. */
    String next() {
        String token = peek();
        position++;
        return token;
    }
}
