package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.console.RecentFigures.Durations;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class RecentFiguresTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final RecentFigures figures = new RecentFigures(world);

    private void request(int status) {
        Resource pods = new Resource(
                "",
                "v1",
                new Resource.Names("pods", "Pod", "pod", Set.of(), Set.of()),
                Set.of(),
                true,
                true,
                Set.of("list"));
        figures.happened(new OperatorStep.RequestEnded(
                RequestDescription.ofCollection("list", pods, null),
                TransportRequest.get("/api/v1/pods"),
                status,
                Duration.ofMillis(10)));
    }

    private ObjectNode told() {
        ObjectNode told = Json.object();
        figures.tell(told);
        return told;
    }

    @Test
    void percentilesAreRightToAFifth() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Durations durations = new Durations();
            List<Double> millis = new ArrayList<>();
            for (int each = 0; each < 1 + random.nextInt(300); each++) {
                double took = 0.05 * Math.pow(10, random.nextDouble() * 6);
                millis.add(took);
                durations.add(Duration.ofNanos((long) (took * 1e6)));
            }
            millis.sort(null);
            for (int percent : new int[] {50, 95, 100}) {
                double exact = millis.get((millis.size() * percent + 99) / 100 - 1);
                BigDecimal told = Objects.requireNonNull(durations.percentile(percent));
                assertThat(told.doubleValue()).as("seed %s", seed).isBetween(exact / 1.2, exact * 1.2);
            }
        }
        assertThat(new Durations().percentile(50)).isNull();
    }

    @Test
    void countsInStepsOfTwoSecondsAndForgetsWhatIsOlderThanFiveMinutes() {
        request(200);
        request(409);
        world.runFor(Duration.ofSeconds(2));
        ArrayNode requests = (ArrayNode) told().path("requests");
        assertThat(requests).hasSize(150);
        assertThat(requests.get(149).asInt()).isEqualTo(2);
        assertThat(told().path("refused").get(149).asInt()).isEqualTo(1);
        assertThat(told().path("requestHigh").get(149).asDouble()).isBetween(8.0, 12.0);
        assertThat(told().path("callHigh").get(149).isNull()).isTrue();
        world.runFor(Duration.ofSeconds(298));
        assertThat(told().path("requests").get(0).asInt()).isEqualTo(2);
        world.runFor(Duration.ofSeconds(2));
        assertThat(told().path("requests").values()).allMatch(each -> each.asInt() == 0);
    }

    @Test
    void aRightIsMissingUntilTheServerGrantsIt() {
        request(403);
        request(403);
        ArrayNode missing = Json.object().putArray("rights");
        figures.tellMissingRights(missing);
        assertThat(missing).hasSize(1);
        assertThat(missing.get(0).path("right").asString("")).isEqualTo("list pods in all namespaces");
        assertThat(missing.get(0).path("count").asInt()).isEqualTo(2);
        request(200);
        ArrayNode none = Json.object().putArray("rights");
        figures.tellMissingRights(none);
        assertThat(none).isEmpty();
    }
}
