package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Body;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TypeRef;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the framework says of a Secret that does not fit what a handler wants. */
class SecretValuesTest {
    private static final String CANARY = "Y2FuYXJ5";

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("", "secrets", "Secret", true)
            .serving("", "configmaps", "ConfigMap", true)
            .serving("", "events", "Event", true);

    record Wanted(int password) {}

    private List<String> saidOf(String plural) {
        cluster.put(plural, "ns", "x", "{'metadata': {'uid': 'u1'}, 'data': {'password': '" + CANARY + "'}}");
        return said(builder -> builder.onCreate(plural, "wants", context -> bound(context.body())));
    }

    private List<String> said(UnaryOperator<OperatorBuilder> handlers) {
        try (LoggerCapture capture = new LoggerCapture("kopf4j")) {
            OperatorHandle operator = SimulatedOperator.start(
                    world,
                    cluster.transport("me", world),
                    builder -> handlers.apply(builder.clusterwide()
                            .settings(settings -> settings.posting().loggers(true))));
            world.runFor(Duration.ofSeconds(5));
            operator.stop();
            world.runFor(Duration.ofSeconds(5));
            return capture.lines(Level.DEBUG);
        }
    }

    @Test
    @Tag("Q21")
    void theValueIsNotShown() {
        assertThat(saidOf("secrets"))
                .noneMatch(text -> text.contains(CANARY))
                .anyMatch(text -> text.contains("does not fit Wanted; what was found is not shown"));
        assertThat(cluster.changesBy("me").toString()).doesNotContain("does not fit Wanted:");
    }

    @Test
    void ofOtherObjectsItIs() {
        assertThat(saidOf("configmaps"))
                .anyMatch(text -> text.contains("does not fit Wanted") && text.contains(CANARY));
    }

    static Stream<Arguments> handlersOfParents() {
        return Stream.of(
                Arguments.of("its child", (UnaryOperator<OperatorBuilder>) builder ->
                        builder.onChild("configmaps", "secrets", "wants", context -> bound(context.child()))),
                Arguments.of("what is new of its child", (UnaryOperator<OperatorBuilder>) builder -> builder.onChild(
                        "configmaps",
                        "secrets",
                        "wants",
                        options -> options.field("data"),
                        context -> context.newValue(TypeRef.of(Wanted.class))
                                .orElseThrow()
                                .toString())),
                Arguments.of("those that exist", (UnaryOperator<OperatorBuilder>) builder -> builder.onChild(
                                "configmaps", "secrets", "looks", context -> null)
                        .onTimer(
                                "configmaps",
                                "wants",
                                options -> options.interval(Duration.ofSeconds(1)),
                                context -> bound(context.children().live().getFirst()))),
                Arguments.of("a part of one", (UnaryOperator<OperatorBuilder>) builder -> builder.onChild(
                        "configmaps",
                        "secrets",
                        "wants",
                        context -> context.child()
                                .at(List.of("data"))
                                .as(Wanted.class)
                                .toString())));
    }

    private static String bound(Body body) {
        return body.get(List.of("data"), Wanted.class).orElseThrow().toString();
    }

    /** Handlers of other objects are called for Secrets, too, or look at them. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("handlersOfParents")
    @Tag("Q21")
    void aParentDoesNotShowTheValueOf(String what, UnaryOperator<OperatorBuilder> handlers) {
        cluster.put("configmaps", "ns", "p", "{'metadata': {}}");
        cluster.put(
                "secrets",
                "ns",
                "x",
                "{'metadata': {'ownerReferences': [{'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': 'p',"
                        + " 'uid': 'uid-p'}]}, 'data': {'password': '" + CANARY + "'}}");
        assertThat(said(handlers))
                .noneMatch(text -> text.contains(CANARY))
                .anyMatch(text -> text.contains("does not fit Wanted; what was found is not shown"));
        assertThat(cluster.changesBy("me").toString()).doesNotContain("does not fit Wanted:");
    }
}
