package dev.kopf4j.engine.queueing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * How many workers the streams of one resource have together, if it is watched in several namespaces. Streams whose
 * objects wait get the next workers in turn. Thread-safe; its monitor is entered within those of dispatchers, and never
 * the other way round.
 */
public final class ResourceWorkers {
    private final OperatorSettings.Queueing settings;
    private final Monitor monitor;

    // Guarded by the monitor.
    private final SequencedSet<WorkerPool> waiting = new LinkedHashSet<>();
    private int workers;
    private int waitingLong;

    /** No workers. */
    public ResourceWorkers(Platform platform, OperatorSettings.Queueing settings) {
        this.settings = settings;
        this.monitor = platform.monitor();
    }

    /** True if there may be another worker. */
    boolean hasRoom() {
        return monitor.locked(this::isRoomLeft);
    }

    private boolean isRoomLeft() {
        Integer limit = settings.workerLimit();
        return workers - waitingLong < settings.workersAtWork() && (limit == null || workers < limit);
    }

    /** Counts a new worker of a stream; false if there may not be another one: then the stream gets one in its turn. */
    boolean begin(WorkerPool pool) {
        return monitor.locked(() -> {
            boolean room = isRoomLeft();
            if (room) {
                workers++;
            } else {
                waiting.add(pool);
            }
            return room;
        });
    }

    /** Objects of the stream wait: it gets another worker in its turn. */
    void wants(WorkerPool pool) {
        monitor.locked(() -> {
            waiting.add(pool);
        });
    }

    /** A worker has ended. */
    void end() {
        monitor.locked(() -> {
            workers--;
        });
    }

    /** A worker is held up by a slow handler, or is not any more. */
    void waitsLong(boolean begins) {
        monitor.locked(() -> {
            waitingLong += begins ? 1 : -1;
        });
    }

    /** True if a worker of the stream has to make way for one of another stream. */
    boolean makesWay(WorkerPool pool) {
        return monitor.locked(() -> waiting.size() > (waiting.contains(pool) ? 1 : 0));
    }

    /** The stream has no objects that wait. */
    void forget(WorkerPool pool) {
        monitor.locked(() -> {
            waiting.remove(pool);
        });
    }

    /** Gives workers to the streams that wait, in turn, as far as there may be more. Without any monitor. */
    void serve() {
        for (WorkerPool next = next(); next != null; next = next()) {
            next.startOne();
        }
    }

    private @Nullable WorkerPool next() {
        return monitor.locked(() -> isRoomLeft() && !waiting.isEmpty() ? waiting.removeFirst() : null);
    }
}
