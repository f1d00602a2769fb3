package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOptions;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects also when daemons and timers start. Confined.
 *
 * @param <O> the options of the kind, as users see them
 */
abstract class BackgroundOptionsDraft<O extends HandlerOptions<O>> extends HandlerOptionsDraft<O> {
    BackgroundOptionsDraft() {}

    public final O initialDelay(Duration time) {
        background.initialDelay = new InitialDelay.Fixed(time);
        return self();
    }

    public final O initialDelay(Function<? super HandlerContext, @Nullable Duration> function) {
        background.initialDelay = new InitialDelay.Computed(function);
        return self();
    }
}
