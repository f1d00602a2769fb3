package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Kopf;
import dev.kopf4j.client.socket.HttpProxy;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.RequestChannel;
import dev.kopf4j.spi.WriteListener;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.impl.BaseClient;
import io.fabric8.kubernetes.client.impl.KubernetesClientImpl;
import java.net.URI;
import java.util.Map;

/**
 * Opens clients with the operator's credentials only, without the files and variables that fabric8 would read itself.
 * Thread-safe.
 */
public final class Fabric8Clients {
    private Fabric8Clients() {}

    static KubernetesClient open(ConnectionInfo connection, CredentialRenewal renewal, WriteListener listener) {
        return shared(builder(connection)
                .withHttpClientFactory(
                        new ObservedClientFactory(new RenewingClientFactory(connection, renewal), listener)));
    }

    /**
     * Opens a client whose requests go another way than over sockets, such as into a simulation. It sends none again
     * itself, as fabric8 does that in threads of its own.
     *
     * @param listener hears what the client writes
     */
    static KubernetesClient openThrough(RequestChannel way, ConnectionInfo connection, WriteListener listener) {
        Config config = new ConfigBuilder(config(connection))
                .withRequestRetryBackoffLimit(0)
                .build();
        return shared(builder(connection)
                .withConfig(config)
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("kopf4j-credential", sending(connection)))
                .withHttpClientFactory(new ObservedClientFactory(new ChannelClientFactory(way), listener)));
    }

    private static KubernetesClientBuilder builder(ConnectionInfo connection) {
        return new KubernetesClientBuilder()
                .withConfig(config(connection))
                .withTaskExecutorSupplier(BaseClient.DEFAULT_EXECUTOR_SUPPLIER::get)
                .withKubernetesSerialization(Fabric8Models.SERIALIZATION);
    }

    private static KubernetesClient shared(KubernetesClientBuilder builder) {
        return new SharedClient(builder.build().adapt(BaseClient.class));
    }

    /** Ends a client that was opened here. */
    static void end(KubernetesClient client) {
        client.adapt(SharedClient.class).end();
    }

    /**
     * The client of all handlers: when one of them closes it, or a client derived from it, the others still have it.
     */
    private static final class SharedClient extends KubernetesClientImpl {
        SharedClient(BaseClient original) {
            super(original);
        }

        @Override
        public void close() {
            // See end().
        }

        /** What is derived, as by {@code inNamespace}, has the same informers and waits, and does not end them. */
        @Override
        protected KubernetesClientImpl copy() {
            return new SharedClient(this);
        }

        /** Closes its watches, connections and threads. */
        void end() {
            super.close();
            if (httpClient instanceof ObservedClient observed) {
                observed.end();
            }
            DEFAULT_EXECUTOR_SUPPLIER.onClose(getExecutor());
        }
    }

    private static Interceptor sending(ConnectionInfo connection) {
        return new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                String value = CredentialHeader.of(connection);
                if (value != null) {
                    builder.setHeader(CredentialHeader.NAME, value);
                }
            }
        };
    }

    /** Describes the server and the way to it, without the credentials. */
    static Config config(ConnectionInfo connection) {
        String namespace = connection.defaultNamespace();
        ConfigBuilder config = new ConfigBuilder(Config.empty())
                .withMasterUrl(connection.server())
                .withNamespace(namespace == null ? "default" : namespace)
                .withHttp2Disable(true) // the JDK's client loses watches over HTTP/2
                // The first try by websockets hangs where a server or a proxy does not know them.
                .withOnlyHttpWatches(true)
                .withUserAgent("kopf4j/" + Kopf.version());
        return withProxy(config, connection, System.getenv()).build();
    }

    /** Takes the proxy from the core, whose requests and those of this client go the same way. */
    static ConfigBuilder withProxy(ConfigBuilder config, ConnectionInfo connection, Map<String, String> environment) {
        URI proxy = HttpProxy.chosen(connection, environment);
        return proxy == null ? config : config.withHttpProxy(proxy.toString()).withHttpsProxy(proxy.toString());
    }
}
