package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.engine.declaration.HandlerDeclarationRules;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests {@link HandlerDeclarationRules#checkIds} and {@link WebhookName#checkDistinct}: an operator whose progress
 * could not be stored does not start.
 */
class HandlerIdsTest {
    private static final Handler NOTHING = context -> null;

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster().serving("kopf.dev", "kopfexamples", "KopfExample", true);

    private OperatorHandle start(UnaryOperator<OperatorBuilder> handlers) {
        OperatorHandle operator = SimulatedOperator.start(
                world, cluster.transport("me", world), builder -> handlers.apply(builder.clusterwide()));
        world.runFor(Duration.ofSeconds(5));
        return operator;
    }

    private OperatorHandle startWithId(String id) {
        return start(builder -> builder.onCreate("kopfexamples", id, NOTHING));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_fn", "a:b", "delete_", "two words", "<lambda>", "größe", "-a", "a.", "a,b"})
    void refusesIdsThatMakeNoValidAnnotation(String id) {
        OperatorHandle operator = startWithId(id);
        assertThat(operator.hasEnded()).isTrue();
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(operator::join)
                .withMessageContaining("@OnCreate handler '" + id + "'")
                .withMessageContaining("'kopf.zalando.org/")
                .withMessageContaining("letters, digits, '-', '_' and '.'")
                .withMessageContaining("Give the handler another id, or keep the progress in the status");
        assertThat(cluster.requests()).as("it is told before anything is asked").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"last-handled-configuration", "touch-dummy"})
    void refusesIdsWhoseAnnotationsTheOperatorUsesItself(String id) {
        OperatorHandle operator = startWithId(id);
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(operator::join)
                .withMessageContaining("@OnCreate handler '" + id + "'")
                .withMessageContaining("the operator keeps something else in the annotation of that name")
                .withMessageContaining("Give the handler another id, or keep the progress in the status");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create_fn",
                "outer.<locals>.inner",
                "outer/inner",
                "a",
                "A_-.9",
                "a_handler_with_a_name_that_is_so_long_that_it_is_cut_and_gets_a_hash_",
                "a_handler_whose_id_is_cut_before_it_comes_to_what_is_not_permitted: a space",
            })
    void acceptsWhateverKopfMakesAValidAnnotationOf(String id) {
        OperatorHandle operator = startWithId(id);
        assertThat(operator.hasEnded()).isFalse();
    }

    @Test
    void refusesWebhooksThatTheApiServerCannotTellApart() {
        OperatorHandle operator = start(builder -> builder.onValidate("kopfexamples", "checkSize", NOTHING)
                .onMutate("kopfexamples", "check_size", NOTHING)
                .settings(settings -> settings.admission().server(WebhookServer.local())));
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(operator::join)
                .withMessageContaining("'checkSize' and 'check_size' become one webhook, 'check-size'")
                .withMessageContaining("another id");
        assertThat(cluster.requests()).as("it is told before anything is asked").isEmpty();
    }

    /** What one of them patches would be dropped, or sent for the other one, which the API server refuses. */
    static class Both {
        @OnMutate("kopfexamples")
        @OnValidate("kopfexamples")
        void both() {}
    }

    @Test
    void refusesOneIdForAValidatingAndAMutatingHandler() {
        OperatorHandle operator = start(builder -> builder.handlers(new Both())
                .settings(settings -> settings.admission().server(WebhookServer.local())));
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(operator::join)
                .withMessageContaining("@OnMutate 'both'")
                .withMessageContaining("@OnValidate 'both'")
                .withMessageContaining("Give one of them another id");
        assertThat(cluster.requests()).as("it is told before anything is asked").isEmpty();
    }

    @Test
    void acceptsOneIdForTwoKindsThatAreAskedAboutDifferentThings() {
        OperatorHandle operator = start(builder -> builder.onValidate("kopfexamples", "check", NOTHING)
                .onMutate("kopfexamples", "check", h -> h.subresource("status"), NOTHING)
                .onMutate("others", "check", NOTHING)
                .settings(settings -> settings.admission().server(context -> world.sleep(Duration.ofDays(1)))));
        assertThat(operator.hasEnded()).isFalse();
    }

    /** As with a field of different values: who is meant, each object says. */
    @Test
    void acceptsOneIdForTwoKindsThatBothHaveFilters() {
        OperatorHandle operator =
                start(builder -> builder.onValidate("kopfexamples", "check", h -> h.labels("tier=a"), NOTHING)
                        .onMutate("kopfexamples", "check", h -> h.labels("tier=b"), NOTHING)
                        .settings(settings -> settings.admission().server(context -> world.sleep(Duration.ofDays(1)))));
        assertThat(operator.hasEnded()).isFalse();
    }

    /** Only the cluster knows that both are names of one resource. */
    @Test
    void tellsOneIdForTwoKindsUnderTwoNamesOfOneResource() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            OperatorHandle operator = start(builder -> builder.onValidate("kopfexample", "check", NOTHING)
                    .onMutate("kopfexamples", "check", NOTHING)
                    .settings(settings -> settings.admission().server(context -> world.sleep(Duration.ofDays(1)))));
            assertThat(operator.hasEnded()).isFalse();
            assertThat(log.lines(Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains("@OnValidate 'check' and @OnMutate 'check'")
                    .contains("Give one of them another id");
        }
    }

    @Test
    void looksAtTheFieldBehindTheIdToo() {
        OperatorHandle wrong = start(builder -> builder.onField(
                "kopfexamples", "fn", h -> h.field(List.of("metadata", "annotations", "example.com/a b")), NOTHING));
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(wrong::join)
                .withMessageContaining("'fn/metadata.annotations.example.com/a b'");
        OperatorHandle right = start(builder -> builder.onField(
                "kopfexamples", "fn", h -> h.field(List.of("metadata", "annotations", "example.com/a_b")), NOTHING));
        assertThat(right.hasEnded()).isFalse();
    }

    @Test
    void handlersThatKeepNoProgressOnTheObjectMayHaveAnyId() {
        OperatorHandle operator = start(builder -> builder.onEvent("kopfexamples", "_event", NOTHING)
                .onTimer("kopfexamples", "a timer", h -> h.interval(Duration.ofHours(1)), NOTHING)
                .onIndex("kopfexamples", "_index", context -> 1));
        assertThat(operator.hasEnded()).isFalse();
    }

    @Test
    void inTheStatusAnyIdIsValid() {
        OperatorHandle operator = start(builder -> builder.onStartup("settings", context -> {
                    context.settings().persistence().progressStorage(ProgressStorage.status());
                    return null;
                })
                .onCreate("kopfexamples", "_fn", NOTHING));
        assertThat(operator.hasEnded()).isFalse();
    }

    @Test
    void refusesPrefixesThatMakeNoValidAnnotation() {
        OperatorHandle wrong = start(
                builder -> builder.settings(settings -> settings.persistence().prefix("my_operator"))
                        .onCreate("kopfexamples", "fn", NOTHING));
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(wrong::join)
                .withMessageContaining("'my_operator/fn'")
                .withMessageContaining("the prefix must be a domain name");
        String longPrefix = "a-domain-name-that-leaves-no-room-for-names.of-the-older-kind.example.com";
        OperatorHandle older = start(
                builder -> builder.settings(settings -> settings.persistence().prefix(longPrefix))
                        .onCreate("kopfexamples", "fn", NOTHING));
        assertThatExceptionOfType(OperatorException.class)
                .isThrownBy(older::join)
                .withMessageContaining("withoutV1()");
    }

    @Test
    void subHandlersWithSuchIdsFailTheirParentForGood() {
        List<String> calls = new ArrayList<>();
        start(builder -> builder.onCreate("kopfexamples", "fn", context -> {
            calls.add("fn " + context.retry());
            context.subHandlers().add("item_", ignored -> {
                calls.add("never");
                return null;
            });
            return null;
        }));
        cluster.put("kopfexamples", "ns", "x", "{'spec':{}}");
        world.runFor(Duration.ofMinutes(10));
        assertThat(calls).containsExactly("fn 0");
        assertThat(cluster.get("kopfexamples", "ns", "x")
                        .at("/metadata/annotations")
                        .toString())
                .contains("kopf.zalando.org/last-handled-configuration");
    }
}
