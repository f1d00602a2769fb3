package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Logins;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.kubeconfig.ExecPluginRunner;
import dev.kopf4j.client.kubeconfig.Kubeconfig;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.text.HomeFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The built-in ways to log in: the service account of the pod, and the kubeconfig of the user. If both exist, and are
 * for one cluster, both are used; the service account has the higher priority. Thread-safe.
 */
public final class BuiltInLogins implements CredentialSource, Logins {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");

    /** Lower than the service account's. */
    private static final int KUBECONFIG_PRIORITY = 10;

    private static final String SERVICE_ACCOUNT = "login_with_service_account";
    private static final String KUBECONFIG = "login_with_kubeconfig";

    private final ExecPluginRunner plugin;
    private final Map<String, String> environment;
    private final Path home;
    private final ServiceAccountLogin serviceAccountLogin;
    private final @Nullable Path given;

    /**
     * The kubeconfig's context of the first login that has succeeded; later ones take the same: who chooses another one
     * meanwhile means other programs, and maybe another cluster.
     */
    private final AtomicReference<@Nullable String> firstContext;

    /** The service account, once {@link #retrieve} has found it: the operator works in its cluster. */
    private final AtomicReference<@Nullable ConnectionInfo> account = new AtomicReference<>();

    /**
     * Makes the logins of this machine. With a given kubeconfig, {@link #retrieve} uses that only; the service account
     * is there for login handlers.
     *
     * @param kubeconfig the given one; null for the usual places
     * @param context the context of the kubeconfig; if there is none yet, that of the first login goes there
     */
    public BuiltInLogins(Platform platform, @Nullable Path kubeconfig, AtomicReference<@Nullable String> context) {
        this(
                new ExecPluginRunner(platform),
                System.getenv(),
                HomeFolder.current(),
                ServiceAccountLogin.MOUNTED,
                kubeconfig,
                context);
    }

    BuiltInLogins(
            ExecPluginRunner plugin,
            Map<String, String> environment,
            Path home,
            ServiceAccountLogin serviceAccountLogin,
            @Nullable Path given,
            AtomicReference<@Nullable String> context) {
        this.firstContext = context;
        this.plugin = plugin;
        this.environment = Map.copyOf(environment);
        this.home = home;
        this.serviceAccountLogin = serviceAccountLogin;
        this.given = given;
    }

    /** One way to log in. */
    private interface LoginMethod {
        Optional<ConnectionInfo> credential() throws InterruptedException;
    }

