package dev.kopf4j.engine.handling.call;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.InitialDelay;
import dev.kopf4j.Stopped;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.progress.Progress;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.hierarchy.HandledObject;
import dev.kopf4j.persistence.ProgressRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses the daemons and timers of objects, and makes their calls. Thread-safe. */
public final class BackgroundCalls {
    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls with the settings of the given runner. */
    public BackgroundCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /** How long an interrupted call may take to end before it is left behind. */
    public Duration interruptGrace() {
        return runner.settings().interruptGrace();
    }

    /** The daemons and timers whose filters let the object pass. */
    public List<RegisteredHandler> matching(List<RegisteredHandler> handlers, Subject subject) {
        Occasion.Accompanied occasion = new Occasion.Accompanied(subject::node, null);
        return HandlerSelection.forBackground(handlers, subject, occasion, contexts);
    }

    /**
     * How long to wait before the first call. May call the user's code.
     *
     * @return the time, not negative
     * @throws Exception of the user's code
     */
    public Duration initialDelay(RegisteredHandler handler, Subject subject) throws Exception {
        InitialDelay declared = handler.definition().background().initialDelay();
        Duration delay = switch (declared) {
            case null -> null;
            case InitialDelay.Fixed(Duration time) -> time;
            case InitialDelay.Computed(InitialDelay.Function function) -> computed(function, handler, subject);
        };
        return delay == null || delay.isNegative() ? Duration.ZERO : delay;
    }

    private @Nullable Duration computed(InitialDelay.Function function, RegisteredHandler handler, Subject subject)
            throws Exception {
        Supplier<HandlerContext> context =
                contexts.probing(handler, subject, new Occasion.Accompanied(subject::node, null));
        HandlerContext made = context.get();
        return HandledObject.during(made, () -> function.delay(made));
    }

    /**
     * The next call of a daemon or a timer.
     *
     * @param subject the object, with a live body
     * @param before how far it has come in the attempts before; null if this is the first one
     */
    public BackgroundCall call(
            RegisteredHandler handler, Subject subject, Stopped stopped, @Nullable ProgressRecord before) {
        ProgressRecord record =
                before == null ? Progress.fresh(runner.platform().now(), null) : before;
        return new BackgroundCall(runner, contexts, handler, subject, stopped, record);
    }
}
