package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ProcessMemory;
import dev.kopf4j.benchmarks.process.ThreadCount;
import java.util.List;

/** Measures an operator with a handler for everything on a cluster with many resource definitions. */
public final class DefinitionScale {
    private static final int SETTLING_MILLIS = 12_000;
    private static final int PATIENCE = 20;

    private final List<String> options;

    /**
     * A trial.
     *
     * @param options of the measured JVM
     */
    public DefinitionScale(List<String> options) {
        this.options = options;
    }

    /** Prints the table. */
    public void report(List<Integer> sizes) throws InterruptedException {
        GrowthTable table = new GrowthTable("custom resources, beside the built-in ones");
        try (LargeServer server = LargeServer.start()) {
            MeasuredJvm operator = new MeasuredJvm(LargeOperatorProcess.class, options);
            for (int size : sizes) {
                server.define(size);
                table.column(size);
                try (ChildProcess process = operator.start(server.kubeconfig(), "everything")) {
                    measure(process, table);
                }
            }
        }
        table.print();
    }

    private static void measure(ChildProcess process, GrowthTable table) throws InterruptedException {
        String ready = "";
        for (int i = 0; ready.isEmpty() && i < PATIENCE; i++) {
            ready = process.ask("done 0");
        }
        table.add("until all is watched and seen, s", "%.1f".formatted(Long.parseLong(ready) / 1000.0));
        table.add("CPU time until then, s", "%.1f".formatted(process.cpu().toMillis() / 1000.0));
        table.add("requests until then", "%s".formatted(process.ask("requests")));
        Thread.sleep(SETTLING_MILLIS);
        ProcessMemory memory = process.memory();
        ThreadCount threads = process.threads();
        table.add("sockets at rest", "%d".formatted(process.sockets()));
        table.add("platform; virtual threads at rest", "%d; %d".formatted(threads.platform(), threads.virtual()));
        table.add("RSS at rest; peak, MB", "%.0f; %.0f".formatted(memory.resident(), memory.peak()));
        table.add("reachable heap, MB", "%.1f".formatted(Long.parseLong(process.ask("heap")) / 1e6));
    }
}
