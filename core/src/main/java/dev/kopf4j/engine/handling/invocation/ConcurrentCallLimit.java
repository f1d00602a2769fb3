package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import org.jspecify.annotations.Nullable;

/**
 * How many handlers run at a time, over all objects. Sub-handlers run with the permit of their parent, which waits for
 * them; otherwise they could wait for each other for ever. Thread-safe.
 */
final class ConcurrentCallLimit {
    private static final ScopedValue<Boolean> PERMITTED = ScopedValue.newInstance();

    private final @Nullable ConcurrencyLimit concurrencyLimit;

    /**
     * A limit.
     *
     * @param atMost how many; null for any number
     */
    ConcurrentCallLimit(Platform platform, @Nullable Integer atMost) {
        this.concurrencyLimit = atMost == null ? null : new ConcurrencyLimit(platform, atMost);
    }

    /** Makes the call when it is permitted. */
    <T> T during(ScopedValue.CallableOp<T, InterruptedException> call) throws InterruptedException {
        if (concurrencyLimit == null || PERMITTED.isBound()) {
            return call.call();
        }
        LongWaitSignal.begins();
        try {
            concurrencyLimit.acquire(Deadline.NEVER);
        } finally {
            LongWaitSignal.ends();
        }
        try {
            return ScopedValue.where(PERMITTED, true).call(call);
        } finally {
            concurrencyLimit.release();
        }
    }
}
