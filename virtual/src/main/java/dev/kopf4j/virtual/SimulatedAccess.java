package dev.kopf4j.virtual;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.login.CredentialVault;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.RequestChannel;
import dev.kopf4j.spi.WriteListener;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way of one operator to a simulated cluster.
 *
 * @param info the server's name and the operator's token
 * @param transports makes transports for credentials
 * @param channel carries the requests of its handlers' clients
 * @param source where credentials come from; null for those of {@code info}
 */
record SimulatedAccess(
        ConnectionInfo info,
        Function<ConnectionInfo, Transport> transports,
        RequestChannel channel,
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
        return integration.openThrough(type, new Integration.Access(info, renewal, listener), channel);
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
        return new SimulatedAccess(info, transports, channel, other);
    }
}
