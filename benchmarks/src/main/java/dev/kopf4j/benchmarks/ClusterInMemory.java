package dev.kopf4j.benchmarks;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.connection.Connection;
import dev.kopf4j.client.connection.Connections;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.runtime.Platform;
import java.util.Optional;

/** The way to a cluster in this process, which needs no credentials. */
record ClusterInMemory(Transport transport) implements ClusterAccess {
    @Override
    public Connections connect(Platform platform, NetworkSettings settings) {
        return Connections.fixed(new Connection(transport, "a cluster in memory", "default"));
    }

    @Override
    public ConnectionInfo info() {
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
                return Optional.empty();
            }
        };
    }

    @Override
    public ClusterAccess with(CredentialSource source) {
        return this;
    }
}
