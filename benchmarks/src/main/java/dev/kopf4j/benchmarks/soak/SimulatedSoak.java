package dev.kopf4j.benchmarks.soak;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.LocalClient;
import dev.kopf4j.benchmarks.memory.ServerInProcess;
import dev.kopf4j.benchmarks.process.OperatorProgress;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** A soak in simulated time, on a dev cluster in this process. */
final class SimulatedSoak {
    private static final int SAMPLES = 40;

    /** Objects that come between two looks at the load. */
    private static final int STEPS = 10;

    private SimulatedSoak() {}

    /** Runs until so many events were processed; prints each quarter's figures. */
    static SoakJudgement run(long events) throws IOException {
        SoakJudgement judgement = new SoakJudgement();
        SimulatedPlatform platform = new SimulatedPlatform(1, Instant.parse("2026-01-01T00:00:00Z"));
        OperatorProgress progress = new OperatorProgress();
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            cluster.apply(SampleObjects.DEFINITIONS);
            SoakLoad load = new SoakLoad(new LocalClient(cluster)::send);
            try (OperatorHandle handle = OperatorAssembly.assemble(
                            OperatorPlan.of(SoakOperator.builder(progress)),
                            new OperatorEnvironment(
                                    platform, new InMemoryAccess(new ServerInProcess(platform, cluster))))
                    .start()) {
                for (int sample = 1; sample <= SAMPLES; sample++) {
                    until(events * sample / SAMPLES, platform, progress, load);
                    cluster.compact();
                    judgement.add(SoakSample.here());
                }
                handle.stop();
                platform.runFor(Duration.ofMinutes(1));
            }
        }
        System.out.printf("%,d events in %s of simulated time%n", progress.events(), duration(platform));
        return judgement;
    }

    private static Duration duration(SimulatedPlatform platform) {
        return Duration.between(Instant.parse("2026-01-01T00:00:00Z"), platform.now());
    }

    private static void until(long events, SimulatedPlatform platform, OperatorProgress progress, SoakLoad load)
            throws IOException {
        while (progress.events() < events) {
            long before = progress.events();
            for (int i = 0; i < STEPS; i++) {
                load.step();
            }
            platform.runFor(Duration.ofSeconds(2));
            if (progress.events() == before) {
                throw new IllegalStateException("the operator sees no events any more:\n" + platform.describeTasks());
            }
        }
        platform.runFor(Duration.ofSeconds(30));
    }
}
