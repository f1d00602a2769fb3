package dev.kopf4j.cli.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is explained is what an operator does: tests {@link WatchExplainer} beside an operator of the same handlers. */
class WatchExplainerTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: kopfexamples.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {kind: KopfExample, plural: kopfexamples, singular: kopfexample}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private final DevCluster cluster = DevCluster.start();

    @TempDir
    private Path folder;

    @BeforeEach
    void write() {
        cluster.apply(DEFINITION);
        cluster.writeKubeconfig(kubeconfig());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    private OperatorBuilder operator() {
        return Operator.builder()
                .kubeconfig(kubeconfig())
                .clusterwide()
                .onCreate("kopfexamples", "make", context -> null)
                .onEvent("kopfexamples", "seen", context -> null)
                .onEvent("nothings", "unserved", context -> null)
                .onIndex("kopfexamples.v1.kopf.dev", "names", context -> Map.of("x", "y"));
    }

    /** Those by which resources and namespaces are found: the operator tells of handlers' streams only. */
    private static boolean isFrameworks(ExplainedWatch watch) {
        return watch.reasons().getFirst().startsWith("the framework finds");
    }

    private List<String> streamsOfTheOperator() throws InterruptedException {
        var state = new AtomicReference<Supplier<OperatorState>>(() -> OperatorState.STARTING);
        OperatorBuilder builder = operator().metricsListener(new MetricsListener() {
            @Override
            public void observe(Supplier<OperatorState> observed) {
                state.set(observed);
            }
        });
        try (OperatorHandle running = builder.build().start()) {
            assertThat(running.awaitReady(Duration.ofSeconds(30))).isTrue();
            return state.get().get().streams().stream().map(StreamState::name).toList();
        }
    }

    @Test
    @Tag("M66")
    void explainsTheStreamsThatTheOperatorRuns() throws InterruptedException {
        assertThat(new WatchExplainer(operator())
                        .resolved().watches().stream()
                                .filter(each -> !each.content().isEmpty() && !isFrameworks(each))
                                .map(ExplainedWatch::title))
                .contains("kopfexamples.v1.kopf.dev cluster-wide")
                .containsExactlyInAnyOrderElementsOf(streamsOfTheOperator());
    }

    @Test
    @Tag("M66")
    void namesWhatTakesTheWebhooksOfAnEarlierVersionAway() throws InterruptedException {
        OperatorBuilder builder = operator()
                .settings(s -> s.admission().managed("auto.example.com").server(WebhookServer.local()));
        assertThat(new WatchExplainer(builder).resolved().watches())
                .filteredOn(each -> each.title().contains("webhookconfigurations"))
                .hasSize(2)
                .allMatch(each -> each.reasons().getFirst().startsWith("webhooks 'auto.example.com'"));
    }

    @Test
    @Tag("M66")
    void namesEachHandlerAndTheRightsThatTheyNeedTogether() throws InterruptedException {
        assertThat(new WatchExplainer(operator()).resolved().watches().getFirst())
                .isEqualTo(new ExplainedWatch(
                        "kopfexamples.v1.kopf.dev cluster-wide",
                        "all objects, whole",
                        List.of("@OnCreate 'make'", "@OnEvent 'seen'", "@OnIndex 'names'"),
                        List.of(
                                "list, watch, patch of kopfexamples in the API group kopf.dev",
                                "patch of kopfexamples/status in the API group kopf.dev")));
    }
}
