package dev.kopf4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.logging.LogConfiguration;
import dev.kopf4j.cli.logging.LogFormat;
import dev.kopf4j.cli.logging.LogSettings;
import dev.kopf4j.cli.logging.LogStream;
import dev.kopf4j.cli.logging.Verbosity;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.LoggerFactory;

/** How a process ends, in a JVM of its own. Tests {@link ForcedExit} and {@link WorkFolder}. */
class ProcessEndTest {
    private static final long PATIENCE_SECONDS = 60;

    private static Process start(Class<?> program) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .start();
    }

    private static int exitCode(Process process) throws InterruptedException {
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Logs more than a pipe takes. */
    static final class Talkative {
        private Talkative() {}

        public static void main(String[] arguments) {
            LogConfiguration.configure(
                    new LogSettings(Verbosity.NORMAL, LogFormat.PLAIN, true, false, "object", Map.of()),
                    new LogStream(new SystemPlatform()));
            ForcedExit.after(Duration.ofMillis(500));
            LoggerFactory.getLogger("kopf4j.objects").info("a line ".repeat(100_000));
        }
    }

    /** It may be what the end has waited for. */
    @Test
    void aLogThatNobodyReadsDoesNotHoldUpTheForcedEnd() throws Exception {
        assertThat(exitCode(start(Talkative.class))).isEqualTo(ForcedExit.CODE);
    }

    /** Writes into a folder of its own for ever. */
    static final class Writing {
        private Writing() {}

        public static void main(String[] arguments) throws IOException {
            try (WorkFolder folder = WorkFolder.create("kopf4j-work-folder-test")) {
                Files.writeString(
                        Files.createDirectory(folder.path().resolve("below")).resolve("file"), "text");
                System.out.println(folder.path());
                while (true) {
                    Files.writeString(folder.path().resolve("file"), "text");
                }
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aSignalLeavesNoWorkFolder() throws Exception {
        Process process = start(Writing.class);
        Path folder = Path.of(process.inputReader().readLine());
        assertThat(folder).isDirectory();
        process.destroy();
        assertThat(exitCode(process)).isEqualTo(143);
        assertThat(folder).doesNotExist();
    }
}
