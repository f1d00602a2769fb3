package dev.kopf4j.testing.environment;

import dev.kopf4j.fabric8.ChannelClientFactory;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.spi.RequestChannel;
import dev.kopf4j.virtual.SimulatedCluster;
import dev.kopf4j.virtual.SimulatedNetwork;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Opens the clients of tests, which the server can tell from those of operators. Thread-safe. */
public final class TestClients {
    private static final String NAME = "kopf4j-testing";

    // The client's own 10 times take 20 s, which each refusal with a code from 500 on would cost a test.
    private static final int TIMES_AGAIN = 6;
    private static final int FIRST_PAUSE_MILLIS = 20;

    /** Looks at each type of an object once, which would take a seventh of each seed of a simulation. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private TestClients() {}

    /**
     * Opens a client. What is answered by 429 or from 500 on it sends again, six times within a second or two; on
     * another way than sockets, that way does so.
     *
     * @param way how its requests get to the server; empty for sockets
     */
    public static KubernetesClient open(String server, String token, Optional<? extends HttpClient.Factory> way) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(server)
                .withNamespace("default")
                .withOauthToken(token)
                .withHttp2Disable(true)
                .withOnlyHttpWatches(true)
                .withUserAgent(NAME)
                .withRequestRetryBackoffLimit(way.isPresent() ? 0 : TIMES_AGAIN)
                .withRequestRetryBackoffInterval(FIRST_PAUSE_MILLIS)
                .build();
        KubernetesClientBuilder builder =
                new KubernetesClientBuilder().withConfig(config).withKubernetesSerialization(SERIALIZATION);
        way.ifPresent(builder::withHttpClientFactory);
        return builder.build();
    }

    /** Opens a client that is on a machine of a simulation. */
    public static KubernetesClient open(SimulatedCluster cluster, SimulatedPlatform machine, SimulatedNetwork network) {
        return open(cluster, cluster.channel(machine, network));
    }

    /**
     * Opens a client that is on a machine of a simulation, and reaches the server at once.
     *
     * @param keepsTurn whether nothing else may happen while it is answered
     */
    public static KubernetesClient open(
            SimulatedCluster cluster, SimulatedPlatform machine, BooleanSupplier keepsTurn) {
        return open(cluster, cluster.channel(machine, cluster.network(), keepsTurn));
    }

    private static KubernetesClient open(SimulatedCluster cluster, RequestChannel channel) {
        return open(SimulatedCluster.ADDRESS, cluster.adminToken(), Optional.of(new ChannelClientFactory(channel)));
    }
}
