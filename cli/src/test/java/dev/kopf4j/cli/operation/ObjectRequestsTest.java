package dev.kopf4j.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.cli.operation.ObjectRequests.Answer;
import dev.kopf4j.cli.operation.ObjectRequests.Asked;
import dev.kopf4j.cli.operation.ObjectRequests.PauseRequest;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.virtual.SimulatedCluster;
import dev.kopf4j.virtual.SimulatedNetwork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link ObjectRequests} in virtual time. */
class ObjectRequestsTest {
    private final SimulatedPlatform world = new SimulatedPlatform(1, Instant.EPOCH);
    private final SimulatedCluster cluster = new SimulatedCluster(world, Options.defaults());
    private static final PauseRequest PAUSE =
            new PauseRequest(new Interventions(true, true, "kopf.zalando.org"), Pause.HANDLERS);
    /** How long each request about objects takes. */
    private Duration latency = Duration.ZERO;

    private interface Use<T> {
        T of(ObjectRequests requests) throws InterruptedException;
    }

    private <T> T look(Use<T> use) throws InterruptedException {
        SimulatedNetwork network = (client, request) -> {
            if (request.path().contains("/namespaces/default/")) {
                client.sleep(latency);
            }
            return cluster.network().exchange(client, request);
        };
        OperatorEnvironment environment = cluster.environment(
                world.machine("client"), UnaryOperator.identity(), network, cluster.adminToken(), OperatorTrace.NONE);
        OperatorPlan plan = OperatorPlan.of(Operator.builder()
                .onEvent("configmaps", "seen", context -> null)
                .clusterwide());
        return ClusterSurvey.of(plan, environment)
                .look(found -> use.of(new ObjectRequests(environment.platform(), found.api())));
    }

    private void delete(String name) {
        var _ = cluster.server()
                .handle(ApiRequest.of(
                        "DELETE",
                        "/api/v1/namespaces/default/configmaps/" + name,
                        Map.of("Authorization", "Bearer " + cluster.adminToken()),
                        new byte[0]));
    }

    @Test
    @Tag("Q01")
    void theTimeoutIsForAllObjectsTogether() throws InterruptedException {
        List<String> names =
                IntStream.rangeClosed(1, 8).mapToObj(i -> "configmaps/w" + i).toList();
        for (String name : names) {
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: "
                    + name.substring("configmaps/".length()) + "}}");
        }
        Duration taken = look(requests -> {
            List<Asked> asked = requests.ask(requests.find(names, "default", null, false, PAUSE), (_, _) -> {});
            long begun = world.nanos();
            assertThat(requests.await(asked, Duration.ofSeconds(30), (_, _) -> {}))
                    .isEqualTo(Collections.nCopies(8, Answer.LATE));
            return Duration.ofNanos(world.nanos() - begun);
        });
        assertThat(taken).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(35)); // 240 one by one
    }

    /** It is the emergency brake: twenty thousand objects must not take minutes. */
    @Test
    @Tag("Q01")
    void whatWasListedIsAskedAboutWithoutReadingItSeveralAtATime() throws InterruptedException {
        for (int i = 0; i < 80; i++) {
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, labels: {a: b}, name: w" + i
                    + "}}");
        }
        latency = Duration.ofSeconds(1);
        Duration taken = look(requests -> {
            long begun = world.nanos();
            List<String> told = new ArrayList<>();
            List<Asked> asked = requests.ask(
                    requests.find(List.of("configmaps"), "default", "a=b", false, PAUSE),
                    (object, refusal) -> told.add(object.name() + refusal));
            assertThat(asked).hasSize(80);
            assertThat(told).hasSize(80).contains("w0null");
            return Duration.ofNanos(world.nanos() - begun);
        });
        assertThat(taken).isBetween(Duration.ofSeconds(11), Duration.ofSeconds(13)); // 161 one by one, each read first
    }

    @Test
    @Tag("Q01")
    void whatWasMadeAnewSinceTheListIsReadAnew() throws InterruptedException {
        String manifest = "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, labels: {a: b}, name: ";
        cluster.apply(manifest + "gone}}");
        cluster.apply(manifest + "other}}");
        List<String> told = new ArrayList<>();
        List<Asked> asked = look(requests -> {
            List<ObjectRequests.AddressedRequest> found =
                    requests.find(List.of("configmaps"), "default", "a=b", false, PAUSE);
            delete("gone");
            delete("other");
            cluster.apply(manifest + "other}}");
            return requests.ask(
                    found,
                    (object, refusal) ->
                            told.add(object.name() + ": " + (refusal == null ? "asked" : refusal.getMessage())));
        });
        assertThat(asked)
                .singleElement()
                .extracting(each -> each.object().name())
                .isEqualTo("other");
        assertThat(told)
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith("gone: ").contains("does not exist"),
                        line -> assertThat(line).isEqualTo("other: asked"));
    }
}
