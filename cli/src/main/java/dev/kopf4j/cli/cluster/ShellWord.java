package dev.kopf4j.cli.cluster;

import java.util.regex.Pattern;

/** Quotes a text as one word of a POSIX shell. Pure. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    private ShellWord() {}

    /** Returns the text unchanged if the shell needs no quotes, or else in single quotes. */
    public static String quote(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
