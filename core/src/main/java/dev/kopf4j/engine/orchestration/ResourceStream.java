package dev.kopf4j.engine.orchestration;

import dev.kopf4j.StreamState;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.orchestration.Orchestrator.StreamReport;
import dev.kopf4j.engine.queueing.EventDispatcher;
import dev.kopf4j.engine.queueing.StreamHealth;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The stream of one resource in one namespace or in the whole cluster, with everything behind it. Thread-safe. */
final class ResourceStream {
    private final Platform platform;
    private final StreamKey key;
    private final ListAndWatchLoop loop;
    private final EventDispatcher dispatcher;
    private final @Nullable ChildStream childStream;
    private final StreamHealth health;
    private final WatchedStreamListener.Doctor doctor;
    private final Monitor monitor;
    private @Nullable Task task;
    private boolean running;

    /**
     * A stream that is paused.
     *
     * @param childStream what else is done with the objects, as children of others; null for nothing
     * @param doctor is told what is wrong with the stream
     */
    ResourceStream(
            Platform platform,
            StreamKey key,
            ListAndWatchLoop loop,
            EventDispatcher dispatcher,
            @Nullable ChildStream childStream,
            StreamHealth health,
            WatchedStreamListener.Doctor doctor) {
        this.doctor = doctor;
        this.platform = platform;
        this.key = key;
        this.loop = loop;
        this.dispatcher = dispatcher;
        this.childStream = childStream;
        this.health = health;
        this.monitor = platform.monitor();
        health.paused();
    }

    StreamKey key() {
        return key;
    }

    StreamState state() {
        return new StreamState(
                key.resource(),
                key.namespace(),
                health.isListed(),
                health.isPaused(),
                health.trouble(),
                health.silence(),
                dispatcher.waiting());
    }

    /** How it and its objects are doing, for people. */
    StreamReport report() {
        return new StreamReport(key.resource(), key.namespace(), state(), dispatcher.reports());
    }

    StreamHealth health() {
        return health;
    }

    /** True if handlers wait until all its objects are indexed or known as children: own writes concern it, too. */
    boolean closesGate() {
        return dispatcher.indexes() || childStream != null;
    }

    /** What is known of its objects, and done with them. */
    EventDispatcher dispatcher() {
        return dispatcher;
    }

    /** A client of the operator has written an object. */
    void written(ObjectNode object) throws InterruptedException {
        dispatcher.written(object);
        if (childStream != null) {
            childStream.tap().written(object);
        }
    }

    /** A client of the operator has deleted an object, and it is gone. */
    void writtenAway(String uid) {
        dispatcher.writtenAway(uid);
        if (childStream != null) {
            childStream.tap().writtenAway(uid);
        }
    }

    /**
     * After the last {@link #end}: takes the objects out of the indices.
     *
     * @param forGood false if another stream of the same objects will follow
     */
    void discard(boolean forGood) {
        if (childStream != null) {
            childStream.discard();
        }
        dispatcher.discard(forGood);
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
            if (childStream != null) {
                childStream.begin();
            }
            dispatcher.begin();
            task = platform.spawn("stream of " + key.title(), Platform.untilInterrupted(() -> watch(before)));
        });
    }

    private void watch(@Nullable Task before) throws InterruptedException {
        awaitEndOf(before);
        ListAndWatchListener listener = dispatcher.listener();
        loop.run(new WatchedStreamListener(childStream == null ? listener : childStream.listener(listener), doctor));
    }

    /** Two of them must not tell of their lists at the same time, even if this one has to end, too. */
    private static void awaitEndOf(@Nullable Task before) throws InterruptedException {
        boolean interrupted = false;
        while (before != null && !before.isFinished()) {
            try {
                var _ = before.join(Deadline.NEVER);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            throw new InterruptedException("the stream ends before it has begun");
        }
    }

    /** Lists anew, as there are more objects to act on. Returns at once. */
    void listAnew() {
        monitor.locked(() -> {
            Task before = task;
            if (running && before != null) {
                before.interrupt();
                task = platform.spawn("stream of " + key.title(), Platform.untilInterrupted(() -> watch(before)));
            }
        });
    }

    /**
     * Takes no events any more, and drops what has not begun; what is being processed goes on. Returns at once. The
     * stream may {@link #run} again.
     */
    void end() {
        monitor.locked(() -> {
            running = false;
            if (task != null) {
                task.interrupt();
            }
        });
        dispatcher.end();
        if (childStream != null) {
            childStream.end();
        }
        health.paused();
    }

    /** Waits for the end of what is being processed; false if something goes on at the deadline. */
    boolean awaitEnd(Deadline deadline) throws InterruptedException {
        boolean idle = dispatcher.awaitIdle(deadline);
        Task last = monitor.locked(() -> task);
        return (last == null || last.join(deadline)) && idle;
    }

    /** Waits for the end of what goes on in spite of everything. */
    void awaitLateEnd() throws InterruptedException {
        dispatcher.awaitIdle();
        Task last = monitor.locked(() -> task);
        if (last != null) {
            var _ = last.join(Deadline.NEVER);
        }
    }
}
