package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.logging.LogConfiguration;
import dev.kopf4j.cli.logging.LogFormat;
import dev.kopf4j.cli.logging.LogLevel;
import dev.kopf4j.cli.logging.LogSettings;
import dev.kopf4j.cli.logging.LogStream;
import dev.kopf4j.cli.logging.Terminal;
import dev.kopf4j.cli.logging.Verbosity;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SystemPlatform;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the logs of commands. */
final class LoggingOptions {
    @Option(
            names = {"-v", "--verbose"},
            description = "Show in detail what is done, but for single requests.")
    private boolean verbose;

    @Option(
            names = {"-d", "--debug"},
            description = "Show each request, the libraries' details and stack traces too.")
    private boolean debug;

    @Option(
            names = {"-q", "--quiet"},
            description = "Show warnings and errors only, unless -v or -d is given.")
    private boolean quiet;

    @Option(
            names = "--log-level",
            paramLabel = "NAME=LEVEL",
            split = "\\s+",
            description =
                    "The level of one logger and those below it (off, error, warn, info, debug, trace); repeatable.")
    private Map<String, LogLevel> levels = new LinkedHashMap<>();

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "plain, full or json (default: ${DEFAULT-VALUE}).",
            defaultValue = "full")
    private LogFormat format = LogFormat.FULL;

    @Option(
            names = "--log-prefix",
            negatable = true,
            description = "Begin messages with [namespace/name] of the object (default: yes, but not for json).")
    private @Nullable Boolean prefix;

    @Option(
            names = "--log-refkey",
            paramLabel = "KEY",
            description = "The key of the object in json lines (default: ${DEFAULT-VALUE}).",
            defaultValue = "object")
    private String objectKey = "object";

    @Option(
            names = "--log-color",
            negatable = true,
            description = "Colour warnings and errors (default: on a terminal, unless NO_COLOR is set).")
    private @Nullable Boolean color;

    private final LogStream stream = new LogStream(new SystemPlatform());

    boolean debug() {
        return debug;
    }

    void apply() {
        LogConfiguration.configure(settings(), stream);
    }

    /** Lets probes tell that the log is stuck. */
    void watch(OperatorBuilder builder) {
        OperatorPlan.processTroubles(builder, stream::troubles);
    }

    /** Shows warnings and errors only, unless more was asked for. */
    void applyQuietly() {
        quiet = true;
        apply();
    }

    LogSettings settings() {
        boolean prefixed = prefix == null ? format != LogFormat.JSON : prefix;
        boolean colored = color == null ? Terminal.hasColors(System.getenv()) : color;
        return new LogSettings(verbosity(), format, prefixed, colored, objectKey, levels);
    }

    private Verbosity verbosity() {
        if (debug) {
            return Verbosity.DEBUG;
        }
        if (verbose) {
            return Verbosity.VERBOSE;
        }
        return quiet ? Verbosity.QUIET : Verbosity.NORMAL;
    }
}
