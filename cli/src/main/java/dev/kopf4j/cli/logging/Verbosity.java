package dev.kopf4j.cli.logging;

import org.slf4j.event.Level;

/** How much the logs show. */
public enum Verbosity {
    /** Warnings and errors. */
    QUIET(Level.WARN, Level.WARN),
    /** What the operation of an operator needs. */
    NORMAL(Level.INFO, Level.WARN),
    /** What kopf4j and the handlers do, in detail. */
    VERBOSE(Level.DEBUG, Level.INFO),
    /** Each request, and the details of the libraries as well. */
    DEBUG(Level.DEBUG, Level.DEBUG);

    private final Level own;
    private final Level libraries;

    Verbosity(Level own, Level libraries) {
        this.own = own;
        this.libraries = libraries;
    }

    Level own() {
        return own;
    }

    Level libraries() {
        return libraries;
    }
}
