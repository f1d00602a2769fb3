package dev.kopf4j.engine.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is explained is what an operator does: tests {@link WatchExplainer} beside an operator of the same handlers. */
class WatchExplainerTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, true);
    private final Set<String> watched = new TreeSet<>();

    private static OperatorBuilder handlers(OperatorBuilder builder) {
        return builder.onCreate("kopfexamples", "make", context -> null)
                .onEvent("kopfexamples", "seen", context -> null)
                .onEvent("nothings", "unserved", context -> null)
                .onIndex("kopfexamples.v1.kopf.dev", "names", context -> java.util.Map.of("x", "y"));
    }

    private List<ExplainedWatch> explained() {
        OperatorBuilder builder = handlers(Operator.builder()).clusterwide();
        WatchExplainer explainer = new WatchExplainer(
                OperatorPlan.of(builder),
                new OperatorEnvironment(platform, new FakeClusterAccess(server.transport(platform))));
        List<ExplainedWatch> explained = new ArrayList<>();
        platform.spawn("explains", () -> {
            try {
                explained.addAll(explainer.resolved());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofSeconds(1));
        return explained;
    }

    private void run() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) {
                if (request.isWatch()) {
                    watched.add(request.path().replaceAll("\\?.*", ""));
                }
            }
        });
        try (OperatorHandle operator = SimulatedOperator.start(platform, server, WatchExplainerTest::handlers)) {
            platform.runFor(Duration.ofSeconds(2));
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    @Test
    @Tag("M66")
    void explainsTheStreamsThatTheOperatorRuns() {
        run();
        assertThat(watched)
                .containsExactly(
                        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/apis/kopf.dev/v1/kopfexamples");
        assertThat(explained().stream().filter(each -> !each.content().isEmpty()))
                .extracting(ExplainedWatch::title)
                .containsExactlyInAnyOrder(
                        "customresourcedefinitions.v1.apiextensions.k8s.io cluster-wide",
                        "kopfexamples.v1.kopf.dev cluster-wide");
    }

    @Test
    @Tag("M66")
    void namesEachHandlerAndTheRightsThatTheyNeedTogether() {
        assertThat(explained().getFirst())
                .isEqualTo(new ExplainedWatch(
                        "kopfexamples.v1.kopf.dev cluster-wide",
                        "all objects, whole",
                        List.of("@OnCreate 'make'", "@OnEvent 'seen'", "@OnIndex 'names'"),
                        List.of(
                                "list, watch, patch of kopfexamples in the API group kopf.dev",
                                "patch of kopfexamples/status in the API group kopf.dev")));
    }
}
