package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's own ways to find a cluster and to log in, for login handlers: a method annotated with
 * {@link dev.kopf4j.OnLogin} returns {@link #autoConfigured()}. Thread-safe.
 */
public final class Fabric8Logins {
    private Fabric8Logins() {}

    /**
     * The cluster and the credential that fabric8's clients have by default: by system properties
     * ({@code kubernetes.master}) and their environment variables ({@code KUBERNETES_MASTER}), the kubeconfig with its
     * plugins, and the service account. Looked up anew with each call: a login takes the context of the kubeconfig that
     * is the current one then. {@link #of} with {@code Config.autoConfigure("context")} keeps to one.
     *
     * @throws IllegalArgumentException if something was configured that a {@link ConnectionInfo} cannot say
     */
    public static ConnectionInfo autoConfigured() {
        return of(Config.autoConfigure(null));
    }

    /**
     * The cluster and the credential of a configuration of fabric8. Its timeouts, retries and user agent are left out:
     * these are settings of the operator.
     *
     * @throws IllegalArgumentException if it has something that a {@link ConnectionInfo} cannot say: a key store, an
     *     encrypted key is told at the connection, a user to impersonate, headers
     */
    public static ConnectionInfo of(Config config) {
        refuse(config.getKeyStoreFile(), "a key store", "give the certificate and the key as PEM");
        refuse(config.getTrustStoreFile(), "a trust store", "give the authorities as PEM");
        refuse(config.getImpersonateUsername(), "a user to impersonate", "log in as that user");
        if (config.getCustomHeaders() != null && !config.getCustomHeaders().isEmpty()) {
            refuse("", "headers of its own", "leave them out");
        }
        ConnectionInfo.Builder builder = ConnectionInfo.builder(config.getMasterUrl())
                .defaultNamespace(config.getNamespace())
                .tlsServerName(config.getTlsServerName())
                .proxyUrl(proxy(config))
                .insecure(config.isTrustCerts());
        trust(builder, config);
        identity(builder, config);
        return builder.build();
    }

    private static void refuse(@Nullable String value, String what, String wayOut) {
        if (value != null) {
            throw new IllegalArgumentException(
                    "fabric8's configuration has " + what + ", which kopf4j does not take over; " + wayOut
                            + ", or give an SSLContext or a credential by ConnectionInfo.builder");
        }
    }

    private static void trust(ConnectionInfo.Builder builder, Config config) {
        // fabric8 prefers data where it has both.
        if (config.getCaCertData() == null) {
            builder.caPath(config.getCaCertFile());
        } else {
            builder.caData(config.getCaCertData());
        }
    }

    private static void identity(ConnectionInfo.Builder builder, Config config) {
        if (config.getClientCertData() == null) {
            builder.certificatePath(config.getClientCertFile());
        } else {
            builder.certificateData(config.getClientCertData());
        }
        if (config.getClientKeyData() == null) {
            builder.privateKeyPath(config.getClientKeyFile());
        } else {
            builder.privateKeyData(config.getClientKeyData());
        }
        builder.username(config.getUsername()).password(config.getPassword()).token(token(config));
    }

    private static @Nullable String token(Config config) {
        if (config.getOauthTokenProvider() != null) {
            return config.getOauthTokenProvider().getToken();
        }
        return config.getOauthToken() == null ? config.getAutoOAuthToken() : config.getOauthToken();
    }

    private static @Nullable String proxy(Config config) {
        URI server = URI.create(config.getMasterUrl());
        String[] without = config.getNoProxy();
        boolean direct = without != null
                && Arrays.stream(without)
                        .filter(name -> !name.isBlank())
                        .anyMatch(name -> ("." + server.getHost()).endsWith(name.startsWith(".") ? name : "." + name));
        String proxy = "http".equals(server.getScheme()) ? config.getHttpProxy() : config.getHttpsProxy();
        return direct || proxy == null || proxy.isBlank() ? null : proxy;
    }
}
