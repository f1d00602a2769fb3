package dev.kopf4j.client.socket;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The words of a {@code .netrc} file, one behind the other. Confined. */
final class NetrcTokens {
    private static final Set<String> PARTS_OF_ENTRY = Set.of("login", "user", "account", "password");

    private static final Pattern EMPTY_LINE = Pattern.compile("\n[ \t\r]*\n");

    private final String text;
    private int position;

    NetrcTokens(String text) {
        this.text = text;
    }

    /** Takes the next word; null at the end. */
    @Nullable String next() {
        skipSpaceAndComments();
        return position < text.length() ? word() : null;
    }

    /** Takes the next word, which must be there. A {@code #} may be its beginning. */
    String value() {
        skipSpace();
        if (position == text.length()) {
            throw unexpected();
        }
        return word();
    }

    /** True if the next word names a part of an entry; takes nothing. */
    boolean isAtPartOfEntry() {
        skipSpaceAndComments();
        int before = position;
        boolean is = position < text.length() && PARTS_OF_ENTRY.contains(word());
        position = before;
        return is;
    }

    /** Leaves out a macro: all lines up to the next empty one. */
    void skipMacro() {
        Matcher emptyLine = EMPTY_LINE.matcher(text);
        position = emptyLine.find(position) ? emptyLine.start() : text.length();
    }

    /** The form is wrong here. */
    IllegalArgumentException unexpected() {
        long line = text.substring(0, position).lines().count();
        return new IllegalArgumentException(
                "line " + Math.max(1, line) + " has another form than 'machine HOST login NAME password PASSWORD'");
    }

    private void skipSpaceAndComments() {
        skipSpace();
        while (position < text.length() && text.charAt(position) == '#') {
            int end = text.indexOf('\n', position);
            position = end < 0 ? text.length() : end;
            skipSpace();
        }
    }

    private void skipSpace() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private String word() {
        boolean quoted = text.charAt(position) == '"';
        position += quoted ? 1 : 0;
        StringBuilder word = new StringBuilder();
        while (position < text.length() && !isEnd(text.charAt(position), quoted)) {
            boolean escaped = text.charAt(position) == '\\' && position + 1 < text.length();
            position += escaped ? 1 : 0;
            word.append(text.charAt(position));
            position++;
        }
        position += quoted && position < text.length() ? 1 : 0;
        return word.toString();
    }

    private static boolean isEnd(char letter, boolean quoted) {
        return quoted ? letter == '"' : Character.isWhitespace(letter);
    }
}
