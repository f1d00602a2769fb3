package dev.kopf4j.engine.chaos;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.RetryOptions;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The handlers of one process: they take their time, fail, patch, return results, and write into the journal. */
final class ChaosHandlers {
    private static final String RESOURCE = "kopfexamples";

    private final WorldPlan worldPlan;
    private final HandlerCallJournal handlerCallJournal;
    private final SimulatedPlatform machine;
    private final int incarnation;
    private final BooleanSupplier calm;

    ChaosHandlers(
            WorldPlan worldPlan,
            HandlerCallJournal handlerCallJournal,
            SimulatedPlatform machine,
            int incarnation,
            BooleanSupplier calm) {
        this.worldPlan = worldPlan;
        this.handlerCallJournal = handlerCallJournal;
        this.machine = machine;
        this.incarnation = incarnation;
        this.calm = calm;
    }

    OperatorBuilder builder() {
        OperatorBuilder builder = Operator.builder().clusterwide();
        builder.settings(settings -> {
            settings.execution()
                    .lifecycle(worldPlan.lifecycle())
                    .checkpoint(Duration.ofMillis(worldPlan.checkpointMillis()));
            settings.watching().pageSize(worldPlan.pageSize());
            settings.queueing().workerLimit(worldPlan.workerLimit());
        });
        worldPlan.handlers().forEach(kind -> add(builder, kind));
        return builder;
    }

    private void add(OperatorBuilder builder, WorldPlan.Kind kind) {
        String id = kind == WorldPlan.Kind.FIELD ? "field" : kind.id();
        switch (kind) {
            case CREATE_A ->
                builder.onCreate(RESOURCE, id, h -> usual(h).timeout(Duration.ofSeconds(20)), this::handle);
            case CREATE_PARENT -> builder.onCreate(RESOURCE, id, ChaosHandlers::usual, this::declareChildren);
            case UPDATE_PARENT -> builder.onUpdate(RESOURCE, id, ChaosHandlers::usual, this::declareChildren);
            case CREATE_B -> builder.onCreate(RESOURCE, id, h -> usual(h).retries(3), this::handle);
            case UPDATE_A -> builder.onUpdate(RESOURCE, id, ChaosHandlers::usual, this::handle);
            case UPDATE_B -> builder.onUpdate(RESOURCE, id, h -> usual(h).errors(ErrorsMode.PERMANENT), this::handle);
            case FIELD -> builder.onField(RESOURCE, id, h -> usual(h).field("spec.field"), this::handle);
            case RESUME -> builder.onResume(RESOURCE, id, ChaosHandlers::usual, this::handle);
            case DELETE_A, DELETE_B -> builder.onDelete(RESOURCE, id, ChaosHandlers::usual, this::handle);
            case DELETE_OPTIONAL -> builder.onDelete(RESOURCE, id, h -> usual(h).optional(), this::handle);
            case EVENT -> builder.onEvent(RESOURCE, id, this::notice);
            case DAEMON -> builder.onDaemon(RESOURCE, id, ChaosHandlers::usual, this::accompany);
            case TIMER -> builder.onTimer(RESOURCE, id, h -> usual(h).interval(Duration.ofSeconds(23)), this::look);
        }
    }

    private static <O extends HandlerOptions<O> & RetryOptions<O>> O usual(O options) {
        return options.labels("app=web").backoff(Duration.ofSeconds(7));
    }

    private RandomGenerator random() {
        return machine.random();
    }

    private @Nullable Object notice(HandlerContext context) throws InterruptedException {
        HandlerCallJournal.Call call = handlerCallJournal.begin(incarnation, context);
        remember(context);
        try {
            linger();
        } finally {
            handlerCallJournal.end(call, "has noticed");
        }
        return null;
    }

    /** What is remembered for one object is never found by the handlers of another one. */
    private void remember(HandlerContext context) {
        Object before = context.memo().putIfAbsent("uid", context.uid());
        if (before != null && !before.equals(context.uid())) {
            handlerCallJournal.foreign("memo", context.uid(), String.valueOf(before));
        }
    }

    /** A daemon: mostly waits, ends in all ways, and takes its time when it is asked to stop. */
    private @Nullable Object accompany(HandlerContext context) throws InterruptedException {
        handlerCallJournal.daemonTracker().begin(incarnation, context);
        remember(context);
        try {
            while (!context.stopped().await(Duration.ofSeconds(1 + random().nextInt(60)))) {
                if (!calm.getAsBoolean() && random().nextInt(4) == 0) {
                    patch(context);
                    return companion(context);
                }
            }
            linger();
            return random().nextBoolean() ? "stopped" : null;
        } finally {
            handlerCallJournal.daemonTracker().end(incarnation, context);
        }
    }

