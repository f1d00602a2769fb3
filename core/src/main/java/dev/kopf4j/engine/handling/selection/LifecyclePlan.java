package dev.kopf4j.engine.handling.selection;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/** Which of the due handlers are called in this cycle. Pure, but for the given randomness. */
public final class LifecyclePlan {
    private LifecyclePlan() {}

    /**
     * The handlers to be called, in the order of their calls.
     *
     * @param attempts how often each of them was called before
     */
    public static List<RegisteredHandler> plan(
            HandlerLifecycle lifecycle,
            List<RegisteredHandler> due,
            ToIntFunction<RegisteredHandler> attempts,
            RandomGenerator random) {
        return switch (lifecycle) {
            case IN_ORDER, ALL_AT_ONCE -> due;
            case ONE_BY_ONE -> first(due);
            case RANDOMIZED -> first(shuffled(due, random));
            case SHUFFLED -> shuffled(due, random);
            case ASAP ->
                first(due.stream().sorted(Comparator.comparingInt(attempts)).toList());
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
}
