package dev.kopf4j.cli.cluster;

import java.util.regex.Pattern;

/** Text as one word of a POSIX shell. */
final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

    private ShellWord() {}

    /** The text as it is if the shell takes it as it is, else in single quotes. */
    static String quote(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
