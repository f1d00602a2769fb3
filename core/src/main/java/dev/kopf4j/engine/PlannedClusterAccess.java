package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.BuiltInLogins;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.login.CredentialVault;
import dev.kopf4j.client.login.ReportingLogins;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.runtime.Platform;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;

/** The way to the cluster that the plan of an operator describes. Thread-safe. */
final class PlannedClusterAccess implements ClusterAccess {
    private final Logins logins;
    private final CredentialSource source;

    PlannedClusterAccess(OperatorPlan plan, Platform platform) {
        Path file = plan.kubeconfig();
        BuiltInLogins builtIn = file == null ? new BuiltInLogins(platform) : new BuiltInLogins(platform, file);
        ConnectionInfo given = plan.connection();
        this.logins = new ReportingLogins(builtIn);
        this.source = given == null ? builtIn : () -> Map.of("connection", given);
    }

    private PlannedClusterAccess(Logins logins, CredentialSource source) {
        this.logins = logins;
        this.source = source;
    }

    @Override
    public Logins logins() {
        return logins;
    }

    @Override
    public ClusterAccess with(CredentialSource other) {
        return new PlannedClusterAccess(logins, other);
    }

    @Override
    public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
        return new CredentialVault(platform, source, settings);
    }

    @Override
    public ConnectionInfo info() throws InterruptedException {
        return source.retrieve().values().stream()
                .max(Comparator.comparingInt(ConnectionInfo::priority))
                .orElseThrow(() -> new IllegalStateException("there are no credentials for a cluster"));
    }
}
