package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the scripts of the console make of what an operator tells: the rules are in {@code site/console.mjs}. */
@Timeout(180)
class ConsolePagesTest {
    @Test
    void thePagesShowWhatTheyAreToldInABrowser() throws Exception {
        Path site = Path.of("").toAbsolutePath().resolveSibling("site");
        assumeTrue(
                Files.exists(site.resolve("node_modules/puppeteer-core")),
                "the console is not looked at in a browser: site/build installs what that needs");
        Process rules = new ProcessBuilder("node", "console.mjs")
                .directory(site.toFile())
                .redirectErrorStream(true)
                .start();
        String told = new String(rules.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = rules.waitFor();
        assumeTrue(code != 3, told);
        assertThat(code).as(told).isZero();
    }
}
