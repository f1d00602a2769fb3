package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.admission.HttpWebhookCaller;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.faultinjection.FaultRule;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.resource.ServedVersions;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The options of a dev cluster. Immutable; each setter returns a changed copy. */
public final class Options {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final Set<KubernetesVersion> WATCH_LIST =
            EnumSet.of(KubernetesVersion.V1_32, KubernetesVersion.V1_34);
    private static final Options DEFAULTS = new Options(new Values());
    private final Values values;

    private Options(Values values) {
        this.values = values;
    }

    private static final class Values implements Cloneable {
        private InetAddress address = LOOPBACK;
        private List<String> names = List.of();
        private int port;
        private boolean https;
        private Optional<Path> kubeconfigFile = Optional.empty();
        private Consumer<String> requestLog = line -> {};
        private BiConsumer<ApiRequest, ApiResponse> requestListener = (request, response) -> {};
        private InstantSource clock = InstantSource.system();
        private Optional<Instant> manualClock = Optional.empty();
        private Optional<RandomGenerator> random = Optional.empty();
        private int windowSize = 10_000;
        private Optional<Path> data = Optional.empty();
        private Optional<Path> from = Optional.empty();
        private Optional<Faults> faults = Optional.empty();
        private boolean faultControl;
        private Optional<Duration> workloads = Optional.empty();
        private int nodes = 1;
        private boolean rootCertificate;
        private boolean growingClaims;
        private boolean foreignOwners;
        private Optional<Boolean> watchList = Optional.empty();
        private KubernetesVersion kubernetesVersion = KubernetesVersion.DEFAULT;
        private List<String> runtimeConfig = List.of();
        private boolean authentication;
        private boolean rbac;
        private boolean alwaysAllow;
        private Optional<WebhookCaller> webhookCaller = Optional.empty();
        private WebhookServices webhookServices = WebhookServices.of(Map.of());

        @Override
        protected Values clone() {
            try {
                return (Values) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException("options cannot be copied", e);
            }
        }
    }

    private Options with(Consumer<Values> change) {
        Values copy = values.clone();
        change.accept(copy);
        return new Options(copy);
    }

    /** The defaults: a free port, plain HTTP without credentials, the system's clock. */
    public static Options defaults() {
        return DEFAULTS;
    }

    /** Whether claims for volumes may grow before they are bound. */
    public boolean growingClaims() {
        return values.growingClaims;
    }

    /** Lets claims grow before they are bound, because nothing binds them here; a real server refuses that. */
    public Options growingClaims(boolean grow) {
        return with(copy -> copy.growingClaims = grow);
    }

    /** Whether owners that the cluster has never had are taken for existing elsewhere. */
    public boolean foreignOwners() {
        return values.foreignOwners;
    }

    /**
     * Keeps objects whose owners were never here, as in a copy of a part of another cluster
     * ({@link DevCluster#importObject}). Off by default: the garbage collector deletes them, as that of a real cluster
     * does.
     */
    public Options foreignOwners(boolean keep) {
        return with(copy -> copy.foreignOwners = keep);
    }

    /** The address to listen on; 127.0.0.1 by default. */
    public InetAddress address() {
        return values.address;
    }

    /**
     * Listens on another address than 127.0.0.1; {@code 0.0.0.0} is all of them, as containers need. What others can
     * reach speaks TLS and asks for credentials: both are switched on unless the address is a loopback one. Who has
     * none gets 401, unless RBAC is on, which may let anybody do something.
     */
    public Options address(InetAddress address) {
        return with(copy -> {
            copy.address = address;
            copy.https = copy.https || !address.isLoopbackAddress();
            copy.authentication = copy.authentication || !address.isLoopbackAddress();
        });
    }

    /** Further names of the server; by default its address, if it listens at another one than 127.0.0.1 alone. */
    public List<String> names() {
        boolean isReachedAtIt = !values.address.isAnyLocalAddress() && !values.address.equals(LOOPBACK);
        // The scope of a link-local address is a word of this machine, and nothing that certificates and URLs know.
        String address = values.address.getHostAddress().replaceFirst("%.*", "");
        return values.names.isEmpty() && isReachedAtIt ? List.of(address) : values.names;
    }

    /**
     * Host names and addresses by which clients reach the server: its certificate has them beside {@code localhost} and
     * {@code 127.0.0.1}, and kubeconfigs name the first of them.
     */
    public Options names(List<String> names) {
        List<String> given = List.copyOf(names);
        return with(copy -> copy.names = given);
    }

    /** The port to listen on, 0 for a free one. */
    public int port() {
        return values.port;
    }

    /** Sets the port; 0 for a free one. */
    public Options port(int port) {
        return with(copy -> copy.port = port);
    }

    /** Whether to listen with TLS under a generated certificate. */
    public boolean https() {
        return values.https;
    }

    /** Switches TLS on or off. */
    public Options https(boolean https) {
        return with(copy -> copy.https = https);
    }

    /** The file to which the cluster writes the kubeconfig when it starts, if there is one. */
    public Optional<Path> kubeconfigFile() {
        return values.kubeconfigFile;
    }

