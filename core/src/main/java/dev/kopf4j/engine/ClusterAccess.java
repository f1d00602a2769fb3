package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.login.BuiltInLogins;
import dev.kopf4j.client.login.BuiltInLogins.ReportingLogins;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.login.CredentialVault;
import dev.kopf4j.client.login.EnvironmentCredentials;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.WriteListener;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        return integration.open(type, new Integration.Access(info(settings), renewal, listener));
    }

    /** The built-in logins, for login handlers. */
    Logins logins();

    /** The way for one run of an operator: each run may find another context of the kubeconfig. */
    default ClusterAccess ofRun() {
        return this;
    }

    /** The same cluster with credentials from elsewhere. */
    ClusterAccess with(CredentialSource source);

    /** The way that the plan describes: given credentials, a given kubeconfig, or what the machine has. */
    static ClusterAccess of(OperatorPlan plan, Platform platform) {
        return new PlannedClusterAccess(plan, platform);
    }

    /** The way to the cluster that the plan of an operator describes. Thread-safe. */
    static final class PlannedClusterAccess implements ClusterAccess {
        private final Supplier<ClusterAccess> anew;
        private final Logins logins;
        private final CredentialSource source;
        /** What was retrieved before the operator connected, for its first login. */
        private final AtomicReference<@Nullable Map<String, ConnectionInfo>> early = new AtomicReference<>();

        private volatile @Nullable CredentialVault vault;

        PlannedClusterAccess(OperatorPlan plan, Platform platform) {
            this.anew = () -> new PlannedClusterAccess(plan, platform);
            AtomicReference<@Nullable String> context = plan.login().context();
            BuiltInLogins builtIn = new BuiltInLogins(
                    platform, plan.login().kubeconfig(), context == null ? new AtomicReference<>() : context);
            ConnectionInfo given = plan.login().connection();
            this.logins = new ReportingLogins(builtIn);
            this.source = given == null ? builtIn : () -> Map.of("connection", given);
        }

        private PlannedClusterAccess(Logins logins, CredentialSource source) {
            this.anew = () -> new PlannedClusterAccess(logins, source);
            this.logins = logins;
            this.source = source;
        }

        @Override
        public Logins logins() {
            return logins;
        }

        @Override
        public ClusterAccess ofRun() {
            return anew.get();
        }

        @Override
        public ClusterAccess with(CredentialSource other) {
            return new PlannedClusterAccess(logins, other);
        }

        @Override
        public ConnectionProvider connect(Platform platform, NetworkSettings settings) {
            CredentialSource completed = EnvironmentCredentials.of(this::retrieve, settings.trustEnv());
            CredentialVault made = new CredentialVault(platform, completed, settings);
            vault = made;
            return made;
        }

        /** Those that the operator itself uses: nobody has to log in a second time for another client. */
        @Override
        public ConnectionInfo info(NetworkSettings settings) throws InterruptedException {
            CredentialVault used = vault;
            return used == null
                    ? best(EnvironmentCredentials.of(this::retrieveEarly, settings.trustEnv()))
                    : used.info();
        }

        private static ConnectionInfo best(CredentialSource credentials) throws InterruptedException {
            return credentials.retrieve().values().stream()
                    .max(Comparator.comparingInt(ConnectionInfo::priority))
                    .orElseThrow(() -> new IllegalStateException("there are no credentials for a cluster"));
        }

        private Map<String, ConnectionInfo> retrieve() throws InterruptedException {
            Map<String, ConnectionInfo> known = early.getAndSet(null);
            return known == null ? source.retrieve() : known;
        }

        private Map<String, ConnectionInfo> retrieveEarly() throws InterruptedException {
            Map<String, ConnectionInfo> found = source.retrieve();
            early.set(found);
            return found;
        }
    }
}
