package dev.kopf4j.cli.logging;

/**
 * The settings of the logs of one run of the program. Immutable.
 *
 * @param verbosity how much is shown
 * @param prefix whether a message begins with the object that it is about: {@code [namespace/name]}
 * @param colors whether the text formats colour levels
 * @param objectKey the key of the object in JSON lines
 */
public record LogSettings(Verbosity verbosity, LogFormat format, boolean prefix, boolean colors, String objectKey) {}
