package dev.kopf4j.testing.environment;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.runtime.Platform;
import java.util.Optional;

/**
 * The same way to a cluster for operators with login handlers: these find the test's connection where they look for a
 * kubeconfig, and not that of the person who runs the test.
 *
 * @param access the way
 * @param given the connection
 */
record GivenLogins(ClusterAccess access, ConnectionInfo given) implements ClusterAccess {
    @Override
    public Logins logins() {
        return new Logins() {
            @Override
            public Optional<ConnectionInfo> serviceAccount() {
                return Optional.empty();
            }

            @Override
            public Optional<ConnectionInfo> kubeconfig() {
                return Optional.of(given);
            }
        };
    }

    @Override
    public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
        return access.connect(platform, settings);
    }

    @Override
    public ConnectionInfo info(NetworkSettings settings) throws InterruptedException {
        return access.info(settings);
    }

    @Override
    public ClusterAccess ofRun() {
        return new GivenLogins(access.ofRun(), given);
    }

    @Override
    public ClusterAccess with(CredentialSource source) {
        return new GivenLogins(access.with(source), given);
    }
}
