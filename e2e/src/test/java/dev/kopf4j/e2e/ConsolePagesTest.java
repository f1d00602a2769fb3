package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts of the console make of what an operator tells: the rules are in {@code site/console.mjs}. */
class ConsolePagesTest {
    private static final long SECONDS_MAX = 180;

    @Test
    void thePagesShowWhatTheyAreToldInABrowser(@TempDir Path folder) throws Exception {
        Path site = Path.of("").toAbsolutePath().resolveSibling("site");
        assumeTrue(
                Files.exists(site.resolve("node_modules/puppeteer-core")),
                "the console is not looked at in a browser: site/build installs what that needs");
        // To a file: to read from a browser that hangs would have no end.
        Path output = folder.resolve("output");
        Process rules = new ProcessBuilder("node", "console.mjs")
                .directory(site.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = rules.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            String told = Files.readString(output);
            assertThat(ended)
                    .as("an end within %s s; so far: %s", SECONDS_MAX, told)
                    .isTrue();
            assumeTrue(rules.exitValue() != 3, told);
            assertThat(rules.exitValue()).as(told).isZero();
        } finally {
            rules.descendants().forEach(ProcessHandle::destroyForcibly);
            rules.destroyForcibly();
        }
    }
}