    /** A timer. */
    private @Nullable Object look(HandlerContext context) throws InterruptedException {
        handlerCallJournal.daemonTracker().begin(incarnation, context);
        remember(context);
        try {
            linger();
            if (calm.getAsBoolean()) {
                return null;
            }
            patch(context);
            return random().nextInt(3) == 0 ? companion(context) : null;
        } finally {
            handlerCallJournal.daemonTracker().end(incarnation, context);
        }
    }

    private void endsForGood(HandlerContext context) {
        if (!context.stopped().isSet()) {
            handlerCallJournal.daemonTracker().endsForGood(incarnation, context);
        }
    }

    private Object companion(HandlerContext context) {
        return switch (random().nextInt(4)) {
            case 0 -> throw new TemporaryException("not yet", Duration.ofSeconds(random().nextInt(20)));
            case 1 -> throw new IllegalStateException("a defect");
            case 2 -> {
                endsForGood(context);
                throw new PermanentException("never");
            }
            default -> {
                if (context.handlerId().equals(WorldPlan.Kind.DAEMON.id())) {
                    endsForGood(context);
                }
                yield Map.of("looked", random().nextInt(5), "for", context.uid());
            }
        };
    }

    private @Nullable Object declareChildren(HandlerContext context) throws InterruptedException {
        HandlerCallJournal.Call call = handlerCallJournal.begin(incarnation, context);
        remember(context);
        try {
            linger();
            patch(context);
            context.subHandlers().add("one", this::handle);
            context.subHandlers().add("two", this::handle);
        } finally {
            handlerCallJournal.end(call, "has declared its children");
        }
        if (random().nextInt(3) == 0) {
            context.subHandlers().execute();
        }
        return random().nextBoolean() ? "done" : null;
    }

    private @Nullable Object handle(HandlerContext context) throws InterruptedException {
        HandlerCallJournal.Call call = handlerCallJournal.begin(incarnation, context);
        remember(context);
        try {
            linger();
            patch(context);
            return finish(call);
        } catch (InterruptedException e) {
            handlerCallJournal.end(call, "is interrupted");
            throw e;
        }
    }

    private void linger() throws InterruptedException {
        if (calm.getAsBoolean()) {
            return;
        }
        switch (random().nextInt(6)) {
            case 0 -> machine.sleep(Duration.ofMillis(random().nextInt(100)));
            case 1 -> machine.sleep(Duration.ofMillis(random().nextInt(3000)));
            case 2 -> machine.sleep(Duration.ofMillis(random().nextInt(20_000)));
            default -> {}
        }
    }

    /** Everything that is written names the object that it is written for. */
    private void patch(HandlerContext context) {
        String uid = context.uid();
        switch (random().nextInt(8)) {
            case 0 -> context.patch().status().set("patched-for", uid);
            case 1 -> context.patch().label("seen", uid);
            case 2 -> context.patch().transform(body -> addItem(body, "status", uid));
            case 3 -> context.patch().transform(body -> addItem(body, "spec", uid));
            case 4 -> {
                context.patch().status().set("merged-for", uid);
                context.patch().transform(body -> addItem(body, "status", uid));
            }
            default -> {}
        }
    }

    /** Idempotent, as transformations have to be. */
    @SuppressWarnings("unchecked")
    private static void addItem(Map<String, @Nullable Object> body, String stanza, String uid) {
        Map<String, Object> found = (Map<String, Object>) body.computeIfAbsent(stanza, key -> new HashMap<>());
        found.put("items", List.of(uid));
    }

    private @Nullable Object finish(HandlerCallJournal.Call call) {
        int dice = calm.getAsBoolean() ? 9 : random().nextInt(12);
        return switch (dice) {
            case 0 -> {
                handlerCallJournal.end(call, "fails temporarily");
                throw new TemporaryException("not yet", Duration.ofSeconds(random().nextInt(20)));
            }
            case 1 -> {
                handlerCallJournal.end(call, "fails temporarily, to be called at once");
                throw new TemporaryException("not yet", Duration.ZERO);
            }
            case 2 -> {
                boolean isFinal = call.handler().equals(WorldPlan.Kind.UPDATE_B.id());
                if (isFinal) {
                    handlerCallJournal.finished(call);
                } else {
                    handlerCallJournal.end(call, "fails");
                }
                throw new IllegalStateException("a defect");
            }
            case 3 -> {
                handlerCallJournal.finished(call);
                throw new PermanentException("never");
            }
            default -> {
                handlerCallJournal.finished(call);
                yield result(call);
            }
        };
    }

    private @Nullable Object result(HandlerCallJournal.Call call) {
        if (random().nextBoolean()) {
            return null;
        }
        return Map.of("essence", call.essence().length(), "for", call.uid());
    }
}
