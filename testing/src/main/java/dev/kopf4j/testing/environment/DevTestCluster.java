package dev.kopf4j.testing.environment;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.testing.TestCluster;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A dev cluster as tests see it, with sockets or without.
 *
 * @param faults those to inject
 * @param applier creates or updates objects
 * @param compaction forgets old versions
 * @param server answers requests
 */
record DevTestCluster(
        Faults faults, Consumer<String> applier, Runnable compaction, Function<ApiRequest, ApiResponse> server)
        implements TestCluster {
    @Override
    public String namespace() {
        return "default";
    }

    @Override
    public void apply(String manifests) {
        applier.accept(manifests);
    }

    @Override
    public void compact() {
        compaction.run();
    }

    @Override
    public ApiResponse handle(ApiRequest request) {
        return server.apply(request);
    }
}
