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
 * The reasons not to act at the moment, in the whole cluster or in one namespace. Where nothing is a reason not to act,
 * {@link #shards} has the objects to act on. Thread-safe.
 *
 * <p>A change of a reason returns when the listener has obeyed it: by then, work in progress may have ended.
 */
public final class PauseReasons {
    private final Monitor monitor;
    private final OperatorTrace trace;
    private final Map<Toggle, String> on = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final ShardsToActOn shards;

    /** There are no reasons not to act; those that come are told. */
    public PauseReasons(Platform platform, OperatorTrace trace) {
        this.monitor = platform.monitor();
        this.trace = trace;
        this.shards = new ShardsToActOn(trace);
    }

    /** Starts and stops the work. */
    @FunctionalInterface
    public interface Listener {
        /** The reasons have changed: starts or stops the work accordingly, and returns when that is done. */
        void changed() throws InterruptedException;
    }

    /** The objects to act on. */
    public ShardsToActOn shards() {
        return shards;
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
        shards.serveUntold(ShardSet.NONE);
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
     * True if the objects of this namespace must not be watched at the moment: an operator that only stands by watches
     * them. For cluster-scoped objects and for streams of the whole cluster (null), any reason in any namespace counts.
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
            shards.standBy(reason != null);
        } else if (changed) {
            for (Listener listener : monitor.locked(() -> List.copyOf(listeners))) {
                listener.changed();
            }
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
