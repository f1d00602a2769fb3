package dev.kopf4j.testing.environment;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.recording.Recording;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A dev cluster with sockets, in real time. Thread-safe. */
public final class DevEnvironment implements TestEnvironment {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RealTime realTime = new RealTime();
    private final Recording recording = realTime.recording();
    private final DevCluster cluster;
    private final KubernetesClient client;
    private final Optional<ServiceAccountLogin> login;

    /**
     * A cluster of its own.
     *
     * @param login as whom the operator logs in; empty for the administrator
     */
    public DevEnvironment(Options options, Optional<ServiceAccountLogin> login) {
        this.login = login;
        this.cluster = DevCluster.start(options.requestListener(this::answered));
        this.client = TestClients.open(cluster.url(), cluster.token(), Optional.empty());
    }

    private void answered(ApiRequest request, ApiResponse response) {
        recording.answered(request, response);
        PostedEvents.in(request, response).ifPresent(recording::posted);
    }

    /** The cluster with its ports. */
    public DevCluster devCluster() {
        return cluster;
    }

    @Override
    public Platform platform() {
        return realTime.platform();
    }

    @Override
    public Recording recording() {
        return recording;
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public Optional<TestClock> clock() {
        return Optional.empty();
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    @Override
    public Operator assemble(OperatorBuilder builder) {
        String token =
                login.map(each -> each.token(cluster::handle, cluster.token())).orElse(cluster.token());
        builder.connection(ConnectionInfo.builder(cluster.url()).token(token).build());
        return realTime.assemble(builder);
    }

    @Override
    public void kill() {
        throw RealTime.cannotBeKilled();
    }

    @Override
    public Set<String> kinds() {
        return ServedKinds.of(cluster::look, cluster.token());
    }

    @Override
    public TestCluster cluster() {
        return new DevTestCluster(cluster.faults(), cluster::apply, cluster::compact, cluster::handle);
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}
