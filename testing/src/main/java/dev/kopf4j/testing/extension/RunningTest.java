package dev.kopf4j.testing.extension;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.testing.DevClusterOptions;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.environment.DevEnvironment;
import dev.kopf4j.testing.environment.ExistingEnvironment;
import dev.kopf4j.testing.environment.RunningOperator;
import dev.kopf4j.testing.environment.ServiceAccountLogin;
import dev.kopf4j.testing.environment.TestEnvironment;
import dev.kopf4j.testing.environment.VirtualEnvironment;
import dev.kopf4j.text.DurationText;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The cluster and the operator of one test. Confined to its thread. */
final class RunningTest {
    private static final Set<Class<?>> OFFERED = Set.of(
            TestedOperator.class,
            OperatorHandle.class,
            KubernetesClient.class,
            TestCluster.class,
            DevCluster.class,
            TestClock.class);

    private final KopfTest options;
    private final OperatorFactory factory;
    private final TestEnvironment environment;
    private final Duration timeout;
    private final RunningOperator operator;
    private final Verdict verdict;

    private RunningTest(
            KopfTest options, OperatorFactory factory, TestEnvironment environment, Optional<Duration> timeout) {
        this.options = options;
        this.factory = factory;
        this.environment = environment;
        this.timeout = timeout.orElseGet(environment::patience);
        this.operator = new RunningOperator(environment, factory::builder, this.timeout);
        this.verdict =
                new Verdict(environment.recording(), !options.serviceAccount().isEmpty());
    }

    /** Refuses what makes no sense before it makes a cluster or a namespace, which nobody would end. */
    static RunningTest prepare(KopfTest options, Optional<DevClusterOptions> cluster, Class<?> owner) {
        OperatorFactory factory = new OperatorFactory(
                List.of(options.value()), options.builder(), List.of(options.run()), List.of(options.apply()), owner);
        Optional<Duration> timeout =
                Optional.of(options.timeout()).filter(text -> !text.isEmpty()).map(DurationText::parse);
        return new RunningTest(options, factory, environment(options, cluster), timeout);
    }

    private static TestEnvironment environment(KopfTest options, Optional<DevClusterOptions> cluster) {
        String existing = System.getProperty(ExistingEnvironment.PROPERTY, "");
        long seed = cluster.map(DevClusterOptions::seed).orElse(0L);
        Optional<ServiceAccountLogin> login = options.serviceAccount().isEmpty()
                ? Optional.empty()
                : Optional.of(ServiceAccountLogin.parse(options.serviceAccount()));
        Options devCluster = options(cluster, seed, login.isPresent());
        if (options.time() == TestTime.VIRTUAL) {
            return new VirtualEnvironment(seed, devCluster, login);
        }
        return existing.isEmpty() ? new DevEnvironment(devCluster, login) : existing(existing, options, cluster);
    }

    /** What would show nothing there is refused before anything is made. */
    private static TestEnvironment existing(String where, KopfTest options, Optional<DevClusterOptions> cluster) {
        if (!options.serviceAccount().isEmpty()) {
            throw ExistingEnvironment.refused("operators log in as a service account");
        }
        if (cluster.map(DevClusterOptions::faults).orElse(new String[0]).length > 0) {
            throw ExistingEnvironment.refused("faults are injected");
        }
        return new ExistingEnvironment(where);
    }

    private static Options options(Optional<DevClusterOptions> cluster, long seed, boolean login) {
        Options options = Options.defaults()
                .growingClaims(true)
                .rbac(login || cluster.map(DevClusterOptions::rbac).orElse(false));
        Faults faults = new Faults(seed);
        if (cluster.isPresent()) {
            List.of(cluster.get().faults()).forEach(faults::add);
            String workloads = cluster.get().workloads();
            options = workloads.isEmpty() ? options : options.workloads(DurationText.parse(workloads));
        }
        return options.faults(faults);
    }

    /** Applies what the operator needs, and starts it. */
    void begin() {
        factory.definitions().forEach(environment.cluster()::apply);
        if (options.start()) {
            operator.restart();
        }
    }

    static boolean offers(Class<?> type) {
        return OFFERED.contains(type);
    }

    Object value(Class<?> type) {
        if (type.equals(KubernetesClient.class)) {
            return environment.client();
        }
        if (type.equals(TestCluster.class)) {
            return environment.cluster();
        }
        if (type.equals(TestClock.class)) {
            return environment
                    .clock()
                    .orElseThrow(() -> new ExtensionConfigurationException(
                            "a TestClock needs @KopfTest(time = TestTime.VIRTUAL)"));
        }
        if (type.equals(DevCluster.class)) {
            return environment instanceof DevEnvironment dev ? dev.devCluster() : refusedDevCluster();
        }
        return operator;
    }

    private static Object refusedDevCluster() {
        throw new ExtensionConfigurationException("a DevCluster has sockets, and is there only in real time, and not on"
                + " a cluster that exists; take a TestCluster");
    }

    /** Adds to a failure what has happened. */
    void explain(Throwable failure) {
        verdict.explain(failure);
    }

    private void stop() {
        try (environment) {
            try {
                environment.release(timeout);
            } finally {
                operator.close();
            }
        }
    }

    /** Stops everything; fails if the operator has failed, and the test has not. */
    void end(boolean testFailed) {
        List<String> misuse = environment.misuse();
        boolean failedBefore = environment.recording().failure().isPresent();
        try {
            stop();
        } catch (IllegalStateException e) {
            if (!testFailed) { // else a simulation that cannot go on has failed the test already, with the same words
                throw e;
            }
        }
        if (!testFailed && !misuse.isEmpty()) {
            throw new AssertionError(
                    String.join("\n", misuse) + "\n" + environment.recording().story());
        }
        if (!testFailed && options.reraise()) {
            verdict.check(failedBefore);
        }
    }
}
