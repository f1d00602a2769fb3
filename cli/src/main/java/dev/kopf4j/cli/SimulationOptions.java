package dev.kopf4j.cli;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.devcluster.Options;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the embedded cluster behaves, for {@code kopf4j devcluster} and for operators that are run on one. */
final class SimulationOptions {
    @Option(names = "--port", paramLabel = "PORT", description = "Listen on this port (default: a free one).")
    private int port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keep the objects, the token and the certificate authority in this folder, and continue with"
                    + " what it holds, also after a crash (default: in memory).")
    private @Nullable Path data;

    @Option(
            names = "--workloads",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "1",
            preprocessor = OptionalNumber.class,
            description =
                    "Simulate a node and the controllers of workloads (deployments, stateful sets, daemon sets, jobs,"
                            + " cron jobs), services, disruption budgets and quotas; pods are ready after this time (default: ${FALLBACK-VALUE} s).")
    private @Nullable Double workloads;

    @Option(
            names = "--nodes",
            paramLabel = "NUMBER",
            description =
                    "How many nodes --workloads simulates, from 0 to 200; with 0, pods stay Pending (default: 1).")
    private @Nullable Integer nodes;

    @Mixin
    private FaultOptions faults = new FaultOptions();

    /** Refuses numbers that are out of range. */
    void check() {
        if (port < 0 || port > 65535) {
            throw CommandException.usage("--port " + port + " is not a port: it must be from 0 to 65535.");
        }
        if (workloads != null && !(workloads > 0 && workloads < 86_400)) {
            throw CommandException.usage(
                    "--workloads " + workloads + " is not a time in seconds: it must be above 0 and below 86400.");
        }
        if (nodes != null) {
            checkNodes(nodes, workloads != null);
        }
    }

    private static void checkNodes(int nodes, boolean simulated) {
        if (nodes < 0 || nodes > 200) {
            throw CommandException.usage("--nodes " + nodes + " must be from 0 to 200.");
        }
        if (!simulated) {
            throw CommandException.usage("--nodes says how many nodes are simulated: add --workloads.");
        }
    }

    /** True if one of the options was given. */
    boolean isGiven() {
        return port != 0 || data != null || workloads != null || nodes != null || faults.isGiven();
    }

    Options applyTo(Options options) {
        Options chosen = faults.applyTo(options.port(port));
        if (workloads != null) {
            chosen = chosen.workloads(Duration.ofMillis(Math.round(workloads * 1000)))
                    .nodes(nodes == null ? 1 : nodes);
        }
        return data == null ? chosen : chosen.data(data);
    }
}
