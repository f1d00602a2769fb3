package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.logging.LogConfiguration;
import dev.kopf4j.cli.logging.LogFormat;
import dev.kopf4j.cli.logging.LogLevel;
import dev.kopf4j.cli.logging.LogSettings;
import dev.kopf4j.cli.logging.LogStream;
import dev.kopf4j.cli.logging.Verbosity;
import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.runtime.SystemPlatform;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the options say about the logs. Tests {@link LoggingOptions}. */
class LoggingOptionsTest {
    @Command(name = "run")
    private static final class Example {
        @Mixin
        private LoggingOptions logging = new LoggingOptions();
    }

    private static LogSettings settings(String options) {
        Example example = new Example();
        CommandLine line = new CommandLine(example).setCaseInsensitiveEnumValuesAllowed(true);
        line.parseArgs(options.isEmpty() ? new String[0] : options.split(" ", -1));
        return example.logging.settings();
    }

    @AfterEach
    void asBefore() {
        LogConfiguration.configure(settings(""), new LogStream(new SystemPlatform()));
    }

    @ParameterizedTest
    @Tag("I11")
    @CsvSource({
        "'', NORMAL",
        "-q, QUIET",
        "--quiet, QUIET",
        "-v, VERBOSE",
        "--verbose, VERBOSE",
        "-d, DEBUG",
        "--debug, DEBUG",
        "-q -v, VERBOSE",
        "-q -d, DEBUG",
        "-d -v, DEBUG"
    })
    void theMostVerboseOptionCounts(String options, Verbosity verbosity) {
        assertThat(settings(options).verbosity()).isEqualTo(verbosity);
    }

    @Test
    @Tag("I11")
    void theHelpSaysSo() {
        assertThat(new CommandLine(new Example()).getUsageMessage())
                .containsPattern("(?s)-q, --quiet\\s+Show warnings and errors only, unless -v or -d is\\s+given");
    }

    @ParameterizedTest
    @Tag("I08")
    @CsvSource({"'', FULL", "--log-format=full, FULL", "--log-format plain, PLAIN", "--log-format JSON, JSON"})
    void fullIsTheDefaultOfFormats(String options, LogFormat format) {
        assertThat(settings(options).format()).isEqualTo(format);
    }

    @ParameterizedTest
    @Tag("I09")
    @CsvSource({
        "'', true",
        "--log-format=plain, true",
        "--log-format=json, false",
        "--log-prefix --log-format=json, true",
        "--no-log-prefix, false"
    })
    void theObjectIsAPrefixOfTextByDefaultAndNotOfJson(String options, boolean prefix) {
        assertThat(settings(options).prefix()).isEqualTo(prefix);
    }

    @Test
    @Tag("I09")
    void theKeyOfTheObjectCanBeChosen() {
        assertThat(settings("").objectKey()).isEqualTo("object");
        assertThat(settings("--log-refkey k8s").objectKey()).isEqualTo("k8s");
    }

    @Test
    @Tag("I11")
    @Tag("K01")
    void loggersMayHaveLevelsOfTheirOwn() {
        assertThat(settings("").levels()).isEmpty();
        assertThat(settings("--log-level kopf4j.reactor=debug --log-level=io.fabric8=OFF -q")
                        .levels())
                .containsOnly(Map.entry("kopf4j.reactor", LogLevel.DEBUG), Map.entry("io.fabric8", LogLevel.OFF));
        CommandRun.with(Map.of("KOPF4J_RUN_LOG_LEVEL", "kopf4j.reactor=trace kopf4j.objects=off"), "run", "-q");
        assertThat(LoggerFactory.getLogger("kopf4j.reactor").isTraceEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("kopf4j.objects").isErrorEnabled()).isFalse();
        var wrong = CommandRun.of("devcluster", "--log-level", "kopf4j.reactor=loud");
        assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("--log-level");
    }

    @ParameterizedTest
    @Tag("I11")
    @CsvSource({"-v, false", "--debug, true"})
    void debugShowsMoreThanVerbose(String option, boolean requests) {
        CommandRun.of("run", option);
        assertThat(LoggerFactory.getLogger("kopf4j.client").isDebugEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger("kopf4j.client.requests").isDebugEnabled())
                .isEqualTo(requests);
    }

    @ParameterizedTest
    @Tag("I11")
    @Tag("K10")
    @CsvSource({"-q, WARN", "-v, DEBUG", "--debug, DEBUG", "--log-format=plain, INFO"})
    void theCommandSetsUpItsLogsAtOnce(String option, String level) {
        CommandRun.of("run", option);
        Logger log = LoggerFactory.getLogger("kopf4j.objects");
        assertThat(log.isWarnEnabled()).isTrue();
        assertThat(log.isInfoEnabled()).isEqualTo(!level.equals("WARN"));
        assertThat(log.isDebugEnabled()).isEqualTo(level.equals("DEBUG"));
    }

    @ParameterizedTest
    @Tag("I11")
    @Tag("K01")
    @CsvSource({"QUIET, false, false", "VERBOSE, true, true", "DEBUG, true, true"})
    void theEnvironmentSaysItToo(String variable, boolean info, boolean debug) {
        CommandRun.with(Map.of("KOPF4J_RUN_" + variable, "true"), "run");
        Logger log = LoggerFactory.getLogger("kopf4j.objects");
        assertThat(log.isInfoEnabled()).isEqualTo(info);
        assertThat(log.isDebugEnabled()).isEqualTo(debug);
    }
}
