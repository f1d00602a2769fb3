package dev.kopf4j.e2e;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** The program {@code curl}, with an authority that it trusts. */
record Curl(Path folder, Path authority) {
    /** Skips the calling test, loudly, if there is no curl. */
    static void require() {
        try (RunningProgram curl = RunningProgram.start(Path.of("."), Map.of(), List.of("curl", "--version"))) {
            curl.awaitExit(Kopf4j.PATIENCE);
        } catch (UncheckedIOException e) {
            String message = "SKIPPED: there is no curl on the PATH; install it to run this test";
            System.err.println(message);
            Assumptions.abort(message);
        }
    }

    /** Posts a file; the body of the answer, and its status in a line of its own. */
    String post(String url, Path body) {
        return run("--header", "Content-Type: application/json", "--data-binary", "@" + body, url);
    }

    /** The body of the answer, and its status in a line of its own. */
    String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "curl", "--silent", "--show-error", "--cacert", authority.toString(), "--write-out", "\n%{http_code}"));
        command.addAll(List.of(arguments));
        try (RunningProgram curl = RunningProgram.start(folder, Map.of(), command)) {
            int exit = curl.awaitExit(Kopf4j.PATIENCE);
            if (exit != 0) {
                throw new AssertionError("curl has failed: " + curl);
            }
            return curl.output();
        }
    }
}
