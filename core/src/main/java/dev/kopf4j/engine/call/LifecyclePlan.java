package dev.kopf4j.engine.call;

import dev.kopf4j.Body;
import dev.kopf4j.DueHandler;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/** Which of the due handlers are called in this cycle. Pure, but for the given randomness and users' lifecycles. */
public final class LifecyclePlan {
    private LifecyclePlan() {}

    /**
     * The handlers to be called, in the order of their calls.
     *
     * @param attempts how often each of them was called before
     * @param body the object
     * @throws IllegalStateException if a user's lifecycle has answered what cannot be called
     */
    public static List<RegisteredHandler> plan(
            HandlerLifecycle lifecycle,
            List<RegisteredHandler> due,
            ToIntFunction<RegisteredHandler> attempts,
            RandomGenerator random,
            Body body) {
        return switch (lifecycle) {
            case HandlerLifecycle.BuiltIn.IN_ORDER, HandlerLifecycle.BuiltIn.ALL_AT_ONCE -> due;
            case HandlerLifecycle.BuiltIn.ONE_BY_ONE -> first(due);
            case HandlerLifecycle.BuiltIn.RANDOMIZED -> first(shuffled(due, random));
            case HandlerLifecycle.BuiltIn.SHUFFLED -> shuffled(due, random);
            case HandlerLifecycle.BuiltIn.ASAP ->
                due.isEmpty() ? due : List.of(Collections.min(due, Comparator.comparingInt(attempts)));
            case HandlerLifecycle.Custom custom -> due.isEmpty() ? due : custom(custom, due, attempts, body);
        };
    }

    private static List<RegisteredHandler> first(List<RegisteredHandler> handlers) {
        return handlers.subList(0, Math.min(1, handlers.size()));
    }

    private static List<RegisteredHandler> shuffled(List<RegisteredHandler> handlers, RandomGenerator random) {
        List<RegisteredHandler> shuffled = new ArrayList<>(handlers);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static List<RegisteredHandler> custom(
            HandlerLifecycle.Custom lifecycle,
            List<RegisteredHandler> due,
            ToIntFunction<RegisteredHandler> attempts,
            Body body) {
        Map<DueHandler, RegisteredHandler> known = new LinkedHashMap<>();
        due.forEach(handler -> known.put(new DueHandler(handler.id(), attempts.applyAsInt(handler)), handler));
        List<DueHandler> chosen = lifecycle.plan(List.copyOf(known.keySet()), body);
        List<DueHandler> distinct = chosen.stream().distinct().toList();
        if (distinct.isEmpty() || !known.keySet().containsAll(distinct)) {
            throw new IllegalStateException(
                    "the lifecycle " + lifecycle.getClass().getName() + " has planned " + chosen
                            + "; it must plan one or more of the due handlers " + known.keySet());
        }
        return distinct.stream().map(known::get).toList();
    }
}
