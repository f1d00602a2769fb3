package dev.kopf4j.engine.admission.server;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.admission.identity.Secrets.ClusterSecrets;
import dev.kopf4j.engine.admission.identity.ServerIdentity;
import dev.kopf4j.engine.admission.server.LocalServerRun.ListeningServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Replicas of one operator in simulated time, whose servers listen to nobody, but tell what they show. */
final class Replicas {
    static final String VALIDATING = "validatingwebhookconfigurations";
    private static final String CONFIGURATION = "auto.kopf.dev";

    final SimulatedPlatform world;
    final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("", "secrets", "Secret", true)
            .serving("coordination.k8s.io", "leases", "Lease", true)
            .serving("admissionregistration.k8s.io", VALIDATING, "ValidatingWebhookConfiguration", false)
            .serving(
                    "admissionregistration.k8s.io",
                    "mutatingwebhookconfigurations",
                    "MutatingWebhookConfiguration",
                    false);
    final List<String> violations = new ArrayList<>();
    private final LocalWebhookServer options;
    private final Map<String, Replica> replicas = new LinkedHashMap<>();
    /** What was read or verified before: each look finds the same ones, thousands of times. */
    private final Map<String, List<X509Certificate>> bundles = new HashMap<>();

    private final Set<List<X509Certificate>> verified = new HashSet<>();
    private TinyCluster.Faults trouble = TinyCluster.Faults.NONE;

    Replicas(long seed, LocalWebhookServer options) {
        this.world = new SimulatedPlatform(seed, Scenario.START);
        this.options = options;
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline)
                    throws java.io.IOException, InterruptedException {
                return trouble.before(client, request, deadline);
            }

            @Override
            public void after(String client, TransportRequest request) {
                if (request.path().contains(VALIDATING)) {
                    check(client + " has sent " + request.method());
                }
            }
        });
    }

    /** What goes wrong from now on. */
    void trouble(TinyCluster.Faults faults) {
        trouble = faults;
    }

    /** One replica. */
    final class Replica implements ListeningServer, MetricsListener {
        final String name;
        final SimulatedPlatform machine;
        final OperatorHandle handle;
        final List<X509Certificate> shown = new ArrayList<>();
        private Supplier<OperatorState> state = () -> OperatorState.STARTING;
        private boolean stopped;

        Replica(String name) {
            this.name = name;
            this.machine = world.machine(name);
            KubernetesApi api = new KubernetesApi(machine, cluster.transport(name, machine), NetworkSettings.DEFAULTS);
            this.handle = SimulatedOperator.start(
                    machine,
                    cluster.transport(name, machine),
                    context -> new LocalServerRun(
                                    machine, new ClusterSecrets(api), options, context, (chosen, identity, same) -> {
                                        show(identity);
                                        return this;
                                    })
                            .run(),
                    builder -> builder.clusterwide()
                            .onValidate(
                                    ResourceSelector.matching(r -> r.group().equals("kopf.dev")),
                                    "check",
                                    context -> null)
                            .metricsListener(this)
                            .settings(s -> s.leaderElection()
                                    .enabled(true) // several, though each leads
                                    .leaseName("lease-of-" + name)
                                    .leaseNamespace("default")
                                    .renewDeadline(Duration.ofSeconds(13)) // written rarely, in days of simulated time
                                    .retryPeriod(Duration.ofSeconds(10)))
                            .settings(s -> s.admission().managed(CONFIGURATION).server(options)));
        }

        @Override
        public void observe(Supplier<OperatorState> observed) {
            state = observed;
        }

        OperatorState state() {
            return state.get();
        }

        boolean isReady() {
            return !stopped
                    && !machine.isKilled()
                    && state().ready()
                    && state().troubles().isEmpty();
        }

        @Override
        public int port() {
            return 9443;
        }

        @Override
        public void show(@Nullable ServerIdentity identity) {
            if (identity != null) {
                shown.add(identity.parts().chain().getFirst());
                check(name + " has another certificate");
            }
        }

        @Override
        public void stop(Duration delay) {
            stopped = true;
        }
    }

    Replica start(String name) {
        Replica replica = new Replica(name);
        replicas.put(name, replica);
        return replica;
    }

    List<Replica> ready() {
        return replicas.values().stream().filter(Replica::isReady).toList();
    }

    /** All that have ever lived. */
    List<Replica> all() {
        return List.copyOf(replicas.values());
    }

    /** The API server trusts, in each webhook, each certificate of each replica that it may call. */
    void check(String event) {
        for (Replica replica : ready()) {
            for (JsonNode webhook : cluster.get(VALIDATING, null, CONFIGURATION).path("webhooks")) {
                String problem = problem(replica.shown.getLast(), webhook);
                if (problem != null) {
                    violations.add(world.now() + ": " + event + ", but " + replica.name + " is refused: " + problem);
                }
            }
        }
    }

    private @Nullable String problem(X509Certificate shown, JsonNode webhook) {
        try {
            for (X509Certificate each : trusted(webhook)) {
                if (each.getSubjectX500Principal().equals(shown.getIssuerX500Principal())) {
                    if (!verified.contains(List.of(shown, each))) {
                        shown.verify(each.getPublicKey());
                        verified.add(List.of(shown, each));
                    }
                    each.checkValidity(java.util.Date.from(world.now()));
                    shown.checkValidity(java.util.Date.from(world.now()));
                    return null;
                }
            }
            return "its authority is not trusted";
        } catch (GeneralSecurityException e) {
            return e.toString();
        }
    }

    /** The authorities of the first webhook. */
    List<X509Certificate> trusted() throws GeneralSecurityException {
        return trusted(cluster.get(VALIDATING, null, CONFIGURATION).at("/webhooks/0"));
    }

    private List<X509Certificate> trusted(JsonNode webhook) throws GeneralSecurityException {
        String bundle = webhook.at("/clientConfig/caBundle").asString("");
        List<X509Certificate> read = bundles.get(bundle);
        if (read == null) {
            read = PemReader.certificates(
                    "bundle", new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII));
            bundles.put(bundle, read);
        }
        return read;
    }

    /** Lets time pass, and looks every ten seconds. */
    void runFor(Duration time) {
        for (long left = time.toSeconds(); left > 0; left -= 10) {
            world.runFor(Duration.ofSeconds(10));
            check("time has passed");
        }
    }
}
