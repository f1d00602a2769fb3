package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.runtime.Task;
import java.io.Serial;

/** A call was interrupted together with the task that waited for it: nobody waits for its end any more. */
public final class CallCancelledException extends InterruptedException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Task task;

    CallCancelledException(Task task, InterruptedException cause) {
        super(cause.getMessage());
        initCause(cause);
        this.task = task;
    }

    /** The task of the call, which may go on. */
    public Task task() {
        return task;
    }
}
