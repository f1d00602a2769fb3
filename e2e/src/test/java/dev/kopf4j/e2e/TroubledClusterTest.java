package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.devcluster.Options;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator goes on by itself whatever happens to its cluster: each test harms the cluster, changes something
 * afterwards, and expects that it is handled, and that nothing older is handled again.
 */
class TroubledClusterTest {
    private static final String NAMESPACE = "/api/v1/namespaces/team-a";
    private static final String DEFINITION =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kopfexamples.kopf.dev";
    private static final String ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default/token";

    @TempDir
    private Path folder;

    @AutoClose
    private TestCluster cluster;

    private final List<String> calls = new CopyOnWriteArrayList<>();

    private OperatorHandle operate(Options options, UnaryOperator<OperatorBuilder> scope) throws InterruptedException {
        cluster = TestCluster.start(options);
        return operate(scope);
    }

    private OperatorHandle operate(UnaryOperator<OperatorBuilder> scope) throws InterruptedException {
        OperatorBuilder builder = Operator.builder()
                .settings(settings -> settings.watching().inactivityTimeout(Duration.ofSeconds(1)))
                .onCreate("kopfexamples", "create", context -> calls.add("+" + context.name()))
                .onUpdate("kopfexamples", "update", context -> calls.add("~" + context.name()))
                .onDelete("kopfexamples", "delete", context -> calls.add("-" + context.name()));
        OperatorHandle operator = scope.apply(builder).build().start();
        assertThat(operator.awaitReady(Kopf4j.PATIENCE)).isTrue();
        return operator;
    }

    private UnaryOperator<OperatorBuilder> byKubeconfig() {
        Path kubeconfig = cluster.writeKubeconfig(folder.resolve("kubeconfig"));
        return builder -> builder.clusterwide().kubeconfig(kubeconfig);
    }

    private ConnectionInfo administrator() {
        return ConnectionInfo.builder(cluster.cluster().url())
                .token(cluster.cluster().token())
                .build();
    }

    private static ConditionFactory patiently(String what) {
        return await(what).atMost(Kopf4j.PATIENCE).pollInterval(Duration.ofMillis(10));
    }

    private void awaitHandled(String namespace, String name, String field) {
        patiently(name + " is handled").until(() -> cluster.isHandled(namespace, name, field));
    }

    private void createAndAwait(String namespace, String name) {
        cluster.createExample(namespace, name);
        awaitHandled(namespace, name, "value");
    }

    private void changeAndAwait(String namespace, String name) {
        cluster.changeExample(namespace, name, "changed");
        awaitHandled(namespace, name, "changed");
    }

    /** Nothing is running any more, so nothing can be called any more. */
    private void assertCalls(OperatorHandle operator, String... expected) {
        assertThat(operator.hasEnded()).as("the operator has ended by itself").isFalse();
        operator.close();
        assertThat(calls).containsExactly(expected);
    }

    @Test
    void goesOnWhenTheClusterIsStartedAgain() throws Exception {
        cluster = TestCluster.start(Options.defaults().https(true).data(folder.resolve("data")));
        try (OperatorHandle operator = operate(byKubeconfig())) {
            createAndAwait("default", "a");
            cluster.stop();
            cluster.startAgain();
            changeAndAwait("default", "a");
            createAndAwait("default", "b");
            assertCalls(operator, "+a", "~a", "+b");
        }
    }

    @Test
    void goesOnWhenTheClusterIsStartedAgainWithAnotherTokenAndAnotherAuthority() throws Exception {
        Path data = folder.resolve("data");
        cluster = TestCluster.start(
                Options.defaults().https(true).authentication(true).data(data));
        try (OperatorHandle operator = operate(byKubeconfig())) {
            createAndAwait("default", "a");
            String before = cluster.cluster().kubeconfig();
            cluster.stop();
            Files.delete(data.resolve("token"));
            Files.delete(data.resolve("authority.pem"));
            cluster.startAgain();
            assertThat(cluster.cluster().kubeconfig()).isNotEqualTo(before);
            cluster.writeKubeconfig(folder.resolve("kubeconfig"));
            changeAndAwait("default", "a");
            createAndAwait("default", "b");
            assertCalls(operator, "+a", "~a", "+b");
        }
    }

