package dev.kopf4j.benchmarks.scale;

import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ProcessMemory;
import java.io.IOException;
import java.util.List;

/**
 * Measures how a new operator lists objects for which it has nothing to do, what it holds for them at rest, and how it
 * keeps up with changes.
 */
public final class ListScale {
    private static final int ROUNDS = 2;
    private static final int CHANGES_PER_SECOND = 1000;
    private static final int CHANGES = 15_000;

    /** Longer than the JVM takes to give back what the list has used. */
    private static final int SETTLING_MILLIS = 12_000;

    private static final int PATIENCE = 20;

    private final List<String> options;
    private final GrowthTable listed = new GrowthTable("objects listed at the start");
    private final GrowthTable changed = new GrowthTable("objects at rest, of which 1,000 change each second");
    private long heapOfFirst;
    private int first;

    /**
     * A trial.
     *
     * @param options of the measured JVM
     */
    public ListScale(List<String> options) {
        this.options = options;
    }

    /** Prints the tables. */
    public void report(List<Integer> sizes) throws IOException, InterruptedException {
        first = sizes.getFirst();
        try (LargeServer server = LargeServer.start()) {
            server.fill(Math.min(1000, first));
            MeasuredJvm reader =
                    new MeasuredJvm(BareReaderProcess.class, options).cached("again", server.url(), server.token());
            MeasuredJvm operator = new MeasuredJvm(LargeOperatorProcess.class, options)
                    .cached("done " + Math.min(1000, first), server.kubeconfig(), "create");
            for (int size : sizes) {
                server.fill(size);
                listed.column(size);
                changed.column(size);
                measure(server, reader, operator, size);
            }
        }
        listed.print();
        changed.print();
    }

    private void measure(LargeServer server, MeasuredJvm reader, MeasuredJvm operator, int size)
            throws InterruptedException {
        int writes = server.writes();
        double bare = Double.MAX_VALUE;
        double again = Double.MAX_VALUE;
        double ready = Double.MAX_VALUE;
        for (int round = 1; round <= ROUNDS; round++) {
            try (ChildProcess process = reader.launch(server.url(), server.token())) {
                bare = Math.min(bare, Long.parseLong(process.line()) / 1000.0);
                again = Math.min(again, Long.parseLong(process.ask("again")) / 1000.0);
            }
            try (ChildProcess process = operator.start(server.kubeconfig(), "create")) {
                ready = Math.min(ready, seconds(process, size));
                if (round == ROUNDS) {
                    listed.add("bare reader, just started; once more, s", "%.1f; %.1f".formatted(bare, again));
                    listed.add("operator, just started, until nothing is left to do, s", "%.1f".formatted(ready));
                    listed.add("share of the bare reader's", "%.2f".formatted(ready / bare));
                    listed.add(
                            "CPU time of the operator, s",
                            "%.1f".formatted(process.cpu().toMillis() / 1000.0));
                    listed.add("requests that write", "%d".formatted(server.writes() - writes));
                    rest(process, size);
                    change(server, process, Math.min(CHANGES, size));
                }
            }
        }
    }

    /** When it has processed so many events, and all others that have come. */
    private static double seconds(ChildProcess operator, long events) {
        for (int i = 0; i < PATIENCE; i++) {
            String answer = operator.ask("done " + events);
            if (!answer.isEmpty()) {
                return Long.parseLong(answer) / 1000.0;
            }
        }
        throw new IllegalStateException("the operator has not seen all after ten minutes");
    }

    private void rest(ChildProcess operator, int size) throws InterruptedException {
        Thread.sleep(SETTLING_MILLIS);
        ProcessMemory memory = operator.memory();
        listed.add("RSS at rest; peak, MB", "%.0f; %.0f".formatted(memory.resident(), memory.peak()));
        long heap = Long.parseLong(operator.ask("heap"));
        listed.add("reachable heap, MB", "%.1f".formatted(heap / 1e6));
        if (size == first) {
            heapOfFirst = heap;
        }
        listed.add(
                "bytes for each object beyond the first " + first,
                size == first ? "" : "%.0f".formatted((heap - heapOfFirst) / (double) (size - first)));
    }

    /** Each change is of another object: of several of one, the operator may see only the last. */
    private void change(LargeServer server, ChildProcess operator, int changes) {
        long events = Long.parseLong(operator.ask("events"));
        long allocated = operator.allocated();
        double cpu = operator.cpu().toMillis();
        double pace = server.change(changes, CHANGES_PER_SECOND);
        long end = System.nanoTime();
        seconds(operator, events + changes);
        double late = (System.nanoTime() - end) / 1e6;
        changed.add("changes a second, reached by the server", "%.0f".formatted(pace));
        changed.add(
                "changes that it has seen, of " + CHANGES,
                "%d".formatted(Long.parseLong(operator.ask("events")) - events));
        changed.add("until the last is processed, ms", "%.0f".formatted(late));
        changed.add(
                "CPU time of the operator for each, ms",
                "%.3f".formatted((operator.cpu().toMillis() - cpu) / changes));
        changed.add("bytes allocated for each", "%,d".formatted((operator.allocated() - allocated) / changes));
        changed.add("peak RSS, MB", "%.0f".formatted(operator.memory().peak()));
    }
}