    @Override
    public Map<String, ConnectionInfo> retrieve() throws InterruptedException {
        if (given != null) {
            return Map.of("kubeconfig", connection(List.of(given)));
        }
        Map<String, ConnectionInfo> found = new LinkedHashMap<>();
        List<NoCredentialsException> failures = new ArrayList<>();
        attempt(SERVICE_ACCOUNT, this::serviceAccount, found, failures);
        attempt(KUBECONFIG, this::kubeconfig, found, failures);
        leaveOutOtherCluster(found, failures);
        if (!found.isEmpty()) {
            failures.forEach(failure -> log.warn("A login has failed, another one is used: {}", failure.getMessage()));
            return found;
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        throw new NoCredentialsException("there are no credentials for a cluster: no kubeconfig at " + wherever()
                + ", and no service account at " + serviceAccountLogin.folder()
                + "; set $KUBECONFIG, or run with --devcluster");
    }

    /**
     * The kubeconfig of a pod is often for a client of its own, to a second cluster: the operator must not move there
     * when its service account is rejected.
     */
    private void leaveOutOtherCluster(Map<String, ConnectionInfo> found, List<NoCredentialsException> failures) {
        ConnectionInfo known = account.get();
        ConnectionInfo ofAccount = found.getOrDefault(SERVICE_ACCOUNT, known);
        account.set(ofAccount);
        ConnectionInfo other = found.get(KUBECONFIG);
        if (ofAccount == null || other == null || isSameCluster(ofAccount, other)) {
            return;
        }
        found.remove(KUBECONFIG);
        if (found.isEmpty()) {
            failures.add(new NoCredentialsException("the service account at " + serviceAccountLogin.folder()
                    + " is gone, and the kubeconfig leads to another cluster, at " + other.server()));
        } else if (known == null) {
            log.warn(
                    "The kubeconfig leads to another cluster ({}) than the service account of this pod ({}), and is not"
                            + " used. To work there, name the kubeconfig by --kubeconfig or kubeconfig(...).",
                    other.server(),
                    ofAccount.server());
        }
    }

    /** One cluster may have several addresses, within and without, but the servers at them have one authority. */
    private static boolean isSameCluster(ConnectionInfo one, ConnectionInfo other) {
        return one.server().equals(other.server())
                || !Collections.disjoint(TlsContext.authorities(one), TlsContext.authorities(other));
    }

    private static void attempt(
            String id,
            LoginMethod loginMethod,
            Map<String, ConnectionInfo> found,
            List<NoCredentialsException> failures)
            throws InterruptedException {
        try {
            loginMethod.credential().ifPresent(info -> found.put(id, info));
        } catch (NoCredentialsException e) {
            failures.add(e);
        }
    }

    @Override
    public Optional<ConnectionInfo> serviceAccount() {
        return serviceAccountLogin.connection(server());
    }

    /** The address that Kubernetes gives to each pod holds also where the cluster's DNS does not answer. */
    private String server() {
        String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").strip();
        String port = Stream.of("KUBERNETES_SERVICE_PORT", "KUBERNETES_SERVICE_PORT_HTTPS")
                .map(name -> environment.getOrDefault(name, "").strip())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
        if (host.isEmpty() || port.isEmpty()) {
            return ServiceAccountLogin.SERVER;
        }
        boolean bare = host.contains(":") && !host.startsWith("[");
        return "https://" + (bare ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public Optional<ConnectionInfo> kubeconfig() throws InterruptedException {
        List<Path> existing = kubeconfigs().stream().filter(Files::exists).toList();
        if (existing.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(connection(existing).withPriority(KUBECONFIG_PRIORITY));
    }

    private ConnectionInfo connection(List<Path> files) throws InterruptedException {
        Kubeconfig kubeconfig = Kubeconfig.read(files);
        String first = firstContext.get();
        if (first == null) {
            String current = kubeconfig.currentContext();
            ConnectionInfo info = kubeconfig.connection(current, plugin);
            firstContext.compareAndSet(null, current);
            return info;
        }
        if (!kubeconfig.hasContext(first)) {
            throw new NoCredentialsException("the context '" + first + "', with which the operator began, is gone from "
                    + files + ": it goes on with no other one");
        }
        return kubeconfig.connection(first, plugin);
    }

    private List<Path> kubeconfigs() {
        if (given != null) {
            return List.of(given);
        }
        String variable = environment.getOrDefault("KUBECONFIG", "");
        if (variable.isBlank()) {
            return List.of(home.resolve(".kube").resolve("config"));
        }
        return Stream.of(variable.split(Pattern.quote(File.pathSeparator), -1))
                .filter(part -> !part.isBlank())
                .map(part -> part.startsWith("~/") ? home.resolve(part.substring(2)) : Path.of(part))
                .toList();
    }

    private String wherever() {
        String source = environment.containsKey("KUBECONFIG") ? " ($KUBECONFIG)" : "";
        return String.join(", ", kubeconfigs().stream().map(Path::toString).toList()) + source;
    }

    /**
     * The service account of the pod that the operator runs in. Its token is read again and again, because Kubernetes
     * replaces the file about every hour. Immutable.
     *
     * @param folder the folder with the token, the certificate authority, and the namespace
     */
    record ServiceAccountLogin(Path folder) {
        /** The folder where Kubernetes mounts them. */
        public static final ServiceAccountLogin MOUNTED =
                new ServiceAccountLogin(Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));

        /** Higher than a kubeconfig's. */
        private static final int PRIORITY = 20;

        /** What the server is called in each cluster. */
        private static final String SERVER = "https://kubernetes.default.svc";

        /**
         * Returns the credential; empty outside of a pod.
         *
         * @param server where the API server is
         */
        public Optional<ConnectionInfo> connection(String server) {
            Path token = folder.resolve("token");
            String current = read(token);
            if (current == null) {
                return Optional.empty();
            }
            Path authority = folder.resolve("ca.crt");
            return Optional.of(ConnectionInfo.builder(server)
                    .caPath(Files.exists(authority) ? authority.toString() : null)
                    .token(current)
                    .tokenPath(token.toString())
                    .defaultNamespace(read(folder.resolve("namespace")))
                    .priority(PRIORITY)
                    .build());
        }

        /** Null if there is none. */
        private static @Nullable String read(Path file) {
            if (!Files.exists(file)) {
                return null;
            }
            try {
                String text = Files.readString(file).strip();
                return text.isEmpty() ? null : text;
            } catch (IOException e) {
                throw new NoCredentialsException(
                        "the service account's file " + file + " cannot be read: " + FileProblem.describe(file, e), e);
            }
        }
    }

    /**
     * The logins as login handlers see them: their failures are of a type that users know. Thread-safe.
     *
     * @param logins the logins
     */
    public record ReportingLogins(Logins logins) implements Logins {
        @Override
        public Optional<ConnectionInfo> serviceAccount() {
            try {
                return logins.serviceAccount();
            } catch (NoCredentialsException e) {
                throw e.forUsers();
            }
        }

        @Override
        public Optional<ConnectionInfo> kubeconfig() throws InterruptedException {
            try {
                return logins.kubeconfig();
            } catch (NoCredentialsException e) {
                throw e.forUsers();
            }
        }
    }
}
