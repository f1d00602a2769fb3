package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.spi.CredentialRenewal;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes HTTP clients that go on with the operator's credentials when these are renewed. They share the {@link Way} in
 * use: a replaced one is used by nobody any more but by the requests that are open on it. Thread-safe.
 */
final class RenewingClientFactory implements HttpClient.Factory {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");

    private final CredentialRenewal renewal;
    /** What all requests begin with: fabric8 takes the server of the first login for ever. */
    private final String firstServer;
    /** Of all ways, so that it ends what is open on replaced ones, too. */
    private final ExecutorService executor = Executors.newCachedThreadPool(Utils.daemonThreadFactory(this));

    private volatile Way way;

    RenewingClientFactory(ConnectionInfo first, CredentialRenewal renewal) {
        this.renewal = renewal;
        this.way = Way.of(first, executor);
        this.firstServer = way.server();
    }

    @Override
    public Builder newBuilder() {
        return new Builder(this);
    }

    /** True if a request is for the API server, and not for another one, which must not see the credentials. */
    boolean isForServer(URI uri) {
        return uri.toString().startsWith(firstServer);
    }

    /** Returns where a request for the first server goes on this way. */
    URI on(Way used, URI uri) {
        return URI.create(used.server() + uri.toString().substring(firstServer.length()));
    }

    /** Returns the way for the next request. */
    Way current() {
        Way used = way;
        ConnectionInfo latest = renewal.latest(used.info());
        return latest.equals(used.info()) ? used : replaced(used, latest);
    }

    /**
     * Finds the way for another attempt; the same if there is no other. It may log in, and so take a while: in a thread
     * of its own, as those of the HTTP client have to go on.
     *
     * @param unsecured true after a failed TLS handshake, false after a 401
     */
    CompletableFuture<Way> renew(Way failed, boolean unsecured) {
        return CompletableFuture.supplyAsync(() -> renewed(failed, unsecured), executor);
    }

    private Way renewed(Way failed, boolean unsecured) {
        if (!way.equals(failed)) {
            return way;
        }
        try {
            ConnectionInfo info = failed.info();
            return replaced(failed, unsecured ? renewal.tlsFailed(info) : renewal.renew(info));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed;
        } catch (RuntimeException e) {
            log.debug("The credentials of the KubernetesClient are not renewed: {}", e.getMessage());
            return failed;
        }
    }

    private synchronized Way replaced(Way old, ConnectionInfo info) {
        if (way.equals(old)) {
            try {
                way = old.with(info, executor);
            } catch (IllegalArgumentException e) {
                log.debug("The KubernetesClient does not take the new credentials yet: {}", e.getMessage());
            }
        }
        return way;
    }

    /** Ends all that is open. */
    void end() {
        way.client().close();
        executor.shutdownNow();
    }

    /**
     * A credential with the connections that were made with it, and that no other one ever uses. Immutable.
     *
     * @param server its address, with a slash at the end
     * @param files the contents of its certificates and keys at that time
     */
    record Way(ConnectionInfo info, String server, List<String> files, HttpClient client) {
        static Way of(ConnectionInfo info, ExecutorService executor) {
            Config config = Fabric8Clients.config(info);
            return new Way(info, config.getMasterUrl(), files(info), client(info, config, executor));
        }

        /**
         * The same with another credential, and with connections of its own if these depend on it.
         *
         * @throws IllegalArgumentException if a certificate or a key cannot be used
         */
        Way with(ConnectionInfo other, ExecutorService executor) {
            boolean same = files(other).equals(files) && withoutHeader(other).equals(withoutHeader(info));
            return same ? new Way(other, server, files, client) : of(other, executor);
        }

        private static ConnectionInfo withoutHeader(ConnectionInfo info) {
            return info.toBuilder()
                    .username(null)
                    .password(null)
                    .scheme(null)
                    .token(null)
                    .tokenPath(null)
                    .priority(0)
                    .expiration(null)
                    .build();
        }

        private static List<String> files(ConnectionInfo info) {
            return Stream.of(info.caPath(), info.certificatePath(), info.privateKeyPath())
                    .filter(Objects::nonNull)
                    .map(Way::content)
                    .toList();
        }

        private static String content(String path) {
            try {
                return Files.readString(Path.of(path));
            } catch (IOException e) {
                return "";
            }
        }

        /** Takes TLS from the core, because fabric8 reads keys of elliptic curves only with a further library. */
        private static HttpClient client(ConnectionInfo info, Config config, ExecutorService executor) {
            var factory = new JdkHttpClientFactory() {
                @Override
                protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
                    return java.net.http.HttpClient.newBuilder().executor(executor);
                }

                @Override
                protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
                    builder.sslContext(TlsContext.of(info));
                }
            };
            HttpClient.Builder builder = factory.newBuilder(config);
            // The clients that use it have them already.
            HttpClientUtils.createApplicableInterceptors(config, factory)
                    .keySet()
                    .forEach(name -> builder.addOrReplaceInterceptor(name, null));
            // They send again, too.
            config.getRequestConfig().setRequestRetryBackoffLimit(0);
            return builder.build();
        }

        /** Leaves out the files, which hold secrets. */
        @Override
        public String toString() {
            return info.toString();
        }
    }

    /** A builder as fabric8 wants it. */
    static final class Builder extends StandardHttpClientBuilder<RenewingHttpClient, RenewingClientFactory, Builder> {
        Builder(RenewingClientFactory factory) {
            super(factory);
        }

        @Override
        public RenewingHttpClient build() {
            @Nullable RenewingHttpClient original = client;
            return new RenewingHttpClient(
                    this, clientFactory, original == null ? new AtomicBoolean() : original.getClosed());
        }

        @Override
        protected Builder newInstance(RenewingClientFactory factory) {
            return new Builder(factory);
        }
    }
}
