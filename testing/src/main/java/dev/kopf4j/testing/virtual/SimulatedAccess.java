package dev.kopf4j.testing.virtual;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.ApiServerConnection;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.login.CredentialVault;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.fabric8.Fabric8Clients;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.WriteListener;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way of one operator to a simulated cluster.
 *
 * @param info the server's name and the operator's token
 * @param transports makes transports for credentials
 * @param clients carries the requests of its handlers' clients
 * @param source where credentials come from; null for those of {@code info}
 */
record SimulatedAccess(
        ConnectionInfo info,
        Function<ConnectionInfo, Transport> transports,
        SimulatedClientFactory clients,
        @Nullable CredentialSource source)
        implements ClusterAccess {
    @Override
    public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
        return source == null
                ? ConnectionProvider.fixed(
                        new ApiServerConnection(transports.apply(info), info.server(), namespace(info)))
                : new CredentialVault(platform, source, transports);
    }

    private static String namespace(ConnectionInfo info) {
        String namespace = info.defaultNamespace();
        return namespace == null ? "default" : namespace;
    }

    @Override
    public ConnectionInfo info(NetworkSettings settings) {
        return info;
    }

    @Override
    public AutoCloseable open(
            Integration integration,
            Class<?> type,
            NetworkSettings settings,
            CredentialRenewal renewal,
            WriteListener listener) {
        if (!KubernetesClient.class.isAssignableFrom(type)) {
            throw new IllegalStateException("a " + type.getName()
                    + " has no place in virtual time: only fabric8's KubernetesClient goes through the simulation."
                    + " Test this in real time");
        }
        return Fabric8Clients.open(info, clients, listener);
    }

    @Override
    public Logins logins() {
        return new Logins() {
            @Override
            public Optional<ConnectionInfo> serviceAccount() {
                return Optional.of(info);
            }

            @Override
            public Optional<ConnectionInfo> kubeconfig() {
                return Optional.of(info);
            }
        };
    }

    @Override
    public ClusterAccess with(CredentialSource other) {
        return new SimulatedAccess(info, transports, clients, other);
    }
}
