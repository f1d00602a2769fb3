package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Kopf;
import dev.kopf4j.client.socket.HttpProxy;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.RequestChannel;
import dev.kopf4j.spi.WriteListener;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.impl.BaseClient;
import io.fabric8.kubernetes.client.impl.KubernetesClientImpl;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.URI;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Opens clients with the operator's credentials only, without the files and variables that fabric8 would read itself.
 * Thread-safe.
 */
public final class Fabric8Clients {
    private Fabric8Clients() {}

    static KubernetesClient open(ConnectionInfo connection, CredentialRenewal renewal, WriteListener listener) {
        SSLContext own = connection.sslContext();
        KubernetesClientBuilder builder =
                builder(connection).withHttpClientBuilderConsumer(http -> configure(http, connection, renewal));
        HttpClient.Factory factory =
                own == null ? HttpClientUtils.getHttpClientFactory() : new OwnTlsClientFactory(own);
        return shared(builder.withHttpClientFactory(new ObservedClientFactory(factory, listener)));
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
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(
                        CredentialInterceptor.NAME, new CredentialInterceptor(connection, null)))
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

        /** Closes its watches, connections and threads. */
        void end() {
            super.close();
            if (httpClient instanceof ObservedClient observed) {
                observed.end();
            }
            DEFAULT_EXECUTOR_SUPPLIER.onClose(getExecutor());
        }
    }

    /** Takes TLS from the core, because fabric8 reads keys of elliptic curves only with a further library. */
    private static void configure(HttpClient.Builder http, ConnectionInfo connection, CredentialRenewal renewal) {
        if (connection.sslContext() == null) {
            http.sslContext(TlsContext.keyManagers(connection), TlsContext.trustManagers(connection));
        }
        http.addOrReplaceInterceptor(CredentialInterceptor.NAME, new CredentialInterceptor(connection, renewal));
    }

    private static Config config(ConnectionInfo connection) {
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
