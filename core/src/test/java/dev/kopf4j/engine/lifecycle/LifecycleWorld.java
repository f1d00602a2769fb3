package dev.kopf4j.engine.lifecycle;

import dev.kopf4j.Filter;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.RetryOptions;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One story of a seed under one lifecycle: people change an object whenever the operator has become calm. */
final class LifecycleWorld {
    private static final String NAME = "x";
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final Duration BETWEEN_STEPS = Duration.ofSeconds(60);
    private static final Duration TO_THE_END = Duration.ofMinutes(30);

    private final RandomOperator plan;
    private final Random people;
    private final SimulatedPlatform platform;
    private final FakeApiServer server;
    private final RandomBehaviour behaviour;
    private final HandlerLifecycle lifecycle;
    private final List<RecordedCall> calls = new ArrayList<>();
    private final List<ObjectNode> states = new ArrayList<>();
    private int running;
    private int uids;
    private OperatorHandle operator;

    LifecycleWorld(long seed, HandlerLifecycle lifecycle) {
        this.plan = RandomOperator.of(seed);
        this.people = new Random(seed * 17 + 3);
        this.lifecycle = lifecycle;
        this.platform = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
        this.server = new FakeApiServer(platform, plan.statusSubresource());
        this.behaviour = new RandomBehaviour(seed, plan, platform);
        this.operator = start();
    }

    RandomOperator plan() {
        return plan;
    }

    /** What was called, in its order. */
    List<RecordedCall> calls() {
        return calls;
    }

    /** What the object was like whenever all was calm; empty while there was none. */
    List<ObjectNode> states() {
        return states;
    }

    int requests() {
        return server.patches().size();
    }

    /** Lives through the story. */
    LifecycleWorld live() {
        for (int steps = 3 + people.nextInt(6); steps > 0; steps--) {
            becomeCalm();
            act();
            platform.runFor(BETWEEN_STEPS);
        }
        platform.runFor(TO_THE_END);
        becomeCalm();
        stop();
        return this;
    }

    private void becomeCalm() {
        int before;
        do {
            before = calls.size();
            platform.runFor(CALM);
        } while (running > 0 || calls.size() > before);
        states.add(server.exists(NAME) ? server.object(NAME) : Json.object());
    }

    private void act() {
        int what = people.nextInt(14);
        int value = people.nextInt(3);
        if (!server.exists(NAME)) {
            create();
            return;
        }
        switch (what) {
            case 0, 1, 2 -> server.change(NAME, "spec.f0", value);
            case 3 -> server.change(NAME, "spec.f1", value == 0 ? null : value);
            case 4 -> server.change(NAME, "spec.deep", value == 0 ? null : Json.toJava(deep(value)));
            case 5 -> server.change(NAME, "status.s0", value);
            case 6 ->
                server.change(NAME, "metadata.labels", Json.toJava(Json.object().put("l0", "v" + value)));
            case 7 ->
                server.change(NAME, "metadata.labels", Json.toJava(Json.object().put("l1", "v" + value)));
            case 8 -> {
                ObjectNode annotations = server.object(NAME).withObject("/metadata/annotations");
                annotations.put("a" + people.nextInt(2), "v" + value);
                server.change(NAME, "metadata.annotations", Json.toJava(annotations));
            }
            case 9, 10 -> server.delete(NAME);
            default -> restart();
        }
    }

    private static ObjectNode deep(int value) {
        return Json.object().put("k" + value, value);
    }

    private void create() {
        ObjectNode object = Json.object().put("apiVersion", "kopf.dev/v1").put("kind", "KopfExample");
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", NAME).put("namespace", "ns").put("uid", "uid-" + uids++);
        if (people.nextBoolean()) {
            metadata.putObject("labels").put("l" + people.nextInt(2), "v1");
        }
        object.putObject("spec").put("f0", people.nextInt(3));
        if (people.nextInt(4) == 0) {
            metadata.putObject("annotations")
                    .put(prefix() + "/last-handled-configuration", "{\"spec\":{\"f0\":" + people.nextInt(3) + "}}\n");
        }
        server.create(object);
    }

    private String prefix() {
        return plan.ownPrefix() ? "example.com" : "kopf.zalando.org";
    }

    private void restart() {
        stop();
        operator = start();
    }

    private void stop() {
        operator.stop();
        platform.runFor(Duration.ofSeconds(10));
    }

    private OperatorHandle start() {
        return SimulatedOperator.start(platform, server, builder -> {
            builder.settings(settings -> {
                settings.execution().lifecycle(lifecycle);
                settings.persistence().prefix(prefix());
            });
            plan.handlers().forEach(handler -> add(builder, handler));
            if (plan.daemon()) {
                builder.onDaemon("kopfexamples", "holder", options -> options.labels("l1"), context -> {
                    while (!context.stopped().await(Duration.ofHours(1))) {
                        context.logger().debug("still there");
                    }
                    return null;
                });
            }
            return builder;
        });
    }

    private void add(OperatorBuilder builder, HandlerPlan handler) {
        String kind = "kopfexamples";
        Handler function = function(handler);
        String id = handler.id();
        switch (handler.kind()) {
            case CREATE -> builder.onCreate(kind, id, options -> choose(handler, options), function);
            case UPDATE -> builder.onUpdate(kind, id, options -> choose(handler, options), function);
            case FIELD -> builder.onField(kind, id, options -> choose(handler, options), function);
            case RESUME -> builder.onResume(kind, id, options -> choose(handler, options), function);
            case DELETE -> builder.onDelete(kind, id, options -> choose(handler, options), function);
            case DELETE_OPTIONAL ->
                builder.onDelete(kind, id, options -> choose(handler, options).optional(), function);
            case CHILD -> throw new IllegalStateException("declared by its parent");
        }
    }

    private static <O extends HandlerOptions<O> & RetryOptions<O>> O choose(HandlerPlan handler, O options) {
        options.backoff(Duration.ofMillis(2_000 + Math.floorMod(handler.id().hashCode(), 977)));
        if (handler.field() != null) {
            options.field(handler.field());
        }
        if (handler.retries() != null) {
            options.retries(handler.retries());
        }
        return switch (handler.filter()) {
            case NONE -> options;
            case LABEL -> options.labels("l0");
            case NO_LABEL -> options.labels("!l0");
            case ANNOTATION -> options.annotations("!a0");
            case WHEN_STATUS -> options.when(context -> !context.status().has("s0"));
            case VALUE -> options.fieldValue(Filter.PRESENT);
        };
    }

    private Handler function(HandlerPlan handler) {
        return context -> {
            RecordedCall call = new RecordedCall(context, platform.now());
            calls.add(call);
            running++;
            try {
                return handler.isParent() ? asParent(handler, context) : behaviour.work(context);
            } finally {
                running--;
                call.end(platform.now());
            }
        };
    }

    private @Nullable Object asParent(HandlerPlan handler, HandlerContext context) throws InterruptedException {
        behaviour.prepare(context);
        for (HandlerPlan child : handler.children()) {
            context.subHandlers().add(child.id(), options -> choose(child, options), function(child));
        }
        int size = context.spec().getInt("f0", 0);
        if (size == 1) {
            context.subHandlers().add("of-" + size, behaviour.recorded(calls, platform));
        }
        if (!handler.explicit()) {
            return null;
        }
        context.subHandlers().execute();
        return behaviour.finish(context);
    }

    /** The settings of the story, for people who look for a defect. */
    @Override
    public String toString() {
        return plan + " in " + Scenario.START;
    }
}
