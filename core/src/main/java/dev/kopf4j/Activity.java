package dev.kopf4j;

import java.util.Locale;

/** What an operator does as a whole, rather than for an object. */
public enum Activity {
    /** {@link OnStartup}. */
    STARTUP("startup"),
    /** {@link OnCleanup}. */
    CLEANUP("cleanup"),
    /** {@link OnLogin}. */
    LOGIN("authentication"),
    /** {@link OnProbe}. */
    PROBE("probe");

    private final String word;

    Activity(String word) {
        this.word = word;
    }

    /** As logs call it: {@code startup}; the loggers are {@code kopf4j.activities.startup} and so on. */
    public String word() {
        return word;
    }

    /** The name of its annotation. */
    public String annotation() {
        return "@On" + name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
