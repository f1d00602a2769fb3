package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What handlers of a parent have yet to be told of its children, while the operator pauses or somebody asks for a
 * retry. Tests {@link ParentChildren}.
 */
class ChildTellingsTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("", "configmaps", "ConfigMap", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
    private final ObjectLogCapture log = new ObjectLogCapture();
    private final List<String> calls = new ArrayList<>();
    private boolean failing;

    @BeforeEach
    void parentAndChildAreThere() {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
        cluster.put("kopfexamples", "ns", "x", "{'spec':{}}");
        cluster.put("configmaps", "ns", "page", "{'metadata':{'labels':{'parent':'x'}},'data':{'a':'b'}}");
    }

    @AfterEach
    void end() {
        world.end();
        log.close();
    }

    private void pass(int seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    private void start(UnaryOperator<OperatorBuilder> handlers) {
        SimulatedOperator.start(
                world, cluster.transport("me", world), builder -> handlers.apply(builder.clusterwide()));
        pass(3);
        calls.clear();
        failing = true;
    }

    private OperatorBuilder telling(OperatorBuilder builder) {
        return builder.onChild(
                "kopfexamples", "configmaps", "child", options -> options.parentLabel("parent"), context -> {
                    note(context);
                    if (failing) {
                        throw new TemporaryException("not yet", Duration.ofSeconds(12));
                    }
                    return null;
                });
    }

    private void note(HandlerContext context) {
        calls.add(context.reason() + " " + context.retry());
    }

    private void change(boolean deleted) {
        if (deleted) {
            cluster.delete("configmaps", "ns", "page");
        } else {
            cluster.patch("configmaps", "ns", "page", "{'data':{'a':'c'}}");
        }
    }

    private void letAnotherOneActFor(int seconds) {
        cluster.patch(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'other':{'priority':100,'lifetime':" + seconds + ",'lastseen':'"
                        + world.now().atOffset(ZoneOffset.UTC).toLocalDateTime() + "+00:00'}}}");
    }

    /** The children tell nothing anew after the pause, and of a child that is gone there is no later change. */
    @ParameterizedTest(name = "the child is deleted: {0}")
    @ValueSource(booleans = {true, false})
    void whatWaitsForAnotherAttemptIsToldAfterAPause(boolean deleted) {
        start(this::telling);
        change(deleted);
        pass(2);
        failing = false;
        letAnotherOneActFor(5);
        pass(60);
        String reason = deleted ? "DELETE" : "UPDATE";
        assertThat(calls).containsExactly(reason + " 0", reason + " 1");
    }

    @ParameterizedTest(name = "the child is deleted: {0}")
    @ValueSource(booleans = {true, false})
    void whatIsBeingToldWhenAPauseBeginsIsToldAfterIt(boolean deleted) {
        start(builder -> builder.onChild(
                "kopfexamples", "configmaps", "child", options -> options.parentLabel("parent"), context -> {
                    note(context);
                    if (failing) {
                        failing = false;
                        world.sleep(Duration.ofHours(1));
                    }
                    return null;
                }));
        change(deleted);
        pass(2);
        letAnotherOneActFor(5);
        pass(60);
        String reason = deleted ? "DELETE" : "UPDATE";
        assertThat(calls).containsExactly(reason + " 0", reason + " 0");
    }

    @ParameterizedTest(name = "token {0}: {1}")
    @CsvSource({"1, UPDATE 1", "1 child, UPDATE 0", "1 *, UPDATE 0"})
    void aRetryTellsWhatWaitsAtOnce(String token, String told) {
        start(this::telling);
        change(false);
        pass(2);
        failing = false;
        calls.clear();
        askForRetry(token);
        pass(2);
        assertThat(calls).containsExactly(told);
        assertThat(log.lines(Level.INFO)).anyMatch(line -> line.contains("these handlers are called: child."));
        pass(60);
        assertThat(calls).containsExactly(told);
    }

    @Test
    void aRetryCallsNobodyWhoHasBeenToldAll() {
        start(this::telling);
        askForRetry("1 child");
        pass(2);
        assertThat(calls).isEmpty();
        assertThat(log.lines(Level.INFO)).anyMatch(line -> line.contains("no handler of this operator waits"));
    }

    /** What it makes anew must not take away what others have yet to be told. */
    @Test
    void aRetryOfAnotherHandlerLosesNothing() {
        start(builder -> telling(builder)
                .onReconcile("kopfexamples", "desired", options -> options.children("configmaps"), context -> {
                    calls.add("desired");
                    return null;
                }));
        change(false);
        pass(2);
        failing = false;
        calls.clear();
        askForRetry("1 desired");
        pass(2);
        assertThat(calls).containsExactly("desired");
        pass(60);
        assertThat(calls).containsExactly("desired", "UPDATE 1");
    }

    private void askForRetry(String token) {
        cluster.patch(
                "kopfexamples", "ns", "x", "{'metadata':{'annotations':{'kopf.zalando.org/retry':'" + token + "'}}}");
    }
}
