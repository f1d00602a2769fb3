package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How the program ends, in processes of its own. */
@DisabledOnOs(OS.WINDOWS)
class StoppingTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeManifests() throws IOException {
        Files.writeString(folder.resolve("manifests.yaml"), RunCommandTest.MANIFESTS);
    }

    private ProgramProcess start(String body, String... options) throws IOException {
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
        return ProgramProcess.start(folder, arguments);
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
            program.awaitErr("working");
            program.signal("TERM");
            program.awaitErr("cleaning up");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    @Tag("K05")
    void firstSignalDuringARetryDelayIsGraceful() throws Exception {
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn() { throw new TemporaryException("later", java.time.Duration.ofHours(1)); }
                """)) {
            program.awaitErr("failed temporarily: later");
            program.signal("INT");
            program.awaitErr("cleaning up");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    @Tag("L15")
    void secondSignalEndsAtOnce() throws Exception {
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn(Logger logger) { logger.info("working"); }

                @OnCleanup
                void hang() throws InterruptedException { Thread.sleep(600_000); }
                """)) {
            program.awaitErr("working");
            program.signal("INT");
            program.awaitErr("The operator is stopping.");
            program.signal("INT");
            assertThat(program.awaitExit()).isEqualTo(130);
        }
    }

    @Test
    @Tag("K05")
    void whatDoesNotEndIsEndedByForce() throws Exception {
        Files.writeString(folder.resolve("settings.yaml"), "process: {ultimateExitingTimeout: 3s}");
        try (var program = start("""
                @OnCreate("kopfexamples")
                void fn(Logger logger) { logger.info("working"); }

                @OnCleanup
                void hang() { while (true) { try { Thread.sleep(600_000); } catch (InterruptedException e) { } } }
                """, "--config", "settings.yaml")) {
            program.awaitErr("working");
            program.signal("TERM");
            assertThat(program.awaitExit()).isIn(ExitCode.OK, ForcedExit.CODE);
        }
    }

    @Test
    @Tag("L54")
    void failingStartupHandlerIsAFailureOfTheProgram() throws Exception {
        try (var program = start("""
                @OnStartup
                void check() { throw new PermanentException("the licence has expired"); }

                @OnCreate("kopfexamples")
                void fn() {}
                """)) {
            program.awaitErr("kopf4j: The operator does not start: One or more handlers of the startup activity failed:"
                    + " 'check': the licence has expired");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.FAILURE);
        }
    }
}
