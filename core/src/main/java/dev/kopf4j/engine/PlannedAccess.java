package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.OperatorPlan;
import dev.kopf4j.client.Connections;
import dev.kopf4j.client.CredentialSource;
import dev.kopf4j.client.ExecPlugin;
import dev.kopf4j.client.Kubeconfig;
import dev.kopf4j.client.Login;
import dev.kopf4j.client.NetworkSettings;
import dev.kopf4j.client.Vault;
import dev.kopf4j.runtime.Platform;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The way to the cluster that the plan of an operator describes. Thread-safe. */
final class PlannedAccess implements ClusterAccess {
    private final CredentialSource source;

    PlannedAccess(OperatorPlan plan, Platform platform) {
        this.source = source(plan, platform);
    }

    private static CredentialSource source(OperatorPlan plan, Platform platform) {
        ConnectionInfo given = plan.connection();
        if (given != null) {
            return () -> Map.of("connection", given);
        }
        Path file = plan.kubeconfig();
        if (file != null) {
            ExecPlugin plugin = new ExecPlugin(platform);
            return () -> Map.of("kubeconfig", Kubeconfig.read(List.of(file)).connection(null, plugin));
        }
        return new Login(platform);
    }

    @Override
    public Connections connect(Platform platform, NetworkSettings settings) {
        return new Vault(platform, source, settings);
    }

    @Override
    public ConnectionInfo info() throws InterruptedException {
        return source.retrieve().values().stream()
                .max(Comparator.comparingInt(ConnectionInfo::priority))
                .orElseThrow(() -> new IllegalStateException("there are no credentials for a cluster"));
    }
}
