package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.OperatorPlan;
import dev.kopf4j.client.Connection;
import dev.kopf4j.client.Connections;
import dev.kopf4j.client.NetworkSettings;
import dev.kopf4j.client.SocketTransport;
import dev.kopf4j.runtime.Platform;

/** The way to the cluster. Thread-safe. */
public interface ClusterAccess {
    /** Opens connections; logs in if need be. */
    Connections connect(Platform platform, NetworkSettings settings);

    /** The credentials in use, for other clients. */
    ConnectionInfo info();

    /** The way that the plan describes. */
    static ClusterAccess of(OperatorPlan plan) {
        ConnectionInfo given = plan.connection();
        if (given == null) {
            throw new IllegalStateException("no credentials");
        }
        return new ClusterAccess() {
            @Override
            public Connections connect(Platform platform, NetworkSettings settings) {
                return Connections.fixed(
                        new Connection(new SocketTransport(platform, given, settings), given.server(), "default"));
            }

            @Override
            public ConnectionInfo info() {
                return given;
            }
        };
    }
}
