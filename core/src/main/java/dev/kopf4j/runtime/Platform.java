package dev.kopf4j.runtime;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.LoginException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.SettingException;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.io.Serial;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * What a program needs from the machine that it runs on: clocks, tasks, waiting, randomness.
 *
 * <p>Thread-safe. Implementations: {@link SystemPlatform}, {@link SimulatedPlatform}.
 */
public interface Platform {
    /**
     * Marks lines of the log that tell of a failure in the framework or in an extension of it, and not in a handler:
     * tests fail for them.
     */
    Marker UNEXPECTED = MarkerFactory.getMarker("kopf4j.unexpected");

    /**
     * Returns a failure of other people's code as it can be logged, told and passed on: itself, or one that stands for
     * it if its own code fails when it is asked, as a message does that quotes a cause that is not there. Who logs such
     * a failure as it is throws anew.
     */
    static Throwable tellable(Throwable failure) {
        return UntellableException.orItself(failure);
    }

    /**
     * Returns what a failure of other people's code means: one of kopf4j's exceptions that says what is to be done, and
     * was thrown in another thread or behind a proxy, comes in the exception of whoever has waited for it there. All
     * others mean themselves.
     */
    static Throwable meant(Throwable failure) {
        return Meaning.of(failure);
    }

    /** Returns the message of a failure of other people's code, or why it has none that can be read. */
    static @Nullable String message(Throwable failure) {
        try {
            return failure.getMessage();
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            return "(its message cannot be read: " + e.getClass().getName() + ")";
        }
    }

    /** Returns the time of the wall clock, for records, events and logs. It may jump. */
    Instant now();

    /**
     * Returns the reading of the monotonic clock in nanoseconds, for measuring and for deadlines. Its origin means
     * nothing.
     */
    long nanos();

    /**
     * Returns the moment {@code delay} from now on the monotonic clock; a moment after a negative delay has passed
     * already.
     */
    default Deadline after(Duration delay) {
        return Deadline.at(nanos(), delay);
    }

    /**
     * Starts {@code body} in a task of its own.
     *
     * @param name the name of the task, for thread dumps and messages
     * @param body the code of the task; an exception that it throws is logged as a defect
     */
    Task spawn(String name, Runnable body);

    /**
     * Starts {@code body} in a task of its own that goes on however much other tasks compute: those of {@link #spawn}
     * share a few threads, and give them back only when they wait. Such a task takes a thread of the machine, and with
     * it memory: there ought to be a handful of them.
     */
    default Task spawnUnhindered(String name, Runnable body) {
        return spawn(name, body);
    }

    /** What a task does that may wait. */
    @FunctionalInterface
    interface Waiting {
        /** Does it; ends if the task is interrupted. */
        void run() throws InterruptedException;
    }

    /** The body of a task that ends if the task is interrupted; the interrupt flag is set then. */
    static Runnable untilInterrupted(Waiting body) {
        return () -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** Starts an {@link #essential} task. */
    default Task spawnEssential(String name, Runnable body) {
        return spawn(name, essential(name, body));
    }

    /**
     * What a task does without which the program cannot go on: where somebody answers for the whole, an exception that
     * it throws ends that, too.
     */
    default Runnable essential(String name, Runnable body) {
        return body;
    }

    /**
     * Gives other tasks that are ready a chance to run first, for example one that was just spawned: if it ends at
     * once, nobody has to wait for it. Only a hint.
     */
    default void letOthersRun() {}

    /** Returns how much memory the objects of the program may take. */
    default long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /**
     * True if the program may stand still as a whole while its clock goes on: it is stopped, its container paused, or
     * it has no processor.
     */
    default boolean mayStandStill() {
        return true;
    }

    /** Makes a lock with the single waiting primitive. */
    Monitor monitor();

    /** The only source of randomness: for jitter, generated names, shuffling. */
    RandomGenerator random();

    /**
     * Waits for the time to pass.
     *
     * @throws InterruptedException if the task is interrupted before or while it waits
     */
    default void sleep(Duration duration) throws InterruptedException {
        monitor().awaitTrue(() -> false, after(duration));
    }

    /** What failures mean. Pure. */
    final class Meaning {
        /** Their instances only: what is made of them by others may have a meaning of its own. */
        private static final Set<Class<?>> WRAPPERS = Set.of(
                ExecutionException.class,
                CompletionException.class,
                InvocationTargetException.class,
                UndeclaredThrowableException.class);

        private static final int DEPTH_MAX = 20;

        private Meaning() {}

        private static Throwable of(Throwable failure) {
            @Nullable Throwable inner = failure;
            for (int depth = 0; depth < DEPTH_MAX && inner != null && WRAPPERS.contains(inner.getClass()); depth++) {
                inner = inner.getCause();
            }
            return inner != null && saysWhatToDo(inner) ? inner : failure;
        }

        private static boolean saysWhatToDo(Throwable failure) {
            return switch (failure) {
                case TemporaryException _, PermanentException _, LoginException _ -> true;
                case HandlerDeclarationException _, SettingException _, SubHandlersUnfinishedException _ -> true;
                default -> false;
            };
        }
    }

    /** Stands for a failure that cannot be told as it is: with its class, its message if it has one, and its frames. */
    final class UntellableException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** Loggers follow causes by recursion. */
        private static final int CAUSES_MAX = 1000;

        private UntellableException(Throwable failure, String trouble) {
            super(failure.getClass().getName() + ": " + message(failure) + " (it cannot be told in full: " + trouble
                    + ")");
            try {
                setStackTrace(failure.getStackTrace());
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                setStackTrace(new StackTraceElement[0]);
            }
        }

        private static Throwable orItself(Throwable failure) {
            try {
                return isShort(failure)
                        ? failure
                        : new UntellableException(failure, "it has more than " + CAUSES_MAX + " causes");
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                return new UntellableException(failure, e.getClass().getName());
            }
        }

        /** Asks for all that loggers ask for. */
        private static boolean isShort(Throwable failure) {
            Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            Deque<Throwable> open = new ArrayDeque<>(List.of(failure));
            while (!open.isEmpty() && seen.size() <= CAUSES_MAX) {
                Throwable each = open.pop();
                if (seen.add(each)) {
                    var _ = each.toString();
                    var _ = each.getMessage();
                    var _ = each.getStackTrace();
                    Collections.addAll(open, each.getSuppressed());
                    Throwable cause = each.getCause();
                    if (cause != null) {
                        open.push(cause);
                    }
                }
            }
            return seen.size() <= CAUSES_MAX;
        }

        /** Without the class of the one that only stands for it. */
        @Override
        @SuppressWarnings("OverrideThrowableToString") // the message names the right class
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
