package dev.kopf4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.memory.HeapSize;
import dev.kopf4j.benchmarks.memory.HeldPods;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.PodCluster;
import dev.kopf4j.benchmarks.scale.GrowthTable;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SystemPlatform;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Measures daemons and timers, in this process and on a cluster in memory: compares an operator that only reads each
 * pod with operators that also have a timer or a waiting daemon. The kept bodies are subtracted.
 */
final class TimerTrial {
    private static final Duration INTERVAL = Duration.ofSeconds(60);

    /** Waiting daemons take more memory than timers, so only a part of the objects has one. */
    private static final int TIMERS_PER_DAEMON = 5;

    private final int timers;
    private final int daemons;
    private final int rounds;
    private final SystemPlatform platform = new SystemPlatform();

    /**
     * A trial.
     *
     * @param timers how many objects have a timer
     * @param rounds how often each timer is called after its first call
     */
    TimerTrial(int timers, int rounds) {
        this.timers = timers;
        this.daemons = timers / TIMERS_PER_DAEMON;
        this.rounds = rounds;
    }

    /** The figures of one operator. */
    private record Run(long bytes, double cpuShare, double delayMillisP50, double delayMillisP99) {}

    void report() throws InterruptedException {
        warmUp();
        Run bare = run(timers, builder -> builder, none(), Duration.ZERO);
        Run timed = timed();
        Run fewer = run(daemons, builder -> builder, none(), Duration.ZERO);
        Run waiting = run(
                daemons,
                builder -> builder.onDaemon("pods", "dmn", context -> {
                    context.stopped().await();
                    return null;
                }),
                none(),
                Duration.ZERO);
        long body = HeldPods.bodySize();
        System.out.printf("| | |%n|---|---|%n");
        System.out.printf("| bytes per object without either | %d |%n", bare.bytes() / timers);
        System.out.printf(
                "| bytes per timer, beyond the body (%d) | %d |%n",
                body, (timed.bytes() - bare.bytes()) / timers - body);
        System.out.printf("| CPU share of one core, %,d timers of 60 s | %.1f %% |%n", timers, 100 * timed.cpuShare());
        System.out.printf(
                "| delay of a call, p50, p99 | %.1f ms, %.1f ms |%n", timed.delayMillisP50(), timed.delayMillisP99());
        System.out.printf(
                "| bytes per waiting daemon, beyond the body (%,d of them) | %d |%n",
                daemons, (waiting.bytes() - fewer.bytes()) / daemons - body);
    }

    /** Prints how the figures grow; each timer is called once after its first call. */
    static void growth(List<Integer> sizes) throws InterruptedException {
        new TimerTrial(2000, 0).warmUp();
        GrowthTable table = new GrowthTable("timers of 60 s");
        for (int size : sizes) {
            TimerTrial trial = new TimerTrial(size, 1);
            Run bare = trial.run(size, builder -> builder, trial.none(), Duration.ZERO);
            Run timed = trial.timed();
            table.column(size);
            table.add(
                    "bytes for each, beyond the object and its body",
                    "%d".formatted((timed.bytes() - bare.bytes()) / size - HeldPods.bodySize()));
            table.add("CPU share of one core", "%.1f %%".formatted(100 * timed.cpuShare()));
            table.add(
                    "CPU time for a call, ms", "%.4f".formatted(1000 * timed.cpuShare() * INTERVAL.toSeconds() / size));
            table.add(
                    "delay of a call, p50; p99, ms",
                    "%.1f; %.1f".formatted(timed.delayMillisP50(), timed.delayMillisP99()));
        }
        table.print();
    }

    private void warmUp() throws InterruptedException {
        run(2000, builder -> builder.onTimer("pods", "tmr", context -> null), none(), Duration.ZERO);
    }

    private Run timed() throws InterruptedException {
        TimerDelays delays = new TimerDelays(platform, INTERVAL, timers, rounds);
        return run(
                timers,
                builder ->
                        builder.onTimer("pods", "tmr", h -> h.interval(INTERVAL).sharp(), context -> {
                            delays.called(context.name());
                            return null;
                        }),
                delays,
                INTERVAL.multipliedBy(rounds));
    }

    private Run run(int pods, UnaryOperator<OperatorBuilder> handlers, TimerDelays delays, Duration time)
            throws InterruptedException {
        long before = HeapSize.used();
        AtomicInteger seen = new AtomicInteger();
        OperatorBuilder builder = handlers.apply(Operator.builder().clusterwide())
                .onEvent("pods", "look", context -> {
                    seen.incrementAndGet();
                    return null;
                });
        try (OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder),
                        new OperatorEnvironment(
                                platform, new InMemoryAccess(new PodCluster(platform, pods, HeldPods::pod))))
                .start()) {
            while (seen.get() < pods) {
                platform.sleep(Duration.ofMillis(20));
            }
            platform.sleep(Duration.ofSeconds(3));
            long bytes = HeapSize.used() - before;
            long cpu = cpuNanos();
            long start = platform.nanos();
            platform.sleep(time);
            double share = time.isZero() ? 0 : (cpuNanos() - cpu) / (double) (platform.nanos() - start);
            handle.stop();
            return new Run(bytes, share, delays.millis(0.5), delays.millis(0.99));
        }
    }

    private TimerDelays none() {
        return new TimerDelays(platform, INTERVAL, 0, rounds);
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
