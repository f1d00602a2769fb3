package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.engine.peering.OperatorPauses;
import dev.kopf4j.engine.queueing.StreamHealth;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts and ends the streams of an operator, so that exactly the wanted ones run. Thread-safe. */
final class ResourceStreams {
    private final Platform platform;
    private final Monitor monitor;
    private final ResourceStreamFactory factory;
    private final OperatorPauses operatorPauses;
    private final Supplier<Set<StreamKey>> wanted;
    private final Duration exitTimeout;

    /** Only one task starts and ends streams at a time: none may begin before its predecessor has ended. */
    private final ConcurrencyLimit adjusting;

    // Guarded by the monitor.
    private final Map<StreamKey, ResourceStream> streams = new HashMap<>();
    private boolean stopped;

    /**
     * No streams.
     *
     * @param monitor guards which streams there are, and what is wanted; notified when a stream gets well or unwell
     * @param wanted the streams that there should be; asked under the monitor
     * @param operatorPauses where no stream may run at the moment
     * @param exitTimeout how long to wait for what is being processed when a stream ends
     */
    ResourceStreams(
            Platform platform,
            Monitor monitor,
            ResourceStreamFactory factory,
            Supplier<Set<StreamKey>> wanted,
            OperatorPauses operatorPauses,
            Duration exitTimeout) {
        this.platform = platform;
        this.monitor = monitor;
        this.factory = factory;
        this.wanted = wanted;
        this.operatorPauses = operatorPauses;
        this.exitTimeout = exitTimeout;
        this.adjusting = new ConcurrencyLimit(platform, 1);
    }

    /** Ends the streams that should not run, and starts those that should, in this order. */
    void adjust() throws InterruptedException {
        adjusting.acquire(Deadline.NEVER);
        try {
            List<ResourceStream> outdated = monitor.locked(this::takeOutdated);
            List<ResourceStream> ending = new ArrayList<>(outdated);
            ending.addAll(monitor.locked(this::runningWherePaused));
            pause(ending);
            Deadline deadline = platform.after(exitTimeout);
            for (ResourceStream stream : ending) {
                stream.awaitDaemons(deadline);
            }
            outdated.forEach(ResourceStream::discard);
            monitor.locked(this::runMissing);
        } finally {
            adjusting.release();
        }
    }

    private List<ResourceStream> takeOutdated() {
        Map<StreamKey, StreamKey> keys = new HashMap<>();
        wanted.get().forEach(key -> keys.put(key, key));
        List<ResourceStream> outdated = streams.values().stream()
                .filter(stream -> !stream.key().isMetBy(keys.get(stream.key())))
                .toList();
        outdated.forEach(stream -> streams.remove(stream.key()));
        return outdated;
    }

    private List<ResourceStream> runningWherePaused() {
        return streams.values().stream()
                .filter(stream -> operatorPauses.isPaused(stream.key().namespace()))
                .filter(ResourceStream::isRunning)
                .toList();
    }

    /**
     * Ends streams; what is being processed may end within the exit timeout.
     *
     * @return false if something goes on in spite of everything
     */
    boolean pause(List<ResourceStream> ending) throws InterruptedException {
        ending.forEach(ResourceStream::pause);
        Deadline deadline = platform.after(exitTimeout);
        boolean ended = true;
        for (ResourceStream stream : ending) {
            ended &= stream.awaitEnd(deadline);
        }
        return ended;
    }

    private void runMissing() {
        if (!stopped) {
            wanted.get().forEach(key -> streams.computeIfAbsent(key, this::newStream));
        }
        // Streams of indexed objects start first, as they close the gate for the others.
        resting().filter(ResourceStream::indexes).forEach(ResourceStream::run);
        resting().forEach(ResourceStream::run);
    }

    private ResourceStream newStream(StreamKey key) {
        return factory.newStream(key, () -> monitor.locked(() -> {}));
    }

    /** The streams that should run, and do not. */
    private Stream<ResourceStream> resting() {
        return streams.values().stream()
                .filter(stream -> !operatorPauses.isPaused(stream.key().namespace()))
                .filter(stream -> !stream.isRunning());
    }

    /** Takes all streams, in order to end them: from now on none is started. */
    List<ResourceStream> takeAll() {
        return monitor.locked(() -> {
            stopped = true;
            List<ResourceStream> all = new ArrayList<>(streams.values());
            streams.clear();
            return all;
        });
    }

    /** Under the monitor: true if each stream has listed its objects, is paused, or has reported why it cannot list. */
    boolean areSettled() {
        return streams.values().stream().map(ResourceStream::health).allMatch(StreamHealth::isSettled);
    }

    /**
     * The memo of an object that one of the streams knows, whatever the version of its resource; empty if none does.
     */
    Optional<Supplier<Object>> findMemo(Resource resource, @Nullable String namespace, String uid) {
        List<ResourceStream> all = monitor.locked(() -> List.copyOf(streams.values()));
        return all.stream()
                .filter(stream -> stream.key().has(resource, namespace))
                .flatMap(stream -> stream.findMemo(uid).stream())
                .findFirst();
    }

    /** The streams at the moment. */
    List<ResourceStream> all() {
        return monitor.locked(() -> List.copyOf(streams.values()));
    }

    /** How the streams are doing at the moment. */
    List<StreamState> states() {
        List<ResourceStream> all = monitor.locked(() -> List.copyOf(streams.values()));
        return all.stream()
                .map(ResourceStream::state)
                .sorted(Comparator.comparing(StreamState::name))
                .toList();
    }
}
