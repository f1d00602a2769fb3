package dev.kopf4j.benchmarks.memory;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.ConnectionProvider.ApiServerConnection;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.runtime.Platform;
import java.util.Optional;

/** The connection to a cluster in this process, without credentials. */
public record InMemoryAccess(Transport transport) implements ClusterAccess {
    @Override
    public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
        return ConnectionProvider.fixed(new ApiServerConnection(transport, "a cluster in memory", "default"));
    }

    @Override
    public ConnectionInfo info(NetworkSettings settings) {
        throw new UnsupportedOperationException("this cluster is in memory: it has no address");
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
                return Optional.empty();
            }
        };
    }

    @Override
    public ClusterAccess with(CredentialSource source) {
        return this;
    }
}
