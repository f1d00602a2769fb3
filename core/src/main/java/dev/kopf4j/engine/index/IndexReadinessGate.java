package dev.kopf4j.engine.index;

import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds handlers back until everything that exists is indexed. It is closed while anybody blocks it. Nobody waits
 * inside: workers that find it closed put their work aside, and are told when it opens. Thread-safe.
 */
public final class IndexReadinessGate {
    private final Monitor monitor;
    private final Set<String> blockers = new LinkedHashSet<>();
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private volatile boolean open = true;

    /** An open gate. */
    public IndexReadinessGate(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** True if handlers may be called. */
    public boolean isOpen() {
        return open;
    }

    /** Closes the gate until the blocker is released. */
    public void block(String blocker) {
        monitor.locked(() -> {
            blockers.add(blocker);
            open = false;
        });
    }

    /** Opens the gate if nobody else blocks it; nothing happens if this one does not block it. */
    public void release(String blocker) {
        List<Runnable> told = monitor.locked(() -> {
            boolean opens = blockers.remove(blocker) && blockers.isEmpty();
            open = blockers.isEmpty();
            return opens ? List.copyOf(listeners) : List.of();
        });
        told.forEach(Runnable::run);
    }

    /** Who blocks it at the moment. */
    public List<String> blockers() {
        return monitor.locked(() -> new ArrayList<>(blockers));
    }

    /** Each time that it opens, the listener is run, by whoever has opened it. */
    public void onOpening(Runnable listener) {
        monitor.locked(() -> {
            listeners.add(listener);
        });
    }

    /** Does not tell the listener any more. */
    public void forget(Runnable listener) {
        monitor.locked(() -> {
            listeners.remove(listener);
        });
    }
}
