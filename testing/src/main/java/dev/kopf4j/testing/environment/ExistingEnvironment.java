package dev.kopf4j.testing.environment;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.recording.Recording;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A namespace of a cluster that exists, in real time; it is deleted in the end. Thread-safe. */
public final class ExistingEnvironment implements TestEnvironment {
    /** Where the cluster is: {@code current} for that of the machine, or a kubeconfig file. */
    public static final String PROPERTY = "kopf4j.test.cluster";

    private static final Logger log = LoggerFactory.getLogger("kopf4j.testing");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CURRENT = "current";

    private final RealTime realTime = new RealTime();
    private final Recording recording = realTime.recording();
    private final Optional<Path> kubeconfig;
    private final String namespace;
    private final KubernetesClient client;
    private final EventFollower events;

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

    @Override
    public Operator assemble(OperatorBuilder builder) {
        events.follow(namespace);
        kubeconfig.ifPresent(builder::kubeconfig);
        if (OperatorPlan.of(builder).scope().clusterwide()) {
            throw new UnsupportedOperationException("the operator of this test watches the whole cluster"
                    + " (clusterwide(), -A), and this one exists: it would handle the objects of others. Let it name no"
                    + " scope: then it has the namespace of the test here, and the whole dev cluster elsewhere");
        }
        if (OperatorPlan.of(builder).namespaces().isEmpty()) {
            builder.namespaces(namespace);
        }
        return realTime.assemble(builder);
    }

    @Override
    public void kill() {
        throw RealTime.cannotBeKilled();
    }

    @Override
    public TestCluster cluster() {
        return new Namespace();
    }

    private final class Namespace implements TestCluster {
        @Override
        public String namespace() {
            return namespace;
        }

        @Override
        public void apply(String manifests) {
            client.load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                    .items()
                    .forEach(this::apply);
        }

        private void apply(HasMetadata object) {
            if (object instanceof CustomResourceDefinition definition && isThere(definition)) {
                return;
            }
            HasMetadata applied = client.resource(object).forceConflicts().serverSideApply();
            if (applied instanceof CustomResourceDefinition definition) {
                client.resource(definition)
                        .waitUntilCondition(
                                known -> known != null
                                        && known.getStatus() != null
                                        && known.getStatus().getConditions().stream()
                                                .anyMatch(each -> each.getType().equals("Established")
                                                        && each.getStatus().equals("True")),
                                PATIENCE.toSeconds(),
                                TimeUnit.SECONDS);
            }
        }

        /**
         * True if the cluster has the definition as the test needs it. One that differs belongs to others, and their
         * objects would lose what it does not have.
         */
        private boolean isThere(CustomResourceDefinition definition) {
            CustomResourceDefinition existing = client.resource(definition).get();
            if (existing == null) {
                return false;
            }
            if (!isMadeThatBy(definition, existing)) {
                throw new IllegalStateException("the cluster has a definition "
                        + definition.getMetadata().getName()
                        + " that differs from that of the test, and others may have"
                        + " objects of it: it is left alone. Apply the test's definition yourself if that harms nobody,"
                        + " or run the test on another cluster");
            }
            return true;
        }

        /** What the test would make of it is asked for without a change; what the server refuses differs, too. */
        private boolean isMadeThatBy(CustomResourceDefinition definition, CustomResourceDefinition existing) {
            try {
                return client.resource(definition)
                        .dryRun()
                        .forceConflicts()
                        .serverSideApply()
                        .getSpec()
                        .equals(existing.getSpec());
            } catch (KubernetesClientException e) {
                log.debug("The definition of the test is refused", e);
                return false;
            }
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

        private static UnsupportedOperationException refused(String what) {
            return new UnsupportedOperationException(
                    what + " by the dev cluster only, and this test runs on a cluster that exists; disable it there,"
                            + " such as by @DisabledIfSystemProperty(named = \"" + PROPERTY + "\", matches = \".+\")");
        }
    }

    /** While the operator runs, its finalizers go. */
    @Override
    public void endObjects() {
        client.namespaces().withName(namespace).delete();
        try {
            client.namespaces()
                    .withName(namespace)
                    .waitUntilCondition(Objects::isNull, PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (KubernetesClientTimeoutException e) {
            log.warn(
                    "The namespace {} of the test does not end: finalizers hold objects in it. `kopf4j uninstall --orphan"
                            + " -n {}` takes off those of the operator.",
                    namespace,
                    namespace);
        }
    }

    @Override
    public void close() {
        events.close();
        client.namespaces().withName(namespace).delete();
        client.close();
    }
}
