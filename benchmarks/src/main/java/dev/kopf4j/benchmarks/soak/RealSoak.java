package dev.kopf4j.benchmarks.soak;

import dev.kopf4j.benchmarks.load.LoadConnection;
import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.SecuredClusterProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A soak in real time: the operator and the server are processes of their own, and speak TLS. */
final class RealSoak {
    private static final int SAMPLES = 40;
    private static final int STEPS_PER_SECOND = 10;

    /** Connections that nobody needs are closed by then. */
    private static final int SETTLING_MILLIS = 2000;

    private RealSoak() {}

    static SoakJudgement run(Duration duration, List<String> options) throws IOException, InterruptedException {
        SoakJudgement judgement = new SoakJudgement();
        try (ChildProcess cluster =
                ChildProcess.start(SecuredClusterProcess.class, List.of("-Xmx512m", "-XX:+UseSerialGC"), "false")) {
            ServerAddress server = ServerAddress.parse(cluster.line());
            try (ChildProcess operator = ChildProcess.start(SoakProcess.class, options, server.kubeconfig())) {
                operator.line();
                try (LoadConnection connection = new LoadConnection(server)) {
                    SoakLoad load = new SoakLoad((method, path, type, body) ->
                            connection.send(method, path, type, body.getBytes(StandardCharsets.UTF_8)));
                    long start = System.nanoTime();
                    for (int sample = 1; sample <= SAMPLES; sample++) {
                        until(start + duration.toNanos() * sample / SAMPLES, load);
                        Thread.sleep(SETTLING_MILLIS);
                        judgement.add(SoakSample.parse(operator.ask("sample"))
                                .with(SoakSample.SOCKETS, operator.sockets())
                                .with(SoakSample.RESIDENT, operator.memory().resident()));
                    }
                    System.out.printf("%,d events in %s%n", Long.parseLong(operator.ask("events")), duration);
                }
            }
        }
        return judgement;
    }

    private static void until(long end, SoakLoad load) throws IOException {
        for (long next = System.nanoTime(); next < end; next += 1_000_000_000L / STEPS_PER_SECOND) {
            for (long wait = next - System.nanoTime(); wait > 0; wait = next - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            load.step();
        }
    }
}
