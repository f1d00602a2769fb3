package dev.kopf4j.engine.peering;

import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reasons not to act at the moment, in the whole cluster or in one namespace. Thread-safe.
 *
 * <p>A change of a reason returns when the listener has obeyed it: by then, work in progress may have ended.
 */
public final class OperatorPauses {
    private final Monitor monitor;
    private final Map<Toggle, String> on = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();

    /** There are no reasons not to act. */
    public OperatorPauses(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** Starts and stops the work. */
    @FunctionalInterface
    public interface Listener {
        /** The reasons have changed: starts or stops the work accordingly, and returns when that is done. */
        void changed() throws InterruptedException;
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
        return new Toggle(namespace);
    }

    /**
     * A reason not to act that holds from the beginning. The listener is not told, as nothing is done there yet.
     *
     * @param namespace where; null for everywhere
     */
    public Toggle paused(@Nullable String namespace, String reason) {
        Toggle toggle = new Toggle(namespace);
        monitor.locked(() -> {
            on.put(toggle, reason);
        });
        return toggle;
    }

    /**
     * True if the operator must not act on the objects of this namespace. For cluster-scoped objects and for streams of
     * the whole cluster (null), any reason in any namespace counts.
     */
    public boolean isPaused(@Nullable String namespace) {
        return monitor.locked(() -> on.keySet().stream().anyMatch(toggle -> toggle.concerns(namespace)));
    }

    /** The reasons not to act, for people; empty if there are none. */
    public List<String> reasons() {
        return monitor.locked(() -> List.copyOf(on.values()));
    }

    private void change(Toggle toggle, @Nullable String reason) throws InterruptedException {
        List<Listener> told = monitor.locked(() -> {
            String before = reason == null ? on.remove(toggle) : on.put(toggle, reason);
            boolean changed = (before == null) != (reason == null);
            return changed ? List.copyOf(listeners) : List.of();
        });
        for (Listener listener : told) {
            listener.changed();
        }
    }

    /** One possible reason not to act. Thread-safe. */
    public final class Toggle {
        private final @Nullable String namespace;

        private Toggle(@Nullable String namespace) {
            this.namespace = namespace;
        }

        private boolean concerns(@Nullable String asked) {
            return namespace == null || asked == null || Objects.equals(namespace, asked);
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
