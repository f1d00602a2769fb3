package dev.kopf4j.engine.index;

import dev.kopf4j.Resource;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Holds handlers back until everything that exists is indexed, or known as a child. It is closed while anybody blocks
 * it, for all resources or for those that need what is missing. Nobody waits inside: workers that find it closed put
 * their work aside, and are told when it opens. Thread-safe.
 */
public final class IndexReadinessGate {
    private final Monitor monitor;
    private final Map<String, Predicate<Resource>> blockers = new LinkedHashMap<>();
    private final Set<String> ofAll = new LinkedHashSet<>();
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private volatile List<Predicate<Resource>> closed = List.of();

    /** An open gate. */
    public IndexReadinessGate(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** True if the handlers of that resource may be called. */
    public boolean isOpenFor(Resource resource) {
        List<Predicate<Resource>> all = closed;
        return all.isEmpty() || all.stream().noneMatch(each -> each.test(resource));
    }

    /** Closes the gate until the blocker is released. */
    public void block(String blocker) {
        monitor.locked(() -> {
            ofAll.add(blocker);
        });
        block(blocker, resource -> true);
    }

    /** Closes the gate until the blocker is released, but only for the handlers of some resources. */
    public void block(String blocker, Predicate<Resource> resources) {
        monitor.locked(() -> {
            blockers.put(blocker, resources);
            closed = List.copyOf(blockers.values());
        });
    }

    /** Opens the gate for those whom nobody else blocks; nothing happens if this one does not block it. */
    public void release(String blocker) {
        List<Runnable> told = monitor.locked(() -> {
            boolean opens = blockers.remove(blocker) != null;
            ofAll.remove(blocker);
            closed = List.copyOf(blockers.values());
            return opens ? List.copyOf(listeners) : List.of();
        });
        told.forEach(Runnable::run);
    }

    /** Who blocks it at the moment for all resources. */
    public List<String> blockers() {
        return monitor.locked(() -> List.copyOf(ofAll));
    }

    /** Each time that it opens for some, the listener is run, by whoever has opened it. */
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
