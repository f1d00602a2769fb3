package dev.kopf4j.engine.activity;

import dev.kopf4j.ActivityContext;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** One call, in a task of its own: an interrupt hits the user's code and nothing else. Used once. */
final class ActivityCall {
    private final Platform platform;
    private final RegisteredActivity handler;
    private final Logger logger;
    private final Monitor monitor;
    private @Nullable End end;

    ActivityCall(Platform platform, RegisteredActivity handler, Logger logger) {
        this.platform = platform;
        this.handler = handler;
        this.logger = logger;
        this.monitor = platform.monitor();
    }

    /** How the call has ended, before anybody has judged it. */
    sealed interface End {
        /** The function has returned. */
        record Returned(@Nullable Object value) implements End {}

        /** The function has thrown. */
        record Threw(Throwable exception) implements End {}

        /** Its time was over. */
        record TimedOut() implements End {}
    }

    /** Calls the handler, and waits for its end; after the deadline for no longer than the grace. */
    End run(ActivityContext context, Deadline deadline, Duration grace) throws InterruptedException {
        Task task = platform.spawn(handler.id(), () -> {
            End reached = invoke(context);
            monitor.locked(() -> {
                end = reached;
            });
        });
        try {
            if (awaitEnd(deadline)) {
                return reached();
            }
            task.interrupt();
            if (!awaitEnd(platform.after(grace))) {
                tellOfLeaving(task, grace);
            }
            return new End.TimedOut();
        } catch (InterruptedException e) {
            task.interrupt();
            throw e;
        }
    }

    private boolean awaitEnd(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(() -> end != null, deadline);
    }

    private End reached() {
        return monitor.locked(() -> {
            if (end == null) {
                throw new IllegalStateException("the call has not ended");
            }
            return end;
        });
    }

    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
    private End invoke(ActivityContext context) {
        try {
            return new End.Returned(handler.function().handle(context));
        } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
            return new End.Threw(e);
        }
    }

    private void tellOfLeaving(Task task, Duration grace) {
        logger.warn(
                "{} ignores that it was interrupted {} seconds ago, and is left behind. It is at:\n{}",
                handler,
                grace.toSeconds(),
                Arrays.stream(task.stack()).map(frame -> "    at " + frame).collect(Collectors.joining("\n")));
    }
}
