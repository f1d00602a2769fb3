package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lets the tests of one row and one module notice changes, in processes that are replaced when they hang or are of no
 * use any more.
 */
final class RowAudit {
    /** How long the tests may take without any change. */
    private static final Duration FIRST_RUN_MAX = Duration.ofMinutes(5);

    /** How long they may take with a change: as long as the first run, several times, and this. */
    private static final Duration RUN_EXTRA = Duration.ofSeconds(10);

    private static final int RUN_FACTOR = 4;
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final AuditedModule module;
    private final Path plan;
    private final Path results;
    private final Path log;

    RowAudit(String row, AuditedModule module) {
        this.module = module;
        this.plan = module.target().resolve("audit-" + row + ".plan");
        this.results = module.target().resolve("audit-" + row + ".results");
        this.log = module.target().resolve("audit-" + row + ".log");
    }

    /** Returns for each change whether a test has noticed it: also by hanging. */
    List<Boolean> killed(List<PlannedMutant> planned) throws IOException, InterruptedException {
        Files.write(plan, planned.stream().map(PlannedMutant::toString).toList());
        List<Boolean> killed = new ArrayList<>();
        while (killed.size() < planned.size()) {
            killed.addAll(oneProcess(killed.size()));
        }
        return killed;
    }

    private List<Boolean> oneProcess(int first) throws IOException, InterruptedException {
        Files.deleteIfExists(results);
        Process process = AuditProcess.start(
                module,
                MutationRun.class,
                "",
                log,
                List.of(plan.toString(), Integer.toString(first), results.toString()));
        boolean ended = awaitEnd(process);
        List<String> words = Files.exists(results) ? Files.readAllLines(results) : List.of();
        if (words.isEmpty() || !words.getFirst().equals(MutationRun.READY)) {
            throw new IOException("the tests do not pass without any change: see " + log);
        }
        List<Boolean> killed = new ArrayList<>(
                words.stream().skip(1).map(MutationRun.KILLED::equals).toList());
        // A change that no word was said of has brought the process to its end.
        if (!ended || killed.isEmpty()) {
            killed.add(true);
        }
        return killed;
    }

    /** Returns false if it had to be killed, because nothing came from it for too long. */
    private boolean awaitEnd(Process process) throws IOException, InterruptedException {
        long started = System.nanoTime();
        long heard = started;
        long size = 0;
        Duration limit = FIRST_RUN_MAX;
        while (!process.waitFor(GLANCE.toMillis(), TimeUnit.MILLISECONDS)) {
            long now = System.nanoTime();
            long newSize = Files.exists(results) ? Files.size(results) : 0;
            if (newSize > size) {
                limit = size == 0 ? RUN_EXTRA.plusNanos(RUN_FACTOR * (now - started)) : limit;
                size = newSize;
                heard = now;
            } else if (now - heard > limit.toNanos()) {
                AuditProcess.kill(process);
                return false;
            }
        }
        return true;
    }
}