    @Test
    void logsInAgainWheneverItsTokenIsRotated() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        try (OperatorHandle operator = operate(
                Options.defaults().authentication(true),
                builder -> builder.clusterwide().onLogin("login", context -> {
                    logins.incrementAndGet();
                    return ConnectionInfo.builder(cluster.cluster().url())
                            .token(tokenForAnHour())
                            .build();
                }))) {
            createAndAwait("default", "a");
            assertThat(logins).hasValue(1);
            for (String name : List.of("b", "c", "d")) {
                Duration later = cluster.cluster().faults().clockOffset().plusHours(2);
                cluster.cluster().faults().clockOffset(later);
                createAndAwait("default", name);
            }
            assertThat(logins).hasValue(4);
            assertCalls(operator, "+a", "+b", "+c", "+d");
        }
    }

    @Test
    @Tag("G13")
    void theClientOfHandlersGetsTheNewTokenToo() throws Exception {
        List<String> answers = new CopyOnWriteArrayList<>();
        try (OperatorHandle operator = operate(
                Options.defaults().authentication(true),
                builder -> builder.clusterwide()
                        .onLogin(
                                "login",
                                context -> ConnectionInfo.builder(
                                                cluster.cluster().url())
                                        .token(tokenForAnHour())
                                        .build())
                        .onCreate("kopfexamples", "client", context -> {
                            KubernetesClient client = context.service(KubernetesClient.class);
                            return answers.add(context.name() + " "
                                    + client.namespaces()
                                            .withName("default")
                                            .get()
                                            .getMetadata()
                                            .getName());
                        }))) {
            createAndAwait("default", "a");
            for (String name : List.of("b", "c")) {
                Duration later = cluster.cluster().faults().clockOffset().plusHours(2);
                cluster.cluster().faults().clockOffset(later);
                createAndAwait("default", name);
            }
            assertThat(answers).containsExactly("a default", "b default", "c default");
            assertCalls(operator, "+a", "+b", "+c");
        }
    }

    private String tokenForAnHour() {
        return cluster.send("POST", ACCOUNT, "{\"spec\":{\"expirationSeconds\":3600}}")
                .at("/status/token")
                .asString();
    }

    @Test
    @Tag("B08")
    void replacesWatchesThatAreCutSilently() throws Exception {
        try (OperatorHandle operator =
                operate(Options.defaults(), builder -> builder.clusterwide().connection(administrator()))) {
            createAndAwait("default", "a");
            cluster.cluster().faults().add("x1 WATCH /apis/kopf.dev/v1/kopfexamples silence");
            patiently("the next watch is silent")
                    .until(() -> cluster.cluster().faults().rules().isEmpty());
            changeAndAwait("default", "a");
            createAndAwait("default", "b");
            assertCalls(operator, "+a", "~a", "+b");
        }
    }

    @Test
    @Tag("A24")
    void servesANamespaceToItsEndAndAgainWhenItComesBack() throws Exception {
        try (OperatorHandle operator = operate(
                Options.defaults(), builder -> builder.namespaces("team-*").connection(administrator()))) {
            cluster.createNamespace("team-a");
            createAndAwait("team-a", "a");
            cluster.delete(NAMESPACE);
            patiently("the namespace is gone").until(() -> cluster.isGone(NAMESPACE));
            cluster.createNamespace("team-a");
            createAndAwait("team-a", "a");
            changeAndAwait("team-a", "a");
            assertCalls(operator, "+a", "-a", "+a", "~a");
        }
    }

    @Test
    @Tag("A18")
    void servesADefinitionToItsEndAndAgainWhenItComesBack() throws Exception {
        try (OperatorHandle operator =
                operate(Options.defaults(), builder -> builder.clusterwide().connection(administrator()))) {
            createAndAwait("default", "a");
            cluster.delete(DEFINITION);
            patiently("the definition is gone").until(() -> cluster.isGone(DEFINITION));
            cluster.define();
            createAndAwait("default", "a");
            changeAndAwait("default", "a");
            assertCalls(operator, "+a", "-a", "+a", "~a");
        }
    }

    /** The server shows fewer verbs of a definition that is being deleted, but goes on to take PATCHes. */
    @Test
    @Tag("A18")
    void finishesTheObjectsOfADefinitionThatIsBeingDeletedAlsoAfterARestart() throws Exception {
        cluster = TestCluster.start(Options.defaults());
        List<String> names =
                IntStream.range(0, 20).mapToObj(number -> "a" + number).toList();
        AtomicBoolean released = new AtomicBoolean();
        try (OperatorHandle operator = operate(builder -> deletingWhen(released, builder))) {
            names.forEach(name -> createAndAwait("default", name));
            cluster.delete(DEFINITION);
            patiently("all have been tried").until(() -> calls.containsAll(attemptsOf(names)));
            assertThat(operator.hasEnded()).isFalse();
        }
        released.set(true);
        try (OperatorHandle operator = operate(builder -> deletingWhen(released, builder))) {
            patiently("the definition is gone").until(() -> cluster.isGone(DEFINITION));
            assertThat(operator.hasEnded()).isFalse();
        }
        assertThat(calls).filteredOn(call -> call.startsWith("-")).hasSize(names.size());
    }

    private static List<String> attemptsOf(List<String> names) {
        return names.stream().map(name -> "?" + name).toList();
    }

    private OperatorBuilder deletingWhen(AtomicBoolean released, OperatorBuilder builder) {
        return builder.clusterwide().connection(administrator()).onDelete("kopfexamples", "slow", context -> {
            if (!released.get()) {
                calls.add("?" + context.name());
                throw new TemporaryException("not yet", Duration.ofSeconds(1));
            }
            return null;
        });
    }
}
