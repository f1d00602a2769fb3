package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.queueing.EventDispatcher;
import dev.kopf4j.engine.queueing.StreamHealth;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import org.jspecify.annotations.Nullable;

/** The stream of one resource in one namespace or in the whole cluster, with everything behind it. Thread-safe. */
final class ResourceStream {
    private final Platform platform;
    private final Resource resource;
    private final String title;
    private final ListAndWatchLoop loop;
    private final EventDispatcher reactor;
    private final StreamHealth health;
    private final Monitor monitor;
    private @Nullable Task task;
    private boolean running;

    /** A stream that is paused. */
    ResourceStream(
            Platform platform,
            Resource resource,
            @Nullable String namespace,
            ListAndWatchLoop loop,
            EventDispatcher reactor,
            StreamHealth health) {
        this.platform = platform;
        this.resource = resource;
        this.title = title(resource, namespace);
        this.loop = loop;
        this.reactor = reactor;
        this.health = health;
        this.monitor = platform.monitor();
        health.paused();
    }

    static String title(Resource resource, @Nullable String namespace) {
        return resource + (namespace == null ? " cluster-wide" : " in '" + namespace + "'");
    }

    Resource resource() {
        return resource;
    }

    StreamState state() {
        return new StreamState(
                title, health.isListed(), health.isPaused(), health.trouble(), health.silence(), reactor.waiting());
    }

    StreamHealth health() {
        return health;
    }

    /** True if the objects are in indices. */
    boolean indexes() {
        return reactor.indexes();
    }

    /** After the last pause: what is known of the objects is taken out of the indices. */
    void discard() {
        reactor.discard();
    }

    boolean isRunning() {
        return monitor.locked(() -> running);
    }

    /** Lists and watches from now on. */
    void run() {
        monitor.locked(() -> {
            Task before = task;
            running = true;
            health.resumed();
            reactor.resume();
            task = platform.spawn("stream of " + title, () -> watch(before));
        });
    }

    private void watch(@Nullable Task before) {
        try {
            if (before != null) {
                before.join(Deadline.NEVER);
            }
            loop.run(reactor);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes nothing any more, and drops what has not begun; what is being processed goes on. Returns at once. */
    void pause() {
        monitor.locked(() -> {
            running = false;
            if (task != null) {
                task.interrupt();
            }
        });
        reactor.pause();
        health.paused();
    }

    /**
     * Waits for the end of what is being processed, and interrupts it at the deadline. After {@link #pause}.
     *
     * @return false if something does not end even so
     */
    boolean awaitEnd(Deadline deadline) throws InterruptedException {
        boolean idle = reactor.awaitIdle(deadline);
        Task last = monitor.locked(() -> task);
        return (last == null || last.join(deadline)) && idle;
    }

    /** Waits until the deadline at the most for the end of daemons, which may have longer stages to go through. */
    void awaitDaemons(Deadline deadline) throws InterruptedException {
        reactor.awaitDaemons(deadline);
    }
}
