package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.admission.HttpWebhookCaller;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.faultinjection.FaultRule;
import dev.kopf4j.devcluster.faultinjection.Faults;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** How a dev cluster is to be. Immutable; each setter gives a changed copy. */
public final class Options {
    private static final Options DEFAULTS = new Options(new Values());
    private final Values values;

    private Options(Values values) {
        this.values = values;
    }

    private static final class Values implements Cloneable {
        private int port;
        private boolean https;
        private Optional<Path> kubeconfigFile = Optional.empty();
        private Consumer<String> requestLog = line -> {};
        private InstantSource clock = InstantSource.system();
        private Optional<RandomGenerator> random = Optional.empty();
        private int windowSize = 10_000;
        private Optional<Path> data = Optional.empty();
        private Optional<Faults> faults = Optional.empty();
        private boolean faultControl;
        private Optional<Duration> workloads = Optional.empty();
        private boolean rootCertificate;
        private boolean growingClaims;
        private boolean watchList;
        private boolean authentication;
        private boolean rbac;
        private Optional<WebhookCaller> webhookCaller = Optional.empty();
        private WebhookServices webhookServices = new WebhookServices(Map.of());

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

    /** A free port, plain HTTP without credentials, the system's clock. */
    public static Options defaults() {
        return DEFAULTS;
    }

    /** Whether claims for volumes may grow before they are bound. */
    public boolean growingClaims() {
        return values.growingClaims;
    }

    /** Lets claims grow that are not bound, as nobody binds them here; a real server does not. */
    public Options growingClaims(boolean grow) {
        return with(copy -> copy.growingClaims = grow);
    }

    /** The port to listen on, 0 for a free one. */
    public int port() {
        return values.port;
    }

    /** Another port. */
    public Options port(int port) {
        return with(copy -> copy.port = port);
    }

    /** Whether to listen with TLS under a generated certificate. */
    public boolean https() {
        return values.https;
    }

    /** With TLS or without. */
    public Options https(boolean https) {
        return with(copy -> copy.https = https);
    }

    /** Where to write the kubeconfig at the start, if anywhere. */
    public Optional<Path> kubeconfigFile() {
        return values.kubeconfigFile;
    }

    /** Writes the kubeconfig there at the start. */
    public Options kubeconfigFile(Path file) {
        return with(copy -> copy.kubeconfigFile = Optional.of(file));
    }

    /** Gets a line for each answered request; from any thread. */
    public Consumer<String> requestLog() {
        return values.requestLog;
    }

    /** Tells each answered request. */
    public Options requestLog(Consumer<String> log) {
        return with(copy -> copy.requestLog = log);
    }

    /** Where times come from. */
    public InstantSource clock() {
        return values.clock;
    }

    /** Another clock. */
    public Options clock(InstantSource clock) {
        return with(copy -> copy.clock = clock);
    }

    /** Where names and uids come from. */
    public RandomGenerator random() {
        return values.random.orElseGet(SecureRandom::new);
    }

    /** Another randomness; a seeded one gives the same names and uids again. */
    public Options random(RandomGenerator random) {
        return with(copy -> copy.random = Optional.of(random));
    }

    /** How many changes of each resource are kept for watches. */
    public int windowSize() {
        return values.windowSize;
    }

    /** Another number of changes to keep. */
    public Options windowSize(int changes) {
        return with(copy -> copy.windowSize = changes);
    }

    /** Where objects are kept, if anywhere but in memory. */
    public Optional<Path> data() {
        return values.data;
    }

    /**
     * Keeps all objects in that folder: a later cluster over it continues with them and their versions, also when this
     * one's process was killed. A change is with the operating system before it is answered, and is forced to the disk
     * within a second. The folder is for one cluster at a time.
     */
    public Options data(Path folder) {
        return with(copy -> copy.data = Optional.of(folder));
    }

    /** What goes wrong on demand; nothing by default. */
    public Faults faults() {
        return values.faults.orElseGet(() -> new Faults(0));
    }

    /** Lets these faults happen; rules may still be added to them while the cluster runs. */
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

    /** How long simulated pods take to become ready, if workloads are simulated. */
    public Optional<Duration> workloads() {
        return values.workloads;
    }

    /**
     * Simulates the progress of pods, replica sets, deployments and jobs: pods become Running and Ready after this time
     * on the cluster's clock, those of jobs complete after the same time again. Off by default: then nothing happens to
     * them, as in a cluster without nodes and controllers.
     */
    public Options workloads(Duration readyAfter) {
        return with(copy -> copy.workloads = Optional.of(readyAfter));
    }

    /** Whether namespaces get the ConfigMap {@code kube-root-ca.crt}. */
    public boolean rootCertificate() {
        return values.rootCertificate;
    }

    /**
     * Gives each namespace the ConfigMap {@code kube-root-ca.crt}, or not. Off by default, as it is without the
     * controllers of a real cluster; the service account {@code default} is always there.
     */
    public Options rootCertificate(boolean on) {
        return with(copy -> copy.rootCertificate = on);
    }

    /** Whether watches may ask for initial events: the WatchList feature, off in v1.33. */
    public boolean watchList() {
        return values.watchList;
    }

    /** Allows watches with initial events, or not. */
    public Options watchList(boolean allowed) {
        return with(copy -> copy.watchList = allowed);
    }

    /** Whether requests need credentials; without, everybody is the administrator. */
    public boolean authentication() {
        return values.authentication;
    }

    /** Asks for credentials, or not. */
    public Options authentication(boolean required) {
        return with(copy -> copy.authentication = required);
    }

    /** Whether RBAC decides who may do what; implies authentication. */
    public boolean rbac() {
        return values.rbac;
    }

    /** Switches RBAC on or off. */
    public Options rbac(boolean on) {
        return with(copy -> {
            copy.rbac = on;
            copy.authentication = on || copy.authentication;
        });
    }

    /** Who calls webhooks. */
    public WebhookCaller webhookCaller() {
        return values.webhookCaller.orElseGet(HttpWebhookCaller::new);
    }

    /** Another caller, such as that of a simulation. */
    public Options webhookCaller(WebhookCaller caller) {
        return with(copy -> copy.webhookCaller = Optional.of(caller));
    }

    /** Where the services of webhooks are reached. */
    public WebhookServices webhookServices() {
        return values.webhookServices;
    }

    /** Reaches the services of webhooks there. */
    public Options webhookServices(WebhookServices services) {
        return with(copy -> copy.webhookServices = services);
    }
}
