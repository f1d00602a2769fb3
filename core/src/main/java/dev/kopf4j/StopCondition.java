package dev.kopf4j;

/**
 * Tells an operator when to stop, such as {@code latch::await} or a blocking read: for applications that know by
 * themselves when to end. Given to {@link OperatorBuilder#stopWhen}.
 */
@FunctionalInterface
public interface StopCondition {
    /**
     * Waits, on a virtual thread of its own, until the operator is to stop.
     *
     * @throws InterruptedException if the thread is interrupted, as it is when the operator has ended for another
     *     reason
     */
    void await() throws InterruptedException;
}
