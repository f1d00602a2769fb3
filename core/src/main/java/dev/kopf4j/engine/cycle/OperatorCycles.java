package dev.kopf4j.engine.cycle;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.children.ChildrenEnvironment;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.index.IndexFunctionCalls;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What the cycles of all objects of an operator share. Thread-safe.
 *
 * @param settings how the operator works
 * @param stored what it stores on objects
 * @param calls calls handlers
 * @param indexing fills the indices
 * @param sender sends patches
 * @param daemons daemons and timers
 * @param children the children of objects
 * @param unpacked room for what is stored compressed
 * @param keptFinalizers takes the resources of whose objects it was told that the finalizer stays
 */
public record OperatorCycles(
        OperatorSettings settings,
        StoredState stored,
        HandlerCalls calls,
        IndexFunctionCalls indexing,
        PatchSender sender,
        OperatorDaemons daemons,
        ChildrenEnvironment children,
        UnpackedStates unpacked,
        Set<Resource> keptFinalizers) {
    /** The daemons and timers of an operator, whose changes are written as those of cycles are. */
    public static OperatorDaemons daemons(
            OperatorSettings settings, StoredState stored, HandlerCalls calls, PatchSender sender) {
        ObjectThrottling throttling = new ObjectThrottling(settings.queueing().errorDelays(), sender.failing());
        return new OperatorDaemons(
                calls.platform(),
                settings.background(),
                calls.steady(),
                OutgoingPatch.ofDaemons(sender),
                stored.steps(calls.runner(), settings.execution()),
                throttling::delayAfterConflict);
    }

    /** What the steps of handlers need. */
    StepEnvironment steps() {
        return stored.steps(calls.runner(), settings.execution());
    }

    /** Runs the cycles of the objects of one resource. */
    public ObjectProcessor processor(Resource resource, ResourceHandlers handlers) {
        return new ObjectProcessor(this, resource, handlers);
    }

    /**
     * Room for the trees of large last-handled states that are stored compressed, for all objects at a time: an eighth
     * of the heap, as a cycle may have two or three such trees. Whoever may change an object may store two kilobytes
     * there that unpack to thirty megabytes, which are needed as long as its handlers are called. Who comes first has
     * the first turn; who needs more than all of the room gets it alone. Others work while it waits, as long as all who
     * wait keep no more memory for their objects than a sixteenth of the heap. Thread-safe.
     */
    public static final class UnpackedStates {
        /** What takes no more need not wait. */
        private static final long SMALL_BYTES = 256 * 1024;

        private final Monitor monitor;
        private final long most;
        private final Deque<Object> waiting = new ArrayDeque<>();
        private long left;
        private long keptWaiting;

        UnpackedStates(Platform platform, long bytes) {
            this.monitor = platform.monitor();
            this.most = bytes;
            this.left = bytes;
        }

        /** A share of the heap that the process has. */
        public static UnpackedStates ofHeap(Platform platform) {
            return new UnpackedStates(platform, platform.heapBytes() / 8);
        }

        /**
         * Takes room for a tree, before there is one.
         *
         * @param bytes about how much memory it takes
         * @param kept about how much memory is kept while it waits
         * @param wait is told that there is none yet
         * @throws InterruptedException if the operator stops meanwhile
         */
        Share take(long bytes, LongSupplier kept, Runnable wait) throws InterruptedException {
            if (bytes <= SMALL_BYTES) {
                return () -> {};
            }
            long needed = Math.min(bytes, most);
            Object turn = new Object();
            boolean waits = monitor.locked(() -> {
                waiting.add(turn);
                return !isTurn(turn, needed);
            });
            boolean taken = false;
            try {
                if (waits) {
                    wait.run();
                    awaitLong(turn, needed, kept.getAsLong());
                } else {
                    awaitTurn(turn, needed);
                }
                taken = true;
                return () -> monitor.locked(() -> giveBack(needed));
            } finally {
                if (!taken) {
                    monitor.locked(() -> {
                        if (!waiting.remove(turn)) {
                            giveBack(needed);
                        }
                    });
                }
            }
        }

        /** Those who have the room may keep it for long: others work meanwhile, if there is memory for that. */
        private void awaitLong(Object turn, long needed, long kept) throws InterruptedException {
            if (!monitor.locked(() -> keeps(kept))) {
                awaitTurn(turn, needed);
                return;
            }
            LongWaitSignal.begins();
            try {
                awaitTurn(turn, needed);
            } finally {
                LongWaitSignal.ends();
                monitor.locked(() -> {
                    keptWaiting -= kept;
                });
            }
        }

        private boolean keeps(long bytes) {
            boolean fits = keptWaiting + bytes <= most / 2;
            keptWaiting += fits ? bytes : 0;
            return fits;
        }

        private void awaitTurn(Object turn, long needed) throws InterruptedException {
            boolean _ = monitor.awaitTrue(() -> begins(turn, needed), Deadline.NEVER);
        }

        private boolean isTurn(Object turn, long needed) {
            return turn.equals(waiting.peek()) && left >= needed;
        }

        private boolean begins(Object turn, long needed) {
            if (!isTurn(turn, needed)) {
                return false;
            }
            waiting.remove();
            left -= needed;
            return true;
        }

        private void giveBack(long bytes) {
            left += bytes;
        }

        /** What one cycle has taken, and gives back when it ends. */
        interface Share extends AutoCloseable {
            @Override
            void close();
        }
    }
}
