package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the program ends, in processes of its own. */
@DisabledOnOs(OS.WINDOWS)
class StoppingTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeManifests() throws IOException {
        Files.writeString(folder.resolve("manifests.yaml"), StartedOperatorTest.MANIFESTS);
    }

    private RunningProgram start(String body, String... options) throws IOException {
        Files.writeString(folder.resolve("Example.java"), """
                import dev.kopf4j.*;
                import org.slf4j.Logger;

                class Example {
                    %s

                    @OnCleanup
                    void bye(Logger logger) { logger.info("cleaning up"); }
                }
                """.formatted(body));
        String[] arguments = new String[options.length + 3];
        arguments[0] = "run";
        System.arraycopy(options, 0, arguments, 1, options.length);
        arguments[options.length + 1] = "--devcluster";
        arguments[options.length + 2] = "Example.java";
        return Kopf4j.startIn(folder, arguments);
    }

    @Test
    @Tag("K05")
    @Tag("L15")
    @Tag("L55")
    void firstSignalDuringAHandlerIsGraceful() throws Exception {
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn(Logger logger) throws InterruptedException { logger.info("working"); Thread.sleep(600_000); }
                """)) {
            program.awaitLog("working", Kopf4j.PATIENCE);
            program.signal("TERM");
            program.awaitLog("cleaning up", Kopf4j.PATIENCE);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    @Tag("K05")
    void firstSignalDuringARetryDelayIsGraceful() throws Exception {
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn() { throw new TemporaryException("later", java.time.Duration.ofHours(1)); }
                """)) {
            program.awaitLog("failed temporarily: later", Kopf4j.PATIENCE);
            program.signal("INT");
            program.awaitLog("cleaning up", Kopf4j.PATIENCE);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    @Tag("K05")
    @Tag("L22")
    void firstSignalWhileDaemonsRunIsGraceful() throws Exception {
        try (var program = start("""
                @OnDaemon("kopfexamples")
                void polite(Stopped stopped, Logger logger) throws InterruptedException {
                    logger.info("polite daemon runs");
                    stopped.await(java.time.Duration.ofHours(1));
                    logger.info("polite daemon ends because of {}", stopped.reasons());
                }

                @OnDaemon(value = "kopfexamples", cancellationTimeout = "1s")
                void busy(Logger logger) throws InterruptedException {
                    logger.info("busy daemon runs");
                    Thread.sleep(600_000);
                }

                @OnTimer(value = "kopfexamples", interval = "1h")
                void nowAndThen(Logger logger) { logger.info("timer waits"); }
                """)) {
            program.awaitLog("polite daemon runs", Kopf4j.PATIENCE);
            program.awaitLog("busy daemon runs", Kopf4j.PATIENCE);
            program.awaitLog("timer waits", Kopf4j.PATIENCE);
            program.signal("TERM");
            program.awaitLog("polite daemon ends because of", Kopf4j.PATIENCE);
            program.awaitLog("cleaning up", Kopf4j.PATIENCE);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    @Tag("L15")
    void secondSignalEndsAtOnce(String signal, int exitCode) throws Exception {
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn(Logger logger) { logger.info("working"); }

                @OnCleanup
                void hang() throws InterruptedException { Thread.sleep(600_000); }
                """)) {
            program.awaitLog("working", Kopf4j.PATIENCE);
            program.signal(signal);
            program.awaitLog("The operator is stopping.", Kopf4j.PATIENCE);
            assertThat(program.insist(signal)).isEqualTo(exitCode);
        }
    }

    @Test
    @Tag("K05")
    @Tag("L15")
    void whatDoesNotEndIsEndedByForce() throws Exception {
        Files.writeString(folder.resolve("settings.yaml"), "process: {ultimateExitingTimeout: 3s}");
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn(Logger logger) { logger.info("working"); }

                @OnCleanup
                void hang() { while (true) { try { Thread.sleep(600_000); } catch (InterruptedException e) { } } }
                """, "--config", "settings.yaml")) {
            program.awaitLog("working", Kopf4j.PATIENCE);
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(137);
        }
    }

    @Test
    @Tag("L15")
    @Tag("L54")
    void failingStartupHandlerIsAFailureOfTheProgram() throws Exception {
        try (var program = start("""
                @OnStartup
                void check() { throw new PermanentException("the licence has expired"); }

                @OnCreate("kopfexamples")
                void fn() {}
                """)) {
            program.awaitLog(
                    "kopf4j: The operator does not start: One or more handlers of the startup activity failed:"
                            + " 'check': the licence has expired",
                    Kopf4j.PATIENCE);
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.FAILURE);
        }
    }
}
