package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.benchmarks.load.ObjectLoad;
import dev.kopf4j.benchmarks.load.PatchObserver;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.OperatorProcess;
import dev.kopf4j.benchmarks.process.SecuredClusterProcess;
import dev.kopf4j.benchmarks.process.ThreadCount;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Counts what the handling of created objects takes over TLS, in a process of its own as users run it. */
final class TransportCount {
    private static final int WARM_UP = 400;
    private static final int OBJECTS = 500;
    private static final int CONNECTIONS = 4;
    private static final int LIMIT_SECONDS = 600;

    /** Two processors, whatever the machine has: the JVM takes threads for each. */
    static final List<String> JVM_OPTIONS = List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ActiveProcessorCount=2",
            "-Dkopf4j.benchmarks.log=WARN");

    private TransportCount() {}

    static Counts count() throws IOException, InterruptedException {
        try (ChildProcess cluster =
                ChildProcess.start(SecuredClusterProcess.class, List.of("-Xmx512m", "-XX:+UseSerialGC"), "false")) {
            ServerAddress server = ServerAddress.parse(cluster.line());
            try (ChildProcess operator = ChildProcess.start(
                    OperatorProcess.class,
                    JVM_OPTIONS,
                    server.kubeconfig(),
                    "1",
                    HandlerLifecycle.BuiltIn.IN_ORDER.name())) {
                operator.line();
                return count(server, operator);
            }
        }
    }

    private static Counts count(ServerAddress server, ChildProcess operator) throws IOException, InterruptedException {
        create(server, "w", WARM_UP);
        long before = operator.allocated();
        create(server, "s", OBJECTS);
        long allocated = operator.allocated() - before;
        ThreadCount threads = atRest(operator);
        return new Counts(Map.of(
                CountLimit.ALLOCATED_OVER_TLS,
                (double) allocated / OBJECTS,
                CountLimit.PLATFORM_THREADS,
                (double) threads.platform(),
                CountLimit.VIRTUAL_THREADS,
                (double) threads.virtual(),
                CountLimit.SOCKETS,
                (double) operator.sockets()));
    }

    /** When none has ended any more for a while. */
    private static ThreadCount atRest(ChildProcess operator) throws InterruptedException {
        ThreadCount before = operator.threads();
        while (true) {
            Thread.sleep(500);
            ThreadCount now = operator.threads();
            if (now.virtual() >= before.virtual()) {
                return now;
            }
            before = now;
        }
    }

    private static void create(ServerAddress server, String prefix, int objects)
            throws IOException, InterruptedException {
        try (PatchObserver observer = PatchObserver.start(server, SampleObjects.PATH, prefix, 1, objects)) {
            new ObjectLoad(server, SampleObjects.PATH, "Sample", prefix, objects, CONNECTIONS, 0).run();
            observer.awaitAll(LIMIT_SECONDS, "the operator");
        }
    }
}
