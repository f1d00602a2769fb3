package dev.kopf4j.benchmarks.process;

import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.memory.HeapSize;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;

/** The API server, with a counter of the requests that it has answered. */
public final class ClusterProcess {
    private ClusterProcess() {}

    /**
     * No arguments; the first line is the URL. Answers {@code heap} with the heap's size, and other lines with the
     * counts.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RequestCount count = new RequestCount(SampleObjects.PATH);
        try (DevCluster cluster = DevCluster.start(Options.defaults().requestLog(count::add))) {
            cluster.apply(SampleObjects.DEFINITIONS);
            ChildMain.serve(
                    cluster.url(),
                    question -> question.equals("heap") ? Long.toString(HeapSize.used()) : count.toLine());
        }
    }
}
