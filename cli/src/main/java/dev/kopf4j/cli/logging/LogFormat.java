package dev.kopf4j.cli.logging;

/** The format of log lines. */
public enum LogFormat {
    /** The message alone. */
    PLAIN,
    /** Time, logger, level and message. */
    FULL,
    /** One JSON object per line, for log collectors. */
    JSON
}
