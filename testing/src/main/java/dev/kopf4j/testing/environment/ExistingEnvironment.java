package dev.kopf4j.testing.environment;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.orchestration.WatchPlan;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.recording.Recording;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * A namespace of a cluster that exists, in real time; it is deleted in the end. Nothing outside of it is changed, but
 * for definitions that are missing, and what concerns the whole cluster is refused. Thread-safe.
 */
public final class ExistingEnvironment implements TestEnvironment {
    /** Where the cluster is: {@code current} for that of the machine, or a kubeconfig file. */
    public static final String PROPERTY = "kopf4j.test.cluster";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CURRENT = "current";

    private final RealTime realTime = new RealTime();
    private final Recording recording = realTime.recording();
    private final Optional<Path> kubeconfig;
    private final String namespace;
    private final KubernetesClient client;
    private final EventFollower events;
    private final List<OperatorSettings> settings = new CopyOnWriteArrayList<>();
    private final Set<Resource> handled = ConcurrentHashMap.newKeySet();
    private final HeldObjects held;

    /** A new namespace in the cluster that the property names. */
    public ExistingEnvironment(String where) {
        this.kubeconfig = where.equals(CURRENT) ? Optional.empty() : Optional.of(Path.of(where));
        byte[] suffix = new byte[4];
        realTime.platform().random().nextBytes(suffix);
        this.namespace = "kopf4j-test-" + HexFormat.of().formatHex(suffix);
        Config config = kubeconfig
                .map(file -> Config.fromKubeconfig(file.toFile()))
                .orElseGet(() -> Config.autoConfigure(null));
        this.client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config).withNamespace(namespace).build())
                .build();
        this.events = new EventFollower(client, recording);
        this.held = new HeldObjects(client, realTime.platform(), namespace, this::handled, this::finalizers);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    @Override
    public Platform platform() {
        return realTime.platform();
    }

    @Override
    public Recording recording() {
        return recording;
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public Optional<TestClock> clock() {
        return Optional.empty();
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    /** The operator sees the test's namespace only, whatever its builder says. */
    @Override
    public Operator assemble(OperatorBuilder builder) {
        OperatorPlan plan = confined(OperatorPlan.of(builder));
        requireConfinable(plan);
        settings.add(plan.settings());
        events.follow(namespace);
        return realTime.assemble(plan);
    }

    private OperatorPlan confined(OperatorPlan plan) {
        plan.settings().leaderElection().leaseNamespace(namespace);
        return new OperatorPlan(
                plan.registrations(),
                plan.settings(),
                new OperatorPlan.Scope(List.of(new NamespacePattern(namespace)), false),
                new OperatorPlan.Login(kubeconfig.orElse(null), null, null),
                plan.course(),
                plan.memo(),
                plan.reports());
    }

    private void requireConfinable(OperatorPlan plan) {
        ClusterSurvey survey = ClusterSurvey.of(plan, realTime.platform());
        if (survey.registry().hasWebhooks()) {
            throw refused("webhooks and conversions, which concern the whole cluster, are tested");
        }
        Set<Resource> watched = watched(survey);
        String unconfined = watched.stream()
                .filter(resource -> !resource.namespaced())
                .map(Resource::toString)
                .collect(Collectors.joining(", "));
        if (!unconfined.isEmpty()) {
            throw refused(
                    "cluster-scoped resources, which are in no namespace of a test (" + unconfined + "), are handled");
        }
        handled.addAll(watched);
    }

    private static Set<Resource> watched(ClusterSurvey survey) {
        try {
            return survey.look(found -> survey.watchPlan().streams(found.served(), found.namespaces()).stream()
                    .map(WatchPlan.PlannedStream::resource)
                    .collect(Collectors.toSet()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the test was interrupted", e);
        }
    }

    /** Those that were there when an operator started, and those that came later. */
    private Set<Resource> handled() {
        recording.look(() -> recording.objects().watched()).forEach(each -> handled.add(each.resource()));
        return Set.copyOf(handled);
    }

    /** As the settings are now: handlers of the start may have changed them. */
    private List<Finalizer> finalizers() {
        return settings.stream()
                .map(each -> new Finalizer(each.persistence().finalizer()))
                .distinct()
                .toList();
    }

    @Override
    public void kill() {
        throw RealTime.cannotBeKilled();
    }

    @Override
    public TestCluster cluster() {
        return new Namespace();
    }

    @Override
    public void requireRecordedRequests() {
        throw refused("requests, and the states that they leave, are recorded");
    }

    /** Why something cannot be done on a cluster that exists. */
    public static UnsupportedOperationException refused(String what) {
        return new UnsupportedOperationException(
                what + " by the dev cluster only, and this test runs on a cluster that exists; disable it there,"
                        + " such as by @DisabledIfSystemProperty(named = \"" + PROPERTY + "\", matches = \".+\")");
    }

    private final class Namespace implements TestCluster {
        @Override
        public String namespace() {
            return namespace;
        }

        @Override
        public void apply(String manifests) {
            List<HasMetadata> objects = client.load(
                            new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                    .items();
            objects.forEach(this::provideDefinition);
            objects.stream()
                    .filter(object -> !(object instanceof CustomResourceDefinition))
                    .forEach(this::apply);
        }

        private void provideDefinition(HasMetadata object) {
            if (object instanceof CustomResourceDefinition definition) {
                new ExistingDefinitions(client, PATIENCE).provide(definition);
            }
        }

        private void apply(HasMetadata object) {
            requireOwn(object);
            client.resource(object).forceConflicts().serverSideApply();
        }

        private void requireOwn(HasMetadata object) {
            String wanted = object.getMetadata().getNamespace();
            if (wanted != null && !wanted.equals(namespace)) {
                throw refused(words(object) + ", which is to be in the namespace '" + wanted
                        + "' and not in the test's own (name none to have it there), is applied");
            }
            if (isClusterScoped(object)) {
                throw refused(words(object) + ", which is in no namespace, is applied");
            }
        }

        private boolean isClusterScoped(HasMetadata object) {
            APIResourceList served = client.getApiResources(object.getApiVersion());
            return served != null
                    && served.getResources().stream()
                            .filter(each -> each.getKind().equals(object.getKind())
                                    && !each.getName().contains("/"))
                            .anyMatch(each -> !each.getNamespaced());
        }

        private static String words(HasMetadata object) {
            return object.getKind() + " " + object.getMetadata().getName();
        }

        @Override
        public Faults faults() {
            throw refused("faults are injected");
        }

        @Override
        public void compact() {
            throw refused("old versions are forgotten");
        }

        @Override
        public ApiResponse handle(ApiRequest request) {
            throw refused("requests are answered without a socket");
        }
    }

    @Override
    public void release(Duration timeout) {
        try {
            held.delete(recording::hasEnded, timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        events.close();
        try (client) {
            try {
                held.free();
            } finally {
                client.namespaces().withName(namespace).delete();
            }
        }
    }
}
