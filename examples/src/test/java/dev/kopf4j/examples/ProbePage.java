package dev.kopf4j.examples;

import dev.kopf4j.testing.TestedOperator;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** What an operator answers to whoever probes it. */
final class ProbePage {
    /** For {@code --liveness}: any free port, which the log tells. */
    static final String ANYWHERE = "http://localhost:0/healthz";

    private static final String SERVING = "Serving at ";

    private ProbePage() {}

    static String of(TestedOperator operator) throws IOException {
        String address = operator.logs().stream()
                .map(line -> line.message())
                .filter(line -> line.startsWith(SERVING) && line.endsWith("/healthz"))
                .findFirst()
                .orElseThrow()
                .substring(SERVING.length());
        try (InputStream answer = URI.create(address).toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
