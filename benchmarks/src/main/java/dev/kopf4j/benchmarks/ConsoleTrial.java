package dev.kopf4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.memory.ChangingPods;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.NumberedPods;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Measures the console of an operator of many pods, of which a thousand change in each second: how soon it answers, and
 * what it costs when it is off, when nobody looks, and when somebody does. In this process, on a cluster in memory.
 */
final class ConsoleTrial {
    private static final int CHANGES_A_SECOND = 1000;
    private static final Duration MEASURED = Duration.ofSeconds(30);

    /** A browser asks every two seconds; here there are four of them. */
    private static final Duration ASKED_EVERY = Duration.ofMillis(500);

    /** Each of so many has a handler that fails. */
    private static final int FAILING_SHARE = 100;

    private final int pods;
    private final SystemPlatform platform = new SystemPlatform();
    private long version = 1_000_000;

    ConsoleTrial(int pods) {
        this.pods = pods;
    }

    /** The figures of one operator. */
    private record Run(double cpuShare, long bytesAChange, List<Double> answerMillis) {
        double percentile(double share) {
            List<Double> sorted = answerMillis.stream().sorted().toList();
            return sorted.get((int) Math.min(sorted.size() - 1, share * sorted.size()));
        }
    }

    void report() throws InterruptedException, IOException {
        System.setProperty("org.slf4j.simpleLogger.log.kopf4j.objects", "off"); // of failures there are many
        run(freePort(), true); // warms up
        Run off = run(null, false);
        Run unseen = run(freePort(), false);
        Run seen = run(freePort(), true);
        System.out.printf(
                "| %,d pods, %d changes a second | no console | nobody looks | four look |%n", pods, CHANGES_A_SECOND);
        System.out.printf("|---|---|---|---|%n");
        System.out.printf(
                "| share of a processor, the changes themselves included | %.1f %% | %.1f %% | %.1f %% |%n",
                off.cpuShare() * 100, unseen.cpuShare() * 100, seen.cpuShare() * 100);
        System.out.printf(
                "| bytes allocated for a change | %d | %d | %d |%n",
                off.bytesAChange(), unseen.bytesAChange(), seen.bytesAChange());
        System.out.printf(
                "| the page's answer: median, 95 %%, longest of %d | | | %.1f, %.1f, %.1f ms |%n",
                seen.answerMillis().size(), seen.percentile(0.5), seen.percentile(0.95), seen.percentile(1));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }

    private Run run(@Nullable Integer port, boolean seen) throws InterruptedException, IOException {
        AtomicInteger calls = new AtomicInteger();
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .settings(settings -> settings.console().port(port))
                .onEvent("pods", "look", context -> {
                    if (calls.incrementAndGet() > 0 && context.name().hashCode() % FAILING_SHARE == 0) {
                        throw new IllegalStateException("one of those that fail");
                    }
                    return null;
                });
        ChangingPods cluster = new ChangingPods(platform, pods, NumberedPods::small);
        try (OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder), new OperatorEnvironment(platform, new InMemoryAccess(cluster)))
                .start()) {
            while (calls.get() < pods) {
                platform.sleep(Duration.ofMillis(20));
            }
            change(cluster, Duration.ofSeconds(5), new ArrayList<>(), null);
            long cpu = cpuNanos();
            long bytes = allocated();
            List<Double> answers = new ArrayList<>();
            change(cluster, MEASURED, answers, seen ? port : null);
            double share = (cpuNanos() - cpu) / (double) MEASURED.toNanos();
            long each = (allocated() - bytes) / (MEASURED.toSeconds() * CHANGES_A_SECOND);
            handle.stop();
            return new Run(share, each, answers);
        }
    }

    /** Changes pods in equal steps, and asks for the page meanwhile. */
    private void change(ChangingPods cluster, Duration time, List<Double> answers, @Nullable Integer port)
            throws InterruptedException, IOException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            long begin = platform.nanos();
            long nextQuestion = begin;
            long steps = time.toSeconds() * CHANGES_A_SECOND / 10;
            for (long step = 0; step < steps; step++) {
                for (int each = 0; each < 10; each++) {
                    cluster.change((int) (version++ * 7919 % pods), version);
                }
                if (port != null && platform.nanos() >= nextQuestion) {
                    nextQuestion += ASKED_EVERY.toNanos();
                    answers.add(answer(client, port, answers.size() % 2 == 0 ? "" : "?q=pod-" + step));
                }
                long wait = begin + (step + 1) * 10_000_000 - platform.nanos();
                platform.sleep(Duration.ofNanos(Math.max(0, wait)));
            }
        }
    }

    private double answer(HttpClient client, int port, String query) throws InterruptedException, IOException {
        long begin = platform.nanos();
        URI address = URI.create("http://127.0.0.1:" + port + "/snapshot" + query);
        HttpResponse<byte[]> answer =
                client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("the console answers with " + answer.statusCode());
        }
        return (platform.nanos() - begin) / 1e6;
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
    }
}