    /** Writes the kubeconfig to this file when the cluster starts. */
    public Options kubeconfigFile(Path file) {
        return with(copy -> copy.kubeconfigFile = Optional.of(file));
    }

    /** Receives a line for each answered request, from any thread. */
    public Consumer<String> requestLog() {
        return values.requestLog;
    }

    /** Sets the receiver of a line for each answered request. */
    public Options requestLog(Consumer<String> log) {
        return with(copy -> copy.requestLog = log);
    }

    /** Hears of each request and its response, from the thread that asks. */
    public BiConsumer<ApiRequest, ApiResponse> requestListener() {
        return values.requestListener;
    }

    /**
     * Sets who hears of each request and its response, also of those without a socket. It is called in the thread that
     * asks, before the answer is sent, and must be quick and thread-safe.
     */
    public Options requestListener(BiConsumer<ApiRequest, ApiResponse> listener) {
        return with(copy -> copy.requestListener = listener);
    }

    /** The clock of the cluster. */
    public InstantSource clock() {
        return values.clock;
    }

    /** Sets the clock. */
    public Options clock(InstantSource clock) {
        return with(copy -> copy.clock = clock);
    }

    /** The time at which the cluster starts and stays until it is moved; empty if time passes by itself. */
    public Optional<Instant> manualClock() {
        return values.manualClock;
    }

    /**
     * Lets a {@link DevCluster} start at a time and stay there until {@link DevCluster#advance}: for tests of what
     * takes long. Timeouts of watches, and delays of injected faults, wait for it, too. It takes the place of
     * {@link #clock}.
     */
    public Options manualClock(Instant start) {
        return with(copy -> copy.manualClock = Optional.of(start));
    }

    /** The generator of random names and uids. */
    public RandomGenerator random() {
        return values.random.orElseGet(SecureRandom::new);
    }

    /** Sets the generator; one with a fixed seed gives the same names and uids again. */
    public Options random(RandomGenerator random) {
        return with(copy -> copy.random = Optional.of(random));
    }

    /** How many changes of each resource the cluster keeps for watches. */
    public int windowSize() {
        return values.windowSize;
    }

    /** Sets the number of changes to keep. */
    public Options windowSize(int changes) {
        return with(copy -> copy.windowSize = changes);
    }

    /** The folder that keeps the objects; empty if they are in memory only. */
    public Optional<Path> data() {
        return values.data;
    }

    /**
     * Keeps all objects in a folder: a later cluster with the same folder continues with them and their versions, even
     * if this process was killed. The operating system has a change before the client gets its answer, and the disk has
     * it within a second. The folder is for one cluster at a time.
     */
    public Options data(Path folder) {
        return with(copy -> copy.data = Optional.of(folder));
    }

    /** The snapshot to start from; empty for an empty cluster, or for that of the data folder. */
    public Optional<Path> from() {
        return values.from;
    }

    /**
     * Starts with all objects that {@link DevCluster#save} has written to a file, with their uids and versions: so that
     * each test begins at a known state. What follows is in memory, and the file stays as it is. The cluster has a
     * token and certificates of its own; tokens of service accounts from before are not valid.
     */
    public Options from(Path snapshot) {
        return with(copy -> copy.from = Optional.of(snapshot));
    }

    /** The faults to inject; none by default. */
    public Faults faults() {
        return values.faults.orElseGet(() -> new Faults(0));
    }

    /** Sets the faults to inject; rules may be added to them while the cluster runs. */
    public Options faults(Faults faults) {
        return with(copy -> copy.faults = Optional.of(faults));
    }

    /** Whether the administrator may set faults over HTTP. */
    public boolean faultControl() {
        return values.faultControl;
    }

    /**
     * Lets the administrator set faults over HTTP, or not: GET, POST and DELETE of {@code /devcluster/faults}, with a
     * rule of {@link FaultRule#parse} in each line, or {@code clock 5s} to move the clock. Off by default.
     */
    public Options faultControl(boolean allowed) {
        return with(copy -> copy.faultControl = allowed);
    }

    /** How long simulated pods take to become ready; empty if workloads are not simulated. */
    public Optional<Duration> workloads() {
        return values.workloads;
    }

    /**
     * Simulates a node and the controllers of workloads (deployments, stateful sets, daemon sets, jobs, cron jobs),
     * services, disruption budgets, autoscalers and quotas: pods become Running and Ready after this time on the
     * cluster's clock, those of jobs complete after the same time again. Off by default: then they stay as they are, as
     * in a cluster without nodes and controllers.
     */
    public Options workloads(Duration readyAfter) {
        return with(copy -> copy.workloads = Optional.of(readyAfter));
    }

    /** How many nodes simulated workloads have. */
    public int nodes() {
        return values.nodes;
    }

    /**
     * How many nodes simulated workloads have, from 0 to 200; 1 by default. Pods go to those that fit, spread evenly.
     * With none, controllers work and pods stay Pending.
     *
     * @throws IllegalArgumentException for another number
     */
    public Options nodes(int number) {
        if (number < 0 || number > 200) {
            throw new IllegalArgumentException("nodes: " + number + " must be from 0 to 200");
        }
        return with(copy -> copy.nodes = number);
    }

