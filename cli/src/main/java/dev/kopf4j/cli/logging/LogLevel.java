package dev.kopf4j.cli.logging;

/** From which level on a logger writes lines. */
public enum LogLevel {
    /** Never. */
    OFF,
    /** Somebody has to look. */
    ERROR,
    /** Something is odd. */
    WARN,
    /** What those who run an operator want to see. */
    INFO,
    /** What developers want to see. */
    DEBUG,
    /** Everything. */
    TRACE
}
