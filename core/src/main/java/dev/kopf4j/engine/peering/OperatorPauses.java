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
 * What speaks against acting at the moment, in the whole cluster or in one namespace. Thread-safe.
 *
 * <p>Whoever changes it waits until those who obey have done so: work in progress may have come to its end then.
 */
public final class OperatorPauses {
    private final Monitor monitor;
    private final Map<Toggle, String> on = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();

    /** Nothing speaks against it. */
    public OperatorPauses(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** Who obeys. */
    @FunctionalInterface
    public interface Listener {
        /** Something has changed: looks at it anew, and returns when all is as it should be. */
        void changed() throws InterruptedException;
    }

    /** From now on the listener is told of changes. */
    public void listen(Listener listener) {
        monitor.locked(() -> {
            listeners.add(listener);
        });
    }

    /**
     * Something that may speak against acting, which it does not yet.
     *
     * @param namespace where; null for everywhere
     */
    public Toggle toggle(@Nullable String namespace) {
        return new Toggle(namespace);
    }

    /**
     * Something that speaks against acting from the beginning. Nobody is told of it: nobody acts there yet.
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
     * True if nobody is to act on the objects of this namespace; for cluster-scoped objects, and for streams of the
     * whole cluster (null), if there is anything that speaks against acting anywhere.
     */
    public boolean isPaused(@Nullable String namespace) {
        return monitor.locked(() -> on.keySet().stream().anyMatch(toggle -> toggle.concerns(namespace)));
    }

    /** What speaks against acting, for people; empty if nothing does. */
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

    /** One thing that may speak against acting. Thread-safe. */
    public final class Toggle {
        private final @Nullable String namespace;

        private Toggle(@Nullable String namespace) {
            this.namespace = namespace;
        }

        private boolean concerns(@Nullable String asked) {
            return namespace == null || asked == null || Objects.equals(namespace, asked);
        }

        /** From now on it does. */
        public void pause(String reason) throws InterruptedException {
            change(this, reason);
        }

        /** It does not any more. */
        public void resume() throws InterruptedException {
            change(this, null);
        }

        /** True if it does. */
        public boolean isOn() {
            return monitor.locked(() -> on.containsKey(this));
        }
    }
}
