package dev.kopf4j.cli;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The HTTP endpoints of {@code kopf4j run}: probes, metrics, the console. */
final class EndpointOptions {
    /** KOPF on the keys of a phone. */
    private static final int CONSOLE_PORT = 5673;

    private static final int LAST_PORT = 65_535;

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

    @Option(
            names = "--console",
            arity = "0..1",
            fallbackValue = "" + CONSOLE_PORT,
            preprocessor = OptionalNumber.class,
            converter = WholeNumberConverter.class,
            paramLabel = "PORT",
            description = {
                "Show the operator at work, at http://127.0.0.1:PORT/ (default: 5673, which is KOPF on the keys of a phone;",
                "0 for any free one). Off by default, on with --devcluster; --set console.port=none switches it off."
            })
    private @Nullable Long console;

    private @Nullable Integer developersPort;

    /**
     * Lets developers see what happens, without being asked to.
     *
     * @param settings of an operator in an embedded cluster
     */
    void showConsole(OperatorSettings settings) {
        boolean chosen = settings.values().stream()
                .anyMatch(each -> each.setting().name().equals("console.port")
                        && !each.origin().equals("default"));
        if (!chosen) {
            // Operators that are loaded again follow each other at one address, which is open in a browser.
            int port = developersPort == null ? freePort() : developersPort;
            developersPort = port;
            settings.from("--devcluster", taken -> taken.console().port(port));
        }
    }

    /** The usual port, or any other one if somebody has it: the second operator on a machine has a console, too. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(CONSOLE_PORT, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }

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
        Long port = console;
        if (port != null) {
            if (port < 0 || port > LAST_PORT) {
                throw CommandException.usage("--console must be a port from 0 to " + LAST_PORT + ": " + port);
            }
            builder.settings(settings -> settings.from(
                    "the option --console", taken -> taken.console().port(Math.toIntExact(port))));
        }
    }
}
