package dev.kopf4j.engine.handling.call;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Limit;
import dev.kopf4j.runtime.LongWait;
import dev.kopf4j.runtime.Platform;
import org.jspecify.annotations.Nullable;

/**
 * How many handlers run at a time, over all objects. Sub-handlers run by the permit of their parent, which waits for
 * them: they would wait for each other otherwise. Thread-safe.
 */
final class CallLimit {
    private static final ScopedValue<Boolean> PERMITTED = ScopedValue.newInstance();

    private final @Nullable Limit limit;

    /**
     * A limit.
     *
     * @param atMost how many; null for any number
     */
    CallLimit(Platform platform, @Nullable Integer atMost) {
        this.limit = atMost == null ? null : new Limit(platform, atMost);
    }

    /** Makes the call when it is permitted. */
    <T> T during(ScopedValue.CallableOp<T, InterruptedException> call) throws InterruptedException {
        if (limit == null || PERMITTED.isBound()) {
            return call.call();
        }
        LongWait.begins();
        try {
            limit.acquire(Deadline.NEVER);
        } finally {
            LongWait.ends();
        }
        try {
            return ScopedValue.where(PERMITTED, true).call(call);
        } finally {
            limit.release();
        }
    }
}
