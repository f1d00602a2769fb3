package dev.kopf4j.engine.pausing;

import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reasons not to act at the moment, in the whole cluster or in one namespace, and the shards of objects to act on.
 * Thread-safe.
 *
 * <p>A change of a reason returns when the listener has obeyed it: by then, work in progress may have ended.
 */
public final class PauseReasons {
    private final Monitor monitor;
    private final OperatorTrace trace;
    private final Map<Toggle, String> on = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private volatile ShardSet shards = ShardSet.ALL;
    private volatile HandOver handOver = HandOver.NOTHING;

    /** There are no reasons not to act. */
    public PauseReasons(Platform platform) {
        this(platform, OperatorTrace.NONE);
    }

    /** There are no reasons not to act; those that come are told. */
    public PauseReasons(Platform platform, OperatorTrace trace) {
        this.monitor = platform.monitor();
        this.trace = trace;
    }

    /** Starts and stops the work. */
    @FunctionalInterface
    public interface Listener {
        /** The reasons have changed: starts or stops the work accordingly, and returns when that is done. */
        void changed() throws InterruptedException;
    }

    /** Gives up the objects of shards that this operator does not act on any more, and finds those of others. */
    public interface HandOver {
        /** Nothing was begun. */
        HandOver NOTHING = new HandOver() {
            @Override
            public boolean giveUp() {
                return true;
            }

            @Override
            public void takeMore() {
                // Whatever is begun, asks for the shards.
            }
        };

        /**
         * Begins nothing any more for objects of other shards than {@link #shards}, and waits for the end of what is
         * being done for them.
         *
         * @return false if something goes on in spite of everything
         */
        boolean giveUp() throws InterruptedException;

        /** Finds the objects of shards that have come to {@link #shards}. Returns at once. */
        void takeMore();
    }

    /** The objects to act on; all, unless they are shared with other replicas. */
    public ShardSet shards() {
        return shards;
    }

    /** From now on these are the objects to act on; the {@link #handOver} has to be told. */
    public void serve(ShardSet others) {
        serveUntold(others);
        tellServed(others);
    }

    /** The same under a lock of the caller, who tells of it by {@link #tellServed} when he has left that. */
    public void serveUntold(ShardSet others) {
        shards = others;
    }

    /** Tells the trace which objects are acted on now. */
    public void tellServed(ShardSet served) {
        trace.happened(new OperatorStep.ShardsServed(ShardSet.ranges(served.numbers()), served.count()));
    }

    /** What has to be told of changes of the shards. */
    public HandOver handOver() {
        return handOver;
    }

    /** From now on that one is told of changes of the shards. */
    public void handOver(HandOver other) {
        handOver = other;
    }

    /** From now on the listener is told of changes. */
    public void listen(Listener listener) {
        monitor.locked(() -> {
            listeners.add(listener);
        });
    }

    /**
     * A possible reason not to act; it does not hold yet.
     *
     * @param namespace where; null for everywhere
     */
    public Toggle toggle(@Nullable String namespace) {
        return new Toggle(namespace, false);
    }

    /**
     * A reason not to act that holds from the beginning. The listener is not told, as nothing is done there yet.
     *
     * @param namespace where; null for everywhere
     */
    public Toggle paused(@Nullable String namespace, String reason) {
        return begun(new Toggle(namespace, false), reason);
    }

    /**
     * A reason not to act on any object that holds from the beginning. Objects are watched and indexed all the same, as
     * those of other replicas' shards are: for webhooks, which are asked meanwhile, too.
     */
    public Toggle standingBy(String reason) {
        shards = ShardSet.NONE;
        return begun(new Toggle(null, true), reason);
    }

    private Toggle begun(Toggle toggle, String reason) {
        monitor.locked(() -> {
            on.put(toggle, reason);
        });
        trace.happened(new OperatorStep.PauseChanged(toggle.namespace, reason, true));
        return toggle;
    }

    /**
     * True if the operator must not act on the objects of this namespace. For cluster-scoped objects and for streams of
     * the whole cluster (null), any reason in any namespace counts.
     */
    public boolean isPaused(@Nullable String namespace) {
        return monitor.locked(() -> on.keySet().stream().anyMatch(toggle -> toggle.endsStreams(namespace)));
    }

    /** The reasons not to act, for people; empty if there are none. */
    public List<String> reasons() {
        return monitor.locked(() -> List.copyOf(on.values()));
    }

    private void change(Toggle toggle, @Nullable String reason) throws InterruptedException {
        boolean changed = monitor.locked(() -> {
            String before = reason == null ? on.remove(toggle) : on.put(toggle, reason);
            if (!Objects.equals(before, reason)) {
                String which = String.valueOf(reason == null ? before : reason);
                trace.happened(new OperatorStep.PauseChanged(toggle.namespace, which, reason != null));
            }
            return (before == null) != (reason == null);
        });
        if (changed && toggle.standsBy) {
            act(reason == null);
        } else if (changed) {
            for (Listener listener : monitor.locked(() -> List.copyOf(listeners))) {
                listener.changed();
            }
        }
    }

    private void act(boolean acts) throws InterruptedException {
        shards = acts ? ShardSet.ALL : ShardSet.NONE;
        if (acts) {
            handOver.takeMore();
        } else {
            var _ = handOver.giveUp();
        }
    }

    /** One possible reason not to act. Thread-safe. */
    public final class Toggle {
        private final @Nullable String namespace;
        private final boolean standsBy;

        private Toggle(@Nullable String namespace, boolean standsBy) {
            this.namespace = namespace;
            this.standsBy = standsBy;
        }

        private boolean endsStreams(@Nullable String asked) {
            return !standsBy && (namespace == null || asked == null || Objects.equals(namespace, asked));
        }

        /** From now on the reason holds. */
        public void pause(String reason) throws InterruptedException {
            change(this, reason);
        }

        /** The reason does not hold any more. */
        public void resume() throws InterruptedException {
            change(this, null);
        }

        /** True if the reason holds. */
        public boolean isOn() {
            return monitor.locked(() -> on.containsKey(this));
        }
    }
}
