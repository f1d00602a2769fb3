package dev.kopf4j.runtime;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A lock with one way to wait: until an attempt succeeds, or a deadline has passed.
 *
 * <p>Guards the state that its owner says it guards. After each locked section of a task, the attempts of the waiting
 * tasks are made again. Sections are short, and never wait for anything else. Thread-safe; callers must not rely on its
 * being reentrant.
 */
public interface Monitor {
    /** Runs a section under the lock, then lets the waiting tasks try again. */
    void locked(Runnable section);

    /** Computes a value under the lock, then lets the waiting tasks try again. */
    <T> T locked(Supplier<T> section);

    /**
     * Waits until the attempt, made under the lock, gives a value.
     *
     * @param attempt looks at the guarded state, and may change it if it succeeds. It is quick and does not wait. Any
     *     task that has the lock may run it
     * @return the value; empty if the deadline came first (the attempt is made at least once all the same)
     * @throws InterruptedException if the task is interrupted before or meanwhile
     */
    <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException;

    /**
     * Waits until the condition, read under the lock, holds.
     *
     * @return false if the deadline came first
     * @throws InterruptedException if the task is interrupted before or meanwhile
     */
    default boolean awaitTrue(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        Supplier<Optional<Boolean>> attempt =
                () -> condition.getAsBoolean() ? Optional.of(Boolean.TRUE) : Optional.empty();
        return await(attempt, deadline).isPresent();
    }
}
