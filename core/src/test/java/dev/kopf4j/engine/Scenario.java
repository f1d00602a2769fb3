package dev.kopf4j.engine;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster and an operator in simulated time, with the words to tell a story of them. Closed at its end. */
class Scenario implements AutoCloseable {
    static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
    static final String LAST_HANDLED = "kopf.zalando.org/last-handled-configuration";
    static final String FINALIZER = "kopf.zalando.org/KopfFinalizerMarker";

    final SimulatedPlatform world = new SimulatedPlatform(0, START);
    final FakeApiServer server;
    final ObjectLog log = new ObjectLog();
    /** What handlers were called, in their own words. */
    final List<String> calls = new ArrayList<>();

    private @Nullable OperatorHandle operator;
    private @Nullable OperatorHandle last;
    private SimulatedPlatform machine = world.machine("first");

    Scenario() {
        this(false);
    }

    Scenario(boolean statusSubresource) {
        this.server = new FakeApiServer(world, statusSubresource);
    }

    static ObjectNode json(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** An object that nobody has handled. */
    static ObjectNode example(String name) {
        return json("{'apiVersion':'kopf.dev/v1','kind':'KopfExample','metadata':{'name':'" + name
                + "','namespace':'ns','uid':'uid-" + name + "'},'spec':{'field':'a'}}");
    }

    static ObjectNode example() {
        return example("x");
    }

    /** An object that was handled as it is. */
    static ObjectNode handled() {
        return annotated(example(), LAST_HANDLED, "{\"spec\":{\"field\":\"a\"}}\n");
    }

    static ObjectNode annotated(ObjectNode object, String key, String value) {
        object.withObject("/metadata/annotations").put(key, value);
        return object;
    }

    Scenario start(UnaryOperator<OperatorBuilder> handlers) {
        operator = SimulatedOperator.start(machine, server, handlers);
        last = operator;
        rest();
        return this;
    }

    /** Starts annotated classes or instances. */
    Scenario start(Object... beansOrClasses) {
        return start(builder -> builder.handlers(beansOrClasses));
    }

    /** Stops the operator gracefully, and starts another one. */
    Scenario restart(UnaryOperator<OperatorBuilder> handlers) {
        stop();
        machine = world.machine("next");
        return start(handlers);
    }

    /** Why the last operator has failed; null if it has not, or goes on. */
    @Nullable OperatorException failure() {
        try {
            return hasEnded() ? joined() : null;
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the test", e);
        }
    }

    private @Nullable OperatorException joined() throws InterruptedException {
        try {
            java.util.Objects.requireNonNull(last).join();
            return null;
        } catch (OperatorException e) {
            return e;
        }
    }

    /** True if the last operator goes on no longer. */
    boolean hasEnded() {
        return java.util.Objects.requireNonNull(last).hasEnded();
    }

    Scenario stop() {
        if (operator != null) {
            operator.stop();
            world.runFor(Duration.ofSeconds(5));
        }
        operator = null;
        return this;
    }

    /** Ends the operator as SIGKILL does. */
    Scenario kill() {
        machine.kill();
        operator = null;
        world.runFor(Duration.ofSeconds(1));
        machine = world.machine("next");
        return this;
    }

    /** Shorter than any fallback: what happens must happen by itself. */
    Scenario rest() {
        return pass(Duration.ofMillis(500));
    }

    Scenario pass(Duration time) {
        world.runFor(time);
        return this;
    }

    double seconds() {
        return Duration.between(START, world.now()).toMillis() / 1000.0;
    }

    /** A handler that notes that it was called. */
    dev.kopf4j.Handler noting(String what) {
        return context -> {
            calls.add(what);
            return null;
        };
    }

    /** A handler that notes what is made of its call. */
    dev.kopf4j.Handler saying(Function<HandlerContext, String> words) {
        return context -> {
            calls.add(words.apply(context));
            return null;
        };
    }

    List<String> lines(ch.qos.logback.classic.Level level) {
        return log.lines(level);
    }

    List<String> infos() {
        return log.lines(ch.qos.logback.classic.Level.INFO);
    }

    JsonNode at(String pointer) {
        return server.object("x").at(pointer);
    }

    boolean hasAnnotation(String key) {
        return server.object("x").path("metadata").path("annotations").has(key);
    }

    @Override
    public void close() {
        stop();
        log.close();
    }
}
