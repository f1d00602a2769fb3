package dev.kopf4j.benchmarks;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;

/** The API server, with a counter of the requests that it has answered. */
final class ClusterProcess {
    private ClusterProcess() {}

    /** No arguments; the first line is the URL. It answers {@code heap}, and tells the counts otherwise. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RequestCount count = new RequestCount(Samples.PATH);
        try (DevCluster cluster = DevCluster.start(Options.defaults().requestLog(count::add))) {
            cluster.apply(Samples.DEFINITIONS);
            ChildMain.serve(
                    cluster.url(), question -> question.equals("heap") ? Long.toString(Heap.used()) : count.toLine());
        }
    }
}
