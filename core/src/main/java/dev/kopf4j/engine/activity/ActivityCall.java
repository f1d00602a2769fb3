package dev.kopf4j.engine.activity;

import dev.kopf4j.ActivityContext;
import dev.kopf4j.engine.handling.invocation.CallEnd;
import dev.kopf4j.engine.handling.invocation.CallTask;
import dev.kopf4j.engine.handling.invocation.HandlerStackTrace;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.TaskEndError;
import java.time.Duration;
import org.slf4j.Logger;

/** One call of a handler of an activity. Used once. */
record ActivityCall(Platform platform, RegisteredActivity handler, Logger logger) {
    /** Calls the handler, and waits for its end; after the deadline for no longer than the grace. */
    CallEnd run(ActivityContext context, Deadline deadline, Duration grace) throws InterruptedException {
        CallTask call = new CallTask(platform, platform.monitor(), handler.id(), () -> invoke(context));
        try {
            return call.awaitEnd(deadline) ? call.end() : timeOut(call, grace);
        } catch (InterruptedException e) {
            call.task().interrupt();
            throw e;
        }
    }

    @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
    private CallEnd invoke(ActivityContext context) {
        try {
            return new CallEnd.Returned(handler.function().handle(context));
        } catch (TaskEndError e) {
            throw e;
        } catch (Throwable e) {
            return new CallEnd.Threw(e);
        }
    }

    private CallEnd timeOut(CallTask call, Duration grace) throws InterruptedException {
        CallEnd end = call.timeOut(grace);
        if (end instanceof CallEnd.Orphaned(var task)) {
            logger.warn(
                    "{} ignores that it was interrupted {} seconds ago, and is left behind. It is at:\n{}",
                    handler,
                    grace.toSeconds(),
                    HandlerStackTrace.text(task.stack()));
        }
        return end;
    }
}