    /** Whether namespaces get the ConfigMap {@code kube-root-ca.crt}. */
    public boolean rootCertificate() {
        return values.rootCertificate;
    }

    /**
     * Switches on or off that each namespace gets the ConfigMap {@code kube-root-ca.crt}, and each pod the volume with
     * it and the token of its service account. Off by default. The service account {@code default} is always there.
     */
    public Options rootCertificate(boolean on) {
        return with(copy -> copy.rootCertificate = on);
    }

    /**
     * Whether watches may ask for initial events: the WatchList feature. If nothing was said, it is on in Kubernetes
     * 1.32 and 1.34, and off in 1.31 and 1.33: {@code pkg/features/kube_features.go} of the apiserver library.
     */
    public boolean watchList() {
        return values.watchList.orElseGet(() -> WATCH_LIST.contains(values.kubernetesVersion));
    }

    /** Allows or refuses watches with initial events. */
    public Options watchList(boolean allowed) {
        return with(copy -> copy.watchList = Optional.of(allowed));
    }

    /** The version of Kubernetes that the cluster says it is. */
    public KubernetesVersion kubernetesVersion() {
        return values.kubernetesVersion;
    }

    /**
     * Takes the place of an API server of this version: what {@code /version} says, which versions of built-in groups
     * are served, and a few other things that docs/devcluster.md lists. All else is as in the default, 1.33.
     */
    public Options kubernetesVersion(KubernetesVersion version) {
        return with(copy -> copy.kubernetesVersion = version);
    }

    /** Which versions of built-in groups are served besides, or not served; none by default. */
    public List<String> runtimeConfig() {
        return values.runtimeConfig;
    }

    /**
     * Serves alpha and beta versions of built-in groups, which are off by default, or switches others off, as
     * {@code --runtime-config} of kube-apiserver does: {@code resource.k8s.io/v1beta2}, {@code api/beta=true},
     * {@code flowcontrol.apiserver.k8s.io/v1beta3=false}. A version that {@link #kubernetesVersion} does not have is
     * refused at the start.
     *
     * @throws IllegalArgumentException for an entry of another form
     */
    public Options runtimeConfig(List<String> entries) {
        ServedVersions.of(values.kubernetesVersion, entries);
        List<String> given = List.copyOf(entries);
        return with(copy -> copy.runtimeConfig = given);
    }

    /**
     * Refuses what contradicts itself, as a later setter can take away what an earlier one needs: whoever asks for RBAC
     * must not get a cluster in which everybody is the administrator.
     */
    void checkAuthorization() {
        if (values.rbac && !values.authentication) {
            throw new IllegalArgumentException(
                    "rbac(true) needs authentication, which authentication(false) has switched"
                            + " off: every user would be the administrator; leave authentication(false) out, or switch RBAC off"
                            + " by rbac(false)");
        }
        if (values.alwaysAllow && !values.rbac) {
            throw new IllegalArgumentException("alwaysAllow(true) needs RBAC, which rbac(false) has switched off; leave"
                    + " rbac(false) out, or alwaysAllow(true)");
        }
    }

    /** Whether requests need credentials; if not, every user is the administrator. */
    public boolean authentication() {
        return values.authentication;
    }

    /** Sets whether requests need credentials; a cluster with RBAC does not start without. */
    public Options authentication(boolean required) {
        return with(copy -> copy.authentication = required);
    }

    /** Whether RBAC authorizes requests; implies authentication. */
    public boolean rbac() {
        return values.rbac;
    }

    /** Switches RBAC on or off; on, it switches authentication on, too. */
    public Options rbac(boolean on) {
        return with(copy -> {
            copy.rbac = on;
            copy.authentication = on || copy.authentication;
        });
    }

    /** Whether everybody may do what RBAC does not allow. */
    public boolean alwaysAllow() {
        return values.alwaysAllow;
    }

    /**
     * Sets whether everybody may do what RBAC does not allow, as with {@code --authorization-mode=RBAC,AlwaysAllow} of
     * kube-apiserver: users are told apart, roles are there, and nobody with credentials is refused. Implies RBAC; off
     * by default.
     */
    public Options alwaysAllow(boolean on) {
        return with(copy -> {
            copy.alwaysAllow = on;
            copy.rbac = on || copy.rbac;
            copy.authentication = on || copy.authentication;
        });
    }

    /** The client that calls webhooks. */
    public WebhookCaller webhookCaller() {
        return values.webhookCaller.orElseGet(HttpWebhookCaller::new);
    }

    /** Sets the client that calls webhooks, such as that of a simulation. */
    public Options webhookCaller(WebhookCaller caller) {
        return with(copy -> copy.webhookCaller = Optional.of(caller));
    }

    /** The local addresses of the services that webhooks name. */
    public WebhookServices webhookServices() {
        return values.webhookServices;
    }

    /** Sets the local addresses of the services that webhooks name. */
    public Options webhookServices(WebhookServices services) {
        return with(copy -> copy.webhookServices = services);
    }
}
