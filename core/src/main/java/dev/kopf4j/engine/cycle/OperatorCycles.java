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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** What the cycles of all objects of an operator share. Thread-safe. */
public final class OperatorCycles {
    private final OperatorSettings settings;
    private final StoredState stored;
    private final HandlerCalls calls;
    private final IndexFunctionCalls indexing;
    private final PatchSender sender;
    private final OperatorDaemons daemons;
    private final ChildrenEnvironment children;
    private final UnpackedStates unpacked;
    private final Set<Resource> keptFinalizers = ConcurrentHashMap.newKeySet();

    /**
     * No cycle has begun, and no daemon.
     *
     * @param settings how the operator works
     * @param stored what it stores on objects
     * @param calls calls handlers
     * @param indexing fills the indices
     * @param sender sends patches
     * @param children the children of objects
     */
    public OperatorCycles(
            OperatorSettings settings,
            StoredState stored,
            HandlerCalls calls,
            IndexFunctionCalls indexing,
            PatchSender sender,
            ChildrenEnvironment children) {
        this.settings = settings;
        this.stored = stored;
        this.calls = calls;
        this.indexing = indexing;
        this.sender = sender;
        this.children = children;
        this.unpacked = UnpackedStates.ofHeap(calls.platform());
        this.daemons = new OperatorDaemons(
                calls.platform(),
                settings.background(),
                calls.steady(),
                OutgoingPatch.ofDaemons(sender),
                steps(),
                new ObjectThrottling(settings.queueing().errorDelays(), sender.failing())::delayAfterConflict);
    }

    /** How the operator works. */
    public OperatorSettings settings() {
        return settings;
    }

    /** What it stores on objects. */
    StoredState stored() {
        return stored;
    }

    /** Calls handlers. */
    public HandlerCalls calls() {
        return calls;
    }

    /** Fills the indices. */
    public IndexFunctionCalls indexing() {
        return indexing;
    }

    /** Sends patches. */
    public PatchSender sender() {
        return sender;
    }

    /** Daemons and timers, whose changes are written as those of cycles are. */
    public OperatorDaemons daemons() {
        return daemons;
    }

    /** The children of objects. */
    public ChildrenEnvironment children() {
        return children;
    }

    /** Room for what is stored compressed. */
    UnpackedStates unpacked() {
        return unpacked;
    }

    /** The resources of whose objects it was told that the finalizer stays. */
    public Set<Resource> keptFinalizers() {
        return keptFinalizers;
    }

    /** What the steps of handlers need. */
    StepEnvironment steps() {
        return stored.steps(calls.runner());
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
    static final class UnpackedStates {
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
        static UnpackedStates ofHeap(Platform platform) {
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
