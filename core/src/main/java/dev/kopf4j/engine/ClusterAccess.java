package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.WriteListener;

/** The way to the cluster. Thread-safe. */
public interface ClusterAccess {
    /** Opens connections, which log in when they are used. */
    ConnectionProvider connect(Platform platform, NetworkSettings settings);

    /** The credentials, for other clients. */
    ConnectionInfo info(NetworkSettings settings) throws InterruptedException;

    /**
     * Makes a service of another client library, with credentials that are renewed when they are rejected; it tells
     * what it writes.
     */
    default AutoCloseable open(
            Integration integration,
            Class<?> type,
            NetworkSettings settings,
            CredentialRenewal renewal,
            WriteListener listener)
            throws InterruptedException {
        return integration.open(type, info(settings), renewal, listener);
    }

    /** The built-in logins, for login handlers. */
    Logins logins();

    /** The same cluster with credentials from elsewhere. */
    ClusterAccess with(CredentialSource source);

    /** The way that the plan describes: given credentials, a given kubeconfig, or what the machine has. */
    static ClusterAccess of(OperatorPlan plan, Platform platform) {
        return new PlannedClusterAccess(plan, platform);
    }
}
