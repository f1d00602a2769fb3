package dev.kopf4j.engine.simulation;

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
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Access to a fake server, without credentials or with those of login handlers. */
public record FakeClusterAccess(
        Function<ConnectionInfo, Transport> connector,
        @Nullable CredentialSource source) implements ClusterAccess {
    private static final ConnectionInfo NOBODY =
            ConnectionInfo.builder("https://cluster.example").build();

    /** Without credentials. */
    public FakeClusterAccess(Transport transport) {
        this(any -> transport, null);
    }

    @Override
    public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
        return source == null
                ? ConnectionProvider.fixed(
                        new ApiServerConnection(connector.apply(NOBODY), "the fake server", "default"))
                : new CredentialVault(platform, source, connector);
    }

    @Override
    public ConnectionInfo info(NetworkSettings settings) {
        throw new UnsupportedOperationException("there is no address to connect to");
    }

    @Override
    public Logins logins() {
        return new Logins() {
            @Override
            public Optional<ConnectionInfo> serviceAccount() {
                return Optional.empty();
            }

            @Override
            public Optional<ConnectionInfo> kubeconfig() {
                return Optional.of(
                        ConnectionInfo.builder("https://cluster.example").build());
            }
        };
    }

    @Override
    public ClusterAccess with(CredentialSource other) {
        return new FakeClusterAccess(connector, other);
    }
}
