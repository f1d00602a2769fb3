package dev.kopf4j.benchmarks.process;

import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;

/** The API server as users have it: TLS, tokens and RBAC; with a counter of the requests that it has answered. */
public final class SecuredClusterProcess {
    private SecuredClusterProcess() {}

    /**
     * Argument: whether the objects have a status subresource. The first line is for
     * {@link dev.kopf4j.benchmarks.load.ServerAddress#parse}. Answers each line with the counts.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RequestCount count = new RequestCount(SampleObjects.PATH);
        Options options = Options.defaults().https(true).rbac(true).requestLog(count::add);
        try (DevCluster cluster = DevCluster.start(options)) {
            cluster.apply(SampleObjects.definitions(Boolean.parseBoolean(arguments[0])));
            ChildMain.serve(new SecuredCluster(cluster).prepare(), question -> count.toLine());
        }
    }
}
