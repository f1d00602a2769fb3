package dev.kopf4j.engine.index;

import dev.kopf4j.Resource;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds handlers back until everything that exists is indexed, or known as a child. It is closed while anybody blocks
 * it, for all resources or for those that need what is missing. Nobody waits inside: workers that find it closed put
 * their work aside, and are told when it opens. Thread-safe.
 *
 * <p>Three block it: the {@code Orchestrator}, from the start until it knows which streams there are; each stream whose
 * objects are indexed ({@code StreamIndexReadiness}), from its beginning until all listed objects are; and for the
 * handlers of the parents, each stream of children ({@code ChildStream}), until it has listed them. Streams that block
 * it begin before all others.
 */
public final class IndexReadinessGate {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Platform platform;
    private final Monitor monitor;
    private final Map<String, Predicate<Resource>> blockers = new LinkedHashMap<>();
    private final Map<String, Supplier<String>> ofAll = new LinkedHashMap<>();
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private volatile List<Predicate<Resource>> closed = List.of();
    /** When it will have been closed for all resources for too long; never if it is not. */
    private Deadline overdue = Deadline.NEVER;

    /** An open gate. */
    public IndexReadinessGate(Platform platform) {
        this.platform = platform;
        this.monitor = platform.monitor();
    }

    /** True if the handlers of that resource may be called. */
    public boolean isOpenFor(Resource resource) {
        List<Predicate<Resource>> all = closed;
        return all.isEmpty() || all.stream().noneMatch(each -> each.test(resource));
    }

    /**
     * Closes the gate until the blocker is released.
     *
     * @param missing tells people what it still waits for; called by whoever tells them, without locks
     */
    public void block(String blocker, Supplier<String> missing) {
        monitor.locked(() -> {
            overdue = ofAll.isEmpty() ? platform.after(PATIENCE) : overdue;
            ofAll.put(blocker, missing);
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
            overdue = ofAll.isEmpty() ? Deadline.NEVER : overdue;
            closed = List.copyOf(blockers.values());
            return opens ? List.copyOf(listeners) : List.of();
        });
        told.forEach(Runnable::run);
    }

    /** Once a minute while it is closed for all resources, so that handlers do not wait silently for ever. */
    public void warnWhileClosed(ActionSchedule schedule) {
        schedule.after(PATIENCE, () -> {
            String missing = overdueOnes();
            if (!missing.isEmpty()) {
                log.warn(
                        "K4-007: No handlers are called yet: they wait until the objects of all indices are listed and indexed. Still to"
                                + " come: {}. If a list fails, its reason was logged; an index function that hangs needs a timeout.",
                        missing);
            }
            warnWhileClosed(schedule);
        });
    }

    /** What is wrong if handlers have waited for more than a minute; empty otherwise. */
    public List<String> troubles() {
        String missing = overdueOnes();
        return missing.isEmpty() ? List.of() : List.of("no handlers are called yet, still to come: " + missing);
    }

    /** What it has waited for too long. */
    private String overdueOnes() {
        List<Supplier<String>> blocking =
                monitor.locked(() -> overdue.hasPassed(platform) ? List.copyOf(ofAll.values()) : List.of());
        return blocking.stream().map(Supplier::get).collect(Collectors.joining(", "));
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
