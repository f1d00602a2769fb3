package dev.kopf4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTest {
    private static final Resource PODS = resource("");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

    private static Resource resource(String group) {
        return new Resource(
                group,
                "v1",
                new Resource.Names("pods", "Pod", "pod", Set.of(), Set.of()),
                Set.of(),
                true,
                true,
                Set.of());
    }

    @Test
    void kindsOfOneNameAreToldApartByTheirGroups() {
        for (Resource each : List.of(PODS, resource("example.com"))) {
            metrics.handlerEnded(new HandlerCall(
                    "make", HandlerKind.CREATE, each, HandlerCall.Outcome.ERROR, 2, Duration.ofMillis(30)));
            metrics.processingBegan(each, Duration.ofMillis(5));
            metrics.objectUnreadable(each);
            metrics.handlingPaused(each, true);
        }
        for (String name : List.of(
                "kopf4j.handler",
                "kopf4j.handler.retries",
                "kopf4j.event.wait",
                "kopf4j.unreadable.objects",
                "kopf4j.object.pauses")) {
            assertThat(registry.get(name).tag("resource", "pods").meters())
                    .as(name)
                    .extracting(meter -> meter.getId().getTag("group"))
                    .containsExactlyInAnyOrder("", "example.com");
        }
    }

    @Test
    void countsAndMeasuresCallsAndRequests() {
        metrics.handlerEnded(
                new HandlerCall("make", HandlerKind.CREATE, PODS, HandlerCall.Outcome.ERROR, 2, Duration.ofMillis(30)));
        metrics.processingBegan(PODS, Duration.ofMillis(5));
        metrics.requestEnded("PATCH", 409, Duration.ofMillis(7));
        assertThat(registry.get("kopf4j.handler")
                        .tag("outcome", "error")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
        assertThat(registry.get("kopf4j.handler.retries")
                        .tag("handler", "make")
                        .counter()
                        .count())
                .isEqualTo(1);
        metrics.objectUnreadable(PODS);
        assertThat(registry.get("kopf4j.unreadable.objects")
                        .tag("resource", "pods")
                        .counter()
                        .count())
                .isEqualTo(1);
        metrics.handlingPaused(PODS, true);
        assertThat(registry.get("kopf4j.object.pauses")
                        .tags("resource", "pods", "transition", "paused")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("kopf4j.event.wait")
                        .tag("resource", "pods")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("kopf4j.api.request")
                        .tags("verb", "PATCH", "code", "409")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void gaugesAreThoseOfTheRunThatWasStartedLast() {
        metrics.observe(() -> OperatorState.STARTING);
        metrics.observe(() -> new OperatorState(true, List.of(), List.of(), List.of()));
        assertThat(registry.get("kopf4j.ready").gauge().value()).isEqualTo(1);
    }

    /** Each operator that an application builds has a listener of its own. */
    @Test
    void gaugesAreThoseOfTheOperatorThatWasStartedLast() {
        CompositeMeterRegistry composite = new CompositeMeterRegistry(Clock.SYSTEM, List.of(registry));
        for (MeterRegistry each : List.of(registry, composite)) {
            each.config().commonTags("application", "shop");
            new MicrometerMetrics(each).observe(() -> OperatorState.STARTING);
            new MicrometerMetrics(each).observe(() -> new OperatorState(true, List.of(), List.of(), List.of()));
            assertThat(registry.get("kopf4j.ready").gauge().value()).isEqualTo(1);
            registry.clear();
        }
    }

    @Test
    void severalOperatorsAreToldApartByTags() {
        List<String> names = List.of("one", "two");
        for (String name : names) {
            MicrometerMetrics own = new MicrometerMetrics(registry, List.of(Tag.of("operator", name)));
            own.observe(() -> new OperatorState(name.equals("two"), List.of(), List.of(), List.of()));
            own.processingBegan(PODS, Duration.ofMillis(5));
        }
        assertThat(registry.get("kopf4j.ready").tag("operator", "one").gauge().value())
                .isZero();
        assertThat(registry.get("kopf4j.ready").tag("operator", "two").gauge().value())
                .isEqualTo(1);
        assertThat(registry.get("kopf4j.event.wait")
                        .tag("operator", "two")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void gaugesFollowTheState() {
        OperatorState[] state = {OperatorState.STARTING};
        metrics.observe(() -> state[0]);
        assertThat(registry.get("kopf4j.ready").gauge().value()).isZero();
        state[0] = new OperatorState(
                true,
                List.of(),
                List.of("a peer"),
                List.of(
                        new StreamState(PODS, null, true, false, null, Duration.ofSeconds(2), 3),
                        new StreamState(PODS, "ns", true, false, "HTTP 500", Duration.ofSeconds(9), 4)));
        assertThat(registry.get("kopf4j.ready").gauge().value()).as("disturbed").isZero();
        assertThat(registry.get("kopf4j.paused").gauge().value()).isEqualTo(1);
        assertThat(registry.get("kopf4j.troubles").gauge().value()).isZero();
        assertThat(registry.get("kopf4j.queue").gauge().value()).isEqualTo(7);
        assertThat(registry.get("kopf4j.streams.disturbed").gauge().value()).isEqualTo(1);
        assertThat(registry.get("kopf4j.streams.silence").gauge().value()).isEqualTo(9);
    }

    /** It is written to {@code micrometer/target/meters.md}, to be copied from there. */
    @Test
    void tableOfMetersIsWhatIsRegistered() throws IOException {
        metrics.handlerEnded(
                new HandlerCall("make", HandlerKind.CREATE, PODS, HandlerCall.Outcome.ERROR, 2, Duration.ofMillis(30)));
        metrics.processingBegan(PODS, Duration.ofMillis(5));
        metrics.objectUnreadable(PODS);
        metrics.handlingPaused(PODS, true);
        metrics.requestEnded("PATCH", 409, Duration.ofMillis(7));
        metrics.observe(() -> OperatorState.STARTING);
        String table = "| meter | type | tags |\n|---|---|---|\n"
                + registry.getMeters().stream()
                        .map(Meter::getId)
                        .map(MicrometerMetricsTest::row)
                        .sorted()
                        .collect(Collectors.joining());
        Path target = Files.writeString(Path.of("target", "meters.md"), table);
        assertThat(table)
                .contains("| `kopf4j.handler` | timer | group, handler, kind, outcome, resource |", "kopf4j.troubles");
        assertThat(Path.of("..", "docs", "observability.md"))
                .as("the table of meters, see micrometer/%s", target)
                .content()
                .contains("\n\n" + table + "\n");
    }

    private static String row(Meter.Id meter) {
        String tags = meter.getTags().stream().map(Tag::getKey).collect(Collectors.joining(", "));
        return "| `%s` | %s | %s|\n"
                .formatted(
                        meter.getName(),
                        meter.getType().name().toLowerCase(Locale.ROOT),
                        tags.isEmpty() ? "" : tags + " ");
    }
}
