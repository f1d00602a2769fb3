package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.RequestLoad;
import dev.kopf4j.benchmarks.load.SampleReview;
import dev.kopf4j.benchmarks.process.BareHttpsProcess;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ReviewProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures how many reviews an operator answers, and how quickly, beside the JDK's server, in turns. */
final class ReviewTrial {
    private static final int WARM_UP = 20_000;
    private static final String AIM = "> 5000, p99 < 10 ms";

    private final RequestLoad load;
    private final BenchmarkPlan plan;

    ReviewTrial(BenchmarkPlan plan) {
        this.plan = plan;
        this.load = new RequestLoad(plan.load().connections());
    }

    void report() throws InterruptedException {
        ServerReport.head();
        try (ChildProcess cluster = ServerTrial.server("128m");
                ChildProcess operator =
                        ChildProcess.start(ReviewProcess.class, plan.process().jvmOptions(), cluster.line());
                ChildProcess bare = ChildProcess.start(
                        BareHttpsProcess.class, plan.process().jvmOptions())) {
            URI operatorUrl = URI.create(operator.line());
            URI bareUrl = URI.create(bare.line());
            ask(operatorUrl, WARM_UP);
            ask(bareUrl, WARM_UP);
            List<Double> shares = new ArrayList<>();
            for (int round = 1; round <= plan.load().rounds(); round++) {
                double answered = measure("reviews/s of an operator", AIM, operator, operatorUrl);
                double most = measure("requests/s of a bare `HttpsServer`", "", bare, bareUrl);
                shares.add(answered / most);
            }
            shares.sort(null);
            String median = String.format(Locale.ROOT, "%.2f", shares.get(shares.size() / 2));
            ServerReport.row("share of the bare server's, median", "", median);
        }
    }

    private long[] ask(URI url, int count) throws InterruptedException {
        return load.run(url, count, (connection, number) -> SampleReview.send(connection));
    }

    private double measure(String title, String aim, ChildProcess process, URI url) throws InterruptedException {
        int count = 4 * plan.load().objects();
        long cpu = process.cpu().toMillis();
        long start = System.nanoTime();
        long[] nanos = ask(url, count);
        double perSecond = count / ((System.nanoTime() - start) / 1e9);
        double cpuMillis = process.cpu().toMillis() - cpu;
        ServerReport.row(
                title,
                aim,
                String.format(
                        Locale.ROOT,
                        "%.0f, p50 %.2f ms, p99 %.2f ms, %.0f µs of CPU time each",
                        perSecond,
                        nanos[count / 2] / 1e6,
                        nanos[count * 99 / 100] / 1e6,
                        cpuMillis * 1000 / count));
        return perSecond;
    }
}
