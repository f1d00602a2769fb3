package dev.kopf4j.engine.simulation;

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

/** A server and an operator in simulated time, with methods to tell and check what happens. Close it in the end. */
public class Scenario implements AutoCloseable {
    public static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
    public static final String LAST_HANDLED = "kopf.zalando.org/last-handled-configuration";
    public static final String FINALIZER = "kopf.zalando.org/KopfFinalizerMarker";

    public final SimulatedPlatform world = new SimulatedPlatform(0, START);
    public final FakeApiServer server;
    public final ObjectLogCapture log = new ObjectLogCapture();
    /** What handlers were called, in their own words. */
    public final List<String> calls = new ArrayList<>();

    private @Nullable OperatorHandle operator;
    private @Nullable OperatorHandle last;
    private SimulatedPlatform machine = world.machine("first");

    public Scenario() {
        this(false);
    }

    public Scenario(boolean statusSubresource) {
        this.server = new FakeApiServer(world, statusSubresource);
    }

    public static ObjectNode json(String text) {
        return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** An object that nobody has handled. */
    public static ObjectNode example(String name) {
        return json("{'apiVersion':'kopf.dev/v1','kind':'KopfExample','metadata':{'name':'" + name
                + "','namespace':'ns','uid':'uid-" + name + "'},'spec':{'field':'a'}}");
    }

    public static ObjectNode example() {
        return example("x");
    }

    /** An object that was handled as it is. */
    public static ObjectNode handled() {
        return annotated(example(), LAST_HANDLED, "{\"spec\":{\"field\":\"a\"}}\n");
    }

    public static ObjectNode annotated(ObjectNode object, String key, String value) {
        object.withObject("/metadata/annotations").put(key, value);
        return object;
    }

    public Scenario start(UnaryOperator<OperatorBuilder> handlers) {
        operator = SimulatedOperator.start(machine, server, handlers);
        last = operator;
        rest();
        return this;
    }

    /** Starts annotated classes or instances. */
    public Scenario start(Object... beansOrClasses) {
        return start(builder -> builder.handlers(beansOrClasses));
    }

    /** Stops the operator gracefully, and starts another one. */
    public Scenario restart(UnaryOperator<OperatorBuilder> handlers) {
        stop();
        machine = world.machine("next");
        return start(handlers);
    }

    /** Why the last operator has failed; null if it has not, or goes on. */
    public @Nullable OperatorException failure() {
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
    public boolean hasEnded() {
        return java.util.Objects.requireNonNull(last).hasEnded();
    }

    public Scenario stop() {
        if (operator != null) {
            operator.stop();
            world.runFor(Duration.ofSeconds(5));
        }
        operator = null;
        return this;
    }

    /** Ends the operator as SIGKILL does. */
    public Scenario kill() {
        machine.kill();
        operator = null;
        world.runFor(Duration.ofSeconds(1));
        machine = world.machine("next");
        return this;
    }

    /** Shorter than any fallback: what happens must happen by itself. */
    public Scenario rest() {
        return pass(Duration.ofMillis(500));
    }

    public Scenario pass(Duration time) {
        world.runFor(time);
        return this;
    }

    public double seconds() {
        return Duration.between(START, world.now()).toMillis() / 1000.0;
    }

    /** A handler that notes that it was called. */
    public dev.kopf4j.Handler noting(String what) {
        return context -> {
            calls.add(what);
            return null;
        };
    }

    /** A handler that notes what is made of its call. */
    public dev.kopf4j.Handler saying(Function<HandlerContext, String> words) {
        return context -> {
            calls.add(words.apply(context));
            return null;
        };
    }

    public List<String> lines(ch.qos.logback.classic.Level level) {
        return log.lines(level);
    }

    public List<String> infos() {
        return log.lines(ch.qos.logback.classic.Level.INFO);
    }

    public JsonNode at(String pointer) {
        return server.object("x").at(pointer);
    }

    public boolean hasAnnotation(String key) {
        return server.object("x").path("metadata").path("annotations").has(key);
    }

    @Override
    public void close() {
        stop();
        log.close();
    }
}
