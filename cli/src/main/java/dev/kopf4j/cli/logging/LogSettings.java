package dev.kopf4j.cli.logging;

import java.util.Map;

/**
 * The settings of the logs of one run of the program. Immutable.
 *
 * @param verbosity how much is shown
 * @param prefix whether a message begins with the object that it is about: {@code [namespace/name]}
 * @param colors whether the text formats colour levels
 * @param objectKey the key of the object in JSON lines
 * @param levels the levels of single loggers by their names; they win over the verbosity
 */
public record LogSettings(
        Verbosity verbosity,
        LogFormat format,
        boolean prefix,
        boolean colors,
        String objectKey,
        Map<String, LogLevel> levels) {
    public LogSettings {
        levels = Map.copyOf(levels);
    }
}
