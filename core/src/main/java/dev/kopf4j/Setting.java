package dev.kopf4j;

/**
 * One of the {@link OperatorSettings}: its name, default and meaning. Made by the framework; not to be implemented.
 * Immutable.
 */
public interface Setting {
    /** Its name, as in {@code execution.defaultBackoff}. */
    String name();

    /** What it is for, in a sentence or two. */
    String description();

    /** What values look like, for people: {@code a duration (10s, 1m30s)}. */
    String form();

    /** The default, as it is written in configuration files. */
    String defaultText();

    /** The variable of the environment that sets it, as in {@code KOPF4J_SETTINGS_EXECUTION_DEFAULT_BACKOFF}. */
    String variable();

    /** The system property that sets it, as in {@code kopf4j.settings.execution.defaultBackoff}. */
    String property();
}
