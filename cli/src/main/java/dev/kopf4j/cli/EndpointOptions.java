package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.process.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The HTTP endpoints of {@code kopf4j run}: probes and metrics. */
final class EndpointOptions {
    @Option(
            names = {"-L", "--liveness"},
            paramLabel = "URL",
            description = "Answer there whether the operator works, such as http://0.0.0.0:8080/healthz.")
    private @Nullable String liveness;

    @Option(
            names = "--readiness",
            paramLabel = "URL",
            description = "Answer there whether all is being watched, such as http://0.0.0.0:8080/ready.")
    private @Nullable String readiness;

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            description = "Show figures there for Prometheus, such as http://0.0.0.0:8080/metrics.")
    private @Nullable String metrics;

    void applyTo(OperatorBuilder builder) {
        try {
            if (liveness != null) {
                builder.liveness(liveness);
            }
            if (readiness != null) {
                builder.readiness(readiness);
            }
            if (metrics != null) {
                builder.metrics(metrics);
            }
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
    }
}
