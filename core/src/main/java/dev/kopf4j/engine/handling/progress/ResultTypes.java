package dev.kopf4j.engine.handling.progress;

import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

/** Types that are no data, so that no handler can mean them as its result. Pure. */
public final class ResultTypes {
    private static final List<Class<?>> LATER =
            List.of(Future.class, CompletionStage.class, Flow.Publisher.class, Thread.class);
    private static final List<Class<?>> RESOURCES = List.of(Executor.class, Closeable.class, ClassLoader.class);

    private ResultTypes() {}

    /** Why values of the type cannot be a result, as in: it returns (this); empty if they may be. */
    public static Optional<String> problem(Class<?> type) {
        if (LATER.stream().anyMatch(each -> each.isAssignableFrom(type))) {
            return Optional.of(
                    "a " + type.getSimpleName() + ", and nobody waits for it: do the work in the method itself");
        }
        if (RESOURCES.stream().anyMatch(each -> each.isAssignableFrom(type))) {
            return Optional.of("a " + type.getSimpleName() + ", which is no data");
        }
        return Optional.empty();
    }
}
