package dev.kopf4j.engine.daemon;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.StopReason;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.DaemonCalls;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All daemons and timers of an operator: the one owner of their tasks, which survives the streams, so that none runs
 * twice for an object. Thread-safe.
 */
public final class OperatorDaemons {
    /** How long those that hang may take when the operator ends, before they are interrupted. */
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(5);

    /** How long to wait for those that end at once, where the settings do not say. */
    private static final Duration INSTANT_EXIT = Duration.ofMillis(10);

    /** How long interrupted ones may take to end when the operator does. */
    private static final Duration LAST_GRACE = Duration.ofSeconds(1);

    /** So many objects may start and stop something at the same time; a monitor for each would cost more memory. */
    private static final int MONITORS = 64;

    private final Platform platform;
    private final DaemonEnvironment daemonEnvironment;
    private final List<Monitor> monitors;
    private final Map<Key, ObjectDaemons> objects = new ConcurrentHashMap<>();
    private volatile boolean exiting;

    /**
     * None yet.
     *
     * @param retryDelay the pause before changes are written again, by the number of failures before
     */
    public OperatorDaemons(
            Platform platform,
            OperatorSettings.Background settings,
            DaemonCalls calls,
            DaemonPatchWriter writer,
            IntFunction<Duration> retryDelay) {
        Duration instantExit = settings.instantExitTimeout();
        this.platform = platform;
        this.monitors = Stream.generate(platform::monitor).limit(MONITORS).toList();
        this.daemonEnvironment = new DaemonEnvironment(
                platform,
                new ActionSchedule(platform, "daemons and timers"),
                calls,
                writer,
                retryDelay,
                settings.cancellationPolling(),
                instantExit == null ? INSTANT_EXIT : instantExit);
    }

    /** Which object; one may be served as several resources. */
    record Key(Resource resource, String uid) {}

    /**
     * Those of an object; made if there are none.
     *
     * @param subject the object with a live body, as the user's code sees it
     */
    public ObjectDaemons of(
            Resource resource, String uid, ObjectReference reference, Function<BodyView, ResourceObject> subject) {
        Key key = new Key(resource, uid);
        ObjectDaemons found =
                objects.computeIfAbsent(key, absent -> new ObjectDaemons(this, absent, reference, subject));
        found.serve();
        return found;
    }

    /** Those of an object; null if there are none. */
    public @Nullable ObjectDaemons find(Resource resource, String uid) {
        ObjectDaemons found = objects.get(new Key(resource, uid));
        if (found != null) {
            found.serve();
        }
        return found;
    }

    /** How long to wait for those to end that are asked to stop, before anything else is done. */
    public Duration instantExit() {
        return daemonEnvironment.instantExit();
    }

    /** How many objects have any. */
    public int size() {
        return objects.size();
    }

    /** The operator ends: asks all to stop, and starts none any more. Returns at once; {@link #close} follows. */
    public void exit() {
        exiting = true;
        objects.values().forEach(each -> each.stop(StopReason.OPERATOR_EXITING));
    }

    boolean isExiting() {
        return exiting;
    }

    /**
     * Waits for the end of all: first as long as their stages take, then for the exit timeout; then interrupts those
     * that are left, and finally leaves them behind, with a report.
     *
     * @return false if some go on in spite of everything
     * @throws InterruptedException if the operator is ended by force: nobody waits any more then
     */
    public boolean close() throws InterruptedException {
        try {
            boolean ended = awaitEnd(lastStage()) || awaitEnd(platform.after(EXIT_TIMEOUT));
            if (!ended) {
                running().forEach(OperatorDaemons::interrupt);
                ended = awaitEnd(platform.after(LAST_GRACE));
                running().forEach(OperatorDaemons::leaveBehind);
            }
            return ended;
        } finally {
            daemonEnvironment.actionSchedule().close();
        }
    }

    private Deadline lastStage() {
        return running().stream()
                .map(each -> each.owner().monitor().locked(each::stoppedBy))
                .max(Comparator.naturalOrder())
                .orElseGet(() -> platform.after(Duration.ZERO));
    }

    private boolean awaitEnd(Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : objects.values()) {
            if (!each.awaitEnd(deadline)) {
                return false;
            }
        }
        return true;
    }

    private static void interrupt(RunningDaemon running) {
        running.owner().monitor().locked(() -> {
            DaemonAttempt daemonAttempt = running.daemonAttempt();
            if (daemonAttempt != null) {
                daemonAttempt.interrupt();
            }
        });
    }

    private static void leaveBehind(RunningDaemon running) {
        Runnable words = running.owner().monitor().locked(() -> {
            DaemonStopping daemonStopping = running.daemonStopping();
            return daemonStopping == null || !running.isRunning() ? () -> {} : daemonStopping.abandon();
        });
        words.run();
    }

    private List<RunningDaemon> running() {
        List<RunningDaemon> all = new ArrayList<>();
        objects.values()
                .forEach(each -> each.monitor().locked(() -> {
                    all.addAll(each.running());
                }));
        return all;
    }

    /** Something of the object is about to be started. */
    void remember(Key key, ObjectDaemons used) {
        objects.put(key, used);
    }

    /** Forgets an object of which nothing is to be remembered. */
    void forget(Key key, ObjectDaemons unused) {
        objects.remove(key, unused);
    }

    /** Guards what an object has; others may have the same one. */
    Monitor monitor(Key key) {
        return monitors.get(Math.floorMod(key.uid().hashCode(), MONITORS));
    }

    DaemonEnvironment daemonEnvironment() {
        return daemonEnvironment;
    }
}
