package dev.kopf4j.cli.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.cli.operation.ObjectRequests.Answer;
import dev.kopf4j.cli.operation.ObjectRequests.Asked;
import dev.kopf4j.cli.operation.ObjectRequests.PauseRequest;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.virtual.SimulatedCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link ObjectRequests} in virtual time. */
class ObjectRequestsTest {
    private final SimulatedPlatform world = new SimulatedPlatform(1, Instant.EPOCH);
    private final SimulatedCluster cluster = new SimulatedCluster(world, Options.defaults());

    @Test
    @Tag("Q01")
    void theTimeoutIsForAllObjectsTogether() throws InterruptedException {
        List<String> names =
                IntStream.rangeClosed(1, 8).mapToObj(i -> "configmaps/w" + i).toList();
        for (String name : names) {
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: "
                    + name.substring("configmaps/".length()) + "}}");
        }
        OperatorEnvironment environment = cluster.environment(
                world.machine("client"),
                UnaryOperator.identity(),
                cluster.network(),
                cluster.adminToken(),
                OperatorTrace.NONE);
        OperatorPlan plan = OperatorPlan.of(Operator.builder()
                .onEvent("configmaps", "seen", context -> null)
                .clusterwide());
        Duration taken = ClusterSurvey.of(plan, environment).look(found -> {
            ObjectRequests requests = new ObjectRequests(environment.platform(), found.api());
            PauseRequest pause = new PauseRequest(new Interventions(true, true, "kopf.zalando.org"), Pause.HANDLERS);
            List<Asked> asked = new ArrayList<>();
            for (NamedObject each : requests.find(names, "default", null, false)) {
                asked.add(requests.ask(each, pause));
            }
            long begun = world.nanos();
            assertThat(requests.await(asked, Duration.ofSeconds(30), (_, _) -> {}))
                    .isEqualTo(Collections.nCopies(8, Answer.LATE));
            return Duration.ofNanos(world.nanos() - begun);
        });
        assertThat(taken).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(35)); // 240 one by one
    }
}
