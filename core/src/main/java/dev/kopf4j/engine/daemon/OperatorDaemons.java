package dev.kopf4j.engine.daemon;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.StopReason;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * All daemons and timers of an operator: the one owner of their tasks, which survives the streams, so that none runs
 * twice for an object. Thread-safe.
 */
public final class OperatorDaemons {
    /** How the names of the tasks begin that write what a call of a timer or a daemon has left to be written. */
    public static final String CHANGES_OF = "changes of ";

    /** How long daemons may take to end when the operator exits, before they are interrupted. */
    private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(5);

    /** How long interrupted daemons may take to end when the operator exits. */
    private static final Duration LAST_GRACE = Duration.ofSeconds(1);

    /** The objects share this many monitors, as a monitor for each would cost more memory. */
    private static final int MONITORS = 64;

    private final DaemonEnvironment environment;
    private final List<Monitor> monitors;
    private final Map<Key, ObjectDaemons> objects = new ConcurrentHashMap<>();
    private volatile boolean exiting;

    /**
     * None yet.
     *
     * @param steps what the steps of daemons and timers need
     * @param retryDelay the pause before changes are written again, and before an attempt that could not be brought to
     *     its end is made again, by the number of earlier failures
     */
    public OperatorDaemons(
            Platform platform,
            OperatorSettings.Background settings,
            HandlerCalls calls,
            DaemonPatchWriter writer,
            StepEnvironment steps,
            IntFunction<Duration> retryDelay) {
        this.monitors = Stream.generate(platform::monitor).limit(MONITORS).toList();
        this.environment = new DaemonEnvironment(
                new ActionSchedule(platform, "daemons and timers"),
                calls,
                writer,
                steps,
                retryDelay,
                settings,
                new DaemonEnvironment.WriteReport(platform));
    }

    /** Which object. The cluster may serve one object as several resources. */
    record Key(Resource resource, String uid) {}

    /**
     * The daemons and timers of an object; made if there are none.
     *
     * @param view the object with a live body, as the user's code sees it
     */
    public ObjectDaemons of(
            Resource resource, String uid, ObjectReference reference, Function<BodyView, ResourceObject> view) {
        Key key = new Key(resource, uid);
        ObjectDaemons found = objects.computeIfAbsent(key, absent -> newDaemons(absent, reference, view));
        found.serve();
        return found;
    }

    private ObjectDaemons newDaemons(Key key, ObjectReference reference, Function<BodyView, ResourceObject> view) {
        // Other objects may have the same monitor.
        Monitor monitor = monitors.get(Math.floorMod(key.uid().hashCode(), MONITORS));
        return new ObjectDaemons(this, key, monitor, new LiveObject(reference, view));
    }

    /** The daemons and timers of an object; null if there are none. */
    public @Nullable ObjectDaemons find(Resource resource, String uid) {
        ObjectDaemons found = objects.get(new Key(resource, uid));
        if (found != null) {
            found.serve();
        }
        return found;
    }

    /**
     * Asks the daemons and timers to stop of objects that other replicas will act on.
     *
     * @param others tells by its uid if an object is one of them
     */
    public void giveUp(Predicate<String> others) {
        others(others).forEach(ObjectDaemons::unwatch);
    }

    /**
     * Waits for the end of all that were {@linkplain #giveUp given up}, even of those that were abandoned.
     *
     * @return false if the deadline came first
     */
    public boolean awaitGivenUp(Predicate<String> others, Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : others(others)) {
            if (!each.awaitAll(deadline)) {
                return false;
            }
        }
        return true;
    }

    private List<ObjectDaemons> others(Predicate<String> others) {
        return objects.entrySet().stream()
                .filter(each -> others.test(each.getKey().uid()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** How long to wait for daemons that were asked to stop, before the cycle goes on. */
    public Duration instantExit() {
        return environment.instantExit();
    }

    /**
     * Asks all daemons and timers to stop as the operator exits, and starts none any more. Returns at once;
     * {@link #close} follows.
     */
    public void exit() {
        exiting = true;
        objects.values().forEach(each -> each.stop(StopReason.OPERATOR_EXITING));
    }

    boolean isExiting() {
        return exiting;
    }

    /**
     * Waits for the end of all: first until their last stages, then for the exit timeout. Then interrupts those that
     * are left, also those that were left behind before, and gives them a moment. Waits longer for steps, which are to
     * be recorded, and finally leaves them behind and reports them.
     *
     * @return false if some go on in spite of everything
     * @throws InterruptedException if the operator is ended by force: nobody waits any more then
     */
    public boolean close() throws InterruptedException {
        try {
            boolean ended = awaitEnd(lastStage());
            // Where the process stood still, those that are interrupted late have later last stages.
            ended = ended || awaitEnd(lastStage()) || awaitEnd(environment.after(EXIT_TIMEOUT));
            objects.values().forEach(ObjectDaemons::interruptAll);
            Deadline steps = environment.after(environment.interruptGrace());
            boolean _ = awaitGivenUp(_ -> true, environment.after(LAST_GRACE));
            if (!ended) {
                ended = awaitEnd(environment.now()) || awaitEndAfterSteps(steps);
                objects.values().forEach(ObjectDaemons::abandonAll);
            }
            return ended;
        } finally {
            environment.actionSchedule().close();
        }
    }

    /** False if there are no steps to wait for, or what has made them goes on all the same. */
    private boolean awaitEndAfterSteps(Deadline deadline) throws InterruptedException {
        List<ObjectDaemons> making =
                objects.values().stream().filter(ObjectDaemons::anyMakesSteps).toList();
        for (ObjectDaemons each : making) {
            each.awaitSteps(deadline);
        }
        return !making.isEmpty() && awaitEnd(environment.after(LAST_GRACE));
    }

    private Deadline lastStage() {
        Deadline now = environment.now();
        return objects.values().stream()
                .map(each -> each.lastStage(now))
                .max(Comparator.naturalOrder())
                .orElse(now);
    }

    private boolean awaitEnd(Deadline deadline) throws InterruptedException {
        for (ObjectDaemons each : objects.values()) {
            if (!each.awaitEnd(deadline)) {
                return false;
            }
        }
        return true;
    }

    /** Something of the object is about to be started. */
    void remember(Key key, ObjectDaemons used) {
        objects.put(key, used);
    }

    /** Forgets an object of which nothing is to be remembered. */
    void forget(Key key, ObjectDaemons unused) {
        objects.remove(key, unused);
    }

    /** What all of them share. */
    DaemonEnvironment environment() {
        return environment;
    }

    /** Writes what daemons and timers want to be changed in their objects. Thread-safe. */
    @FunctionalInterface
    public interface DaemonPatchWriter {
        /**
         * Writes changes. Those that the server finds invalid are dropped with an error in the log.
         *
         * @param resourceObject the object as it is known
         * @throws dev.kopf4j.client.error.ClientException if nothing is known of the server's answer: it may be tried
         *     again
         * @throws InterruptedException if the operator stops
         */
        Written write(ResourceObject resourceObject, PatchContent patch) throws InterruptedException;

        /**
         * The result of writing.
         *
         * @param answered the object after it; null if it has not changed or has gone
         * @param remaining what has met newer changes, to be tried again on a newer state; empty if nothing
         */
        record Written(@Nullable ObjectNode answered, PatchContent remaining) {}
    }
}
