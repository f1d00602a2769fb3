package dev.kopf4j.engine.orchestration;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.children.ChildTap;
import dev.kopf4j.engine.children.ChildWatch;
import dev.kopf4j.engine.cycle.OperatorCycles;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.pausing.ShardsToActOn;
import dev.kopf4j.engine.queueing.EventDispatcher;
import dev.kopf4j.engine.queueing.ResourceWorkers;
import dev.kopf4j.engine.queueing.StreamHealth;
import dev.kopf4j.engine.queueing.UnreadableObjects;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Starts and ends the streams of an operator, so that exactly the wanted ones run. Thread-safe. */
final class ResourceStreams implements ShardsToActOn.HandOver {
    /** Interrupted work ends at its next wait, or when its request is abandoned. */
    private static final Duration INTERRUPTED_WORK_ENDS_WITHIN = Duration.ofSeconds(1);

    private final Platform platform;
    private final Monitor monitor;
    private final KubernetesApi api;
    private final OperatorCycles cycles;
    private final ActionSchedule actionSchedule;
    private final IndexReadinessGate gate;
    private final WatchPlan plan;
    /** Those of each resource. */
    private final ConcurrentMap<Resource, ResourceWorkers> workers = new ConcurrentHashMap<>();

    private final PauseReasons pauseReasons;
    private final Consumer<Resource> missing;
    private final Supplier<Set<StreamKey>> wanted;
    /** How long to wait for what is being processed when a stream ends. */
    private final Duration exitTimeout;
    /** How long to wait for what is interrupted then: calls may have the grace to get their steps recorded. */
    private final Duration interruptedEndWithin;

    /** Only one task starts and ends streams at a time: none may begin before its predecessor has ended. */
    private final ConcurrencyLimit adjusting;

    // Guarded by the monitor.
    private final Map<StreamKey, ResourceStream> streams = new HashMap<>();
    /** Those in which something may still be processed. */
    private final Set<ResourceStream> ending = new LinkedHashSet<>();

    private boolean stopped;

    /**
     * No streams.
     *
     * @param monitor guards which streams there are, and what is wanted; notified when a stream gets well or unwell
     * @param cycles the cycles of all objects
     * @param plan what is watched of each resource
     * @param wanted the streams that there should be; asked under the monitor
     * @param pauseReasons where no stream may run at the moment
     * @param missing is told of resources that the server does not know any more, again and again
     */
    ResourceStreams(
            Monitor monitor,
            KubernetesApi api,
            OperatorCycles cycles,
            WatchPlan plan,
            Supplier<Set<StreamKey>> wanted,
            PauseReasons pauseReasons,
            Consumer<Resource> missing) {
        this.missing = missing;
        this.platform = cycles.calls().platform();
        this.monitor = monitor;
        this.api = api;
        this.cycles = cycles;
        this.actionSchedule = new ActionSchedule(platform, "schedule");
        this.gate = new IndexReadinessGate(platform);
        this.plan = plan;
        this.wanted = wanted;
        this.pauseReasons = pauseReasons;
        this.exitTimeout = cycles.settings().queueing().exitTimeout();
        this.interruptedEndWithin =
                cycles.settings().execution().interruptGrace().plus(INTERRUPTED_WORK_ENDS_WITHIN);
        this.adjusting = new ConcurrencyLimit(platform, 1);
    }

    /** Where objects wait for their next cycle. */
    ActionSchedule actionSchedule() {
        return actionSchedule;
    }

    /** Holds handlers back until the indices are complete. */
    IndexReadinessGate gate() {
        return gate;
    }

    /**
     * Ends the streams that should not run, and starts those that should, in this order. Returns when that is done.
     * {@link PauseReasons} call it whenever a reason not to act comes or goes, and the {@link Orchestrator} when other
     * streams are wanted.
     *
     * <p>A stream ends in these steps. It takes no events any more, drops what has not begun or could not be sent, and
     * tells its daemons to stop. What is being processed may go on for the exit timeout; then it is interrupted, and
     * has the grace of interrupted calls and a second more; the call of a handler that is interrupted so counts as no
     * attempt. At last, its daemons have the exit timeout, too. Its objects stay known, unless it is not wanted any
     * more.
     */
    void adjust() throws InterruptedException {
        adjusting.acquire(Deadline.NEVER);
        try {
            List<ResourceStream> outdated = monitor.locked(this::takeOutdated);
            List<ResourceStream> ending = new ArrayList<>(outdated);
            ending.addAll(monitor.locked(this::runningWherePaused));
            end(ending);
            Deadline deadline = platform.after(exitTimeout);
            for (ResourceStream stream : ending) {
                stream.dispatcher().awaitDaemons(deadline);
            }
            Set<StreamKey> following = monitor.locked(wanted);
            outdated.forEach(stream -> stream.discard(!following.contains(stream.key())));
            monitor.locked(() -> outdated.stream().filter(this.ending::contains).toList())
                    .forEach(this::forgetWhenEnded);
            monitor.locked(this::runMissing);
        } finally {
            adjusting.release();
        }
    }

    /** Something goes on in spite of everything: only when it has ended, nothing is kept of the stream any more. */
    private void forgetWhenEnded(ResourceStream late) {
        platform.spawn("end of the stream of " + late.key().title(), Platform.untilInterrupted(() -> {
            late.awaitLateEnd();
            monitor.locked(() -> ending.remove(late));
        }));
    }

    private List<ResourceStream> takeOutdated() {
        Map<StreamKey, StreamKey> keys = new HashMap<>();
        wanted.get().forEach(key -> keys.put(key, key));
        List<ResourceStream> outdated = streams.values().stream()
                .filter(stream -> {
                    StreamKey key = keys.get(stream.key());
                    return key == null
                            || !stream.key().isMetBy(key)
                            || !plan.hasSameHandlers(stream.key().resource(), key.resource());
                })
                .toList();
        outdated.forEach(stream -> streams.remove(stream.key()));
        ending.addAll(outdated);
        return outdated;
    }

    private List<ResourceStream> runningWherePaused() {
        return streams.values().stream()
                .filter(stream -> pauseReasons.isPaused(stream.key().namespace()))
                .filter(ResourceStream::isRunning)
                .toList();
    }

    /**
     * Ends streams; what is being processed may end within the exit timeout.
     *
     * @return false if something goes on in spite of everything
     */
    boolean end(List<ResourceStream> ending) throws InterruptedException {
        ending.forEach(ResourceStream::end);
        Deadline deadline = platform.after(exitTimeout);
        for (ResourceStream stream : ending) {
            stream.dispatcher().interruptAt(deadline);
        }
        Deadline end = platform.after(interruptedEndWithin);
        boolean ended = true;
        for (ResourceStream stream : ending) {
            boolean over = stream.awaitEnd(end);
            ended &= over;
            if (over) {
                monitor.locked(() -> this.ending.remove(stream));
            }
        }
        return ended;
    }

    /** Gives up the objects that other replicas will act on; false if something goes on in spite of everything. */
    @Override
    public boolean giveUp() throws InterruptedException {
        ShardSet shards = pauseReasons.shards().now();
        Predicate<String> others = uid -> !shards.has(uid);
        List<ResourceStream> working = monitor.locked(() -> {
            List<ResourceStream> all = new ArrayList<>(streams.values());
            all.addAll(ending);
            return all;
        });
        working.forEach(stream -> stream.dispatcher().giveUp());
        cycles.daemons().giveUp(others);
        Deadline deadline = platform.after(exitTimeout);
        for (ResourceStream stream : working) {
            stream.dispatcher().interruptGivenUpAt(deadline);
        }
        Deadline end = platform.after(interruptedEndWithin);
        boolean ended = true;
        for (ResourceStream stream : working) {
            ended &= stream.dispatcher().awaitGivenUp(end);
        }
        // Workers may have started daemons meanwhile.
        cycles.daemons().giveUp(others);
        return cycles.daemons().awaitGivenUp(others, deadline) && ended;
    }

    /** Lists all objects anew, as there are more to act on, which others have acted on until now. */
    @Override
    public void takeMore() {
        cycles.children().index().parentsComeFromOthers();
        all().forEach(ResourceStream::listAnew);
    }

    private void runMissing() {
        if (!stopped) {
            wanted.get().forEach(key -> streams.computeIfAbsent(key, this::newStream));
        }
        // They start first, so that the gate is closed when the others start.
        resting().filter(ResourceStream::closesGate).forEach(ResourceStream::run);
        resting().forEach(ResourceStream::run);
    }

    /** A stream that is paused, with everything behind it. */
    private ResourceStream newStream(StreamKey key) {
        Resource resource = key.resource();
        Narrowing narrowing = plan.narrowing(resource);
        OperatorTrace trace = cycles.calls().runner().trace();
        trace.happened(new OperatorStep.StreamBegan(resource, key.namespace(), narrowing.labelSelector()));
        OperatorSettings.Watching watching = cycles.settings().watching();
        StreamHealth health =
                new StreamHealth(platform, key.title(), watching.inactivityTimeout(), trace, this::healthChanged);
        ResourceHandlers handlers = plan.handlers(resource);
        if (isHandledInAnotherVersion(resource)) {
            cycles.keptFinalizers().add(resource); // it is taken off there: nothing has to be told
        }
        EventDispatcher dispatcher = new EventDispatcher(
                cycles.processor(resource, handlers),
                actionSchedule,
                gate,
                workers.computeIfAbsent(
                        resource,
                        each -> new ResourceWorkers(platform, cycles.settings().queueing())),
                health,
                new UnreadableObjects(
                        platform, resource, cycles.calls().objects().events(), trace),
                pauseReasons.shards());
        ListAndWatchLoop loop = new ListAndWatchLoop(
                platform, api, resource, key.namespace(), narrowing, watching, watching.resyncInterval());
        ChildStream childStream = childStream(key, !handlers.isEmpty());
        if (childStream != null) {
            dispatcher.isListedForParents();
        }
        return new ResourceStream(
                platform, key, loop, dispatcher, childStream, health, (_, failure) -> suspect(resource, failure));
    }

    private boolean isHandledInAnotherVersion(Resource resource) {
        return wanted.get().stream()
                .map(StreamKey::resource)
                .anyMatch(each -> WatchedResources.isSame(each, resource)
                        && !each.equals(resource)
                        && plan.handlers(each).handlesStates());
    }

    private void suspect(Resource resource, @Nullable Exception failure) {
        if (failure instanceof NotFoundException) {
            missing.accept(resource);
        }
    }

    private @Nullable ChildStream childStream(StreamKey key, boolean handled) {
        ChildWatch watch = plan.childWatch(key.resource());
        if (watch == null) {
            return null;
        }
        ChildTap tap = new ChildTap(cycles.children().index(), watch, key.namespace());
        return new ChildStream(
                tap, watch, gate, key.title(), handled, cycles.calls().runner().trace());
    }

    private void healthChanged() {
        monitor.locked(() -> {});
    }

    /** The streams that should run, and do not. */
    private Stream<ResourceStream> resting() {
        return streams.values().stream()
                .filter(stream -> !pauseReasons.isPaused(stream.key().namespace()))
                .filter(stream -> !stream.isRunning());
    }

    /** Takes all streams, in order to end them: from now on none is started. */
    List<ResourceStream> takeAll() {
        return monitor.locked(() -> {
            stopped = true;
            ending.addAll(streams.values());
            streams.clear();
            // Those that were ending before are waited for, too.
            return List.copyOf(ending);
        });
    }

    /**
     * Under the monitor: true if each wanted stream has listed its objects, is paused, or has reported why it cannot
     * list.
     */
    boolean areSettled() {
        return streams.values().stream().map(ResourceStream::health).allMatch(StreamHealth::isSettled) && haveBegun();
    }

    /** There is a stream, running or paused, for all that is wanted. */
    private boolean haveBegun() {
        return stopped || streams.keySet().containsAll(wanted.get());
    }

    /**
     * The memo of an object that one of the streams knows, whatever the version of its resource; empty if none does.
     */
    Optional<Supplier<Object>> findMemo(Resource resource, @Nullable String namespace, String uid) {
        return all().stream()
                .filter(stream -> stream.key().has(resource, namespace))
                .flatMap(stream -> stream.dispatcher().findMemo(uid).stream())
                .findFirst();
    }

    /** What only memory knows of the object with that uid; empty if no stream knows it. */
    Optional<ObjectNode> recall(String uid) {
        return all().stream()
                .flatMap(stream -> stream.dispatcher().recall(uid).stream())
                .findFirst();
    }

    /** The streams at the moment. */
    List<ResourceStream> all() {
        return monitor.locked(() -> List.copyOf(streams.values()));
    }

    /** Asks the server about a namespace at this moment. */
    @FunctionalInterface
    interface NamespaceLook {
        /** True if all is gone that was in the namespace; false also if that cannot be told. */
        boolean isGone(String namespace) throws InterruptedException;
    }

    /**
     * A namespace was told to be gone: its streams tell of what went with it, if the server does not. True once nothing
     * is left to do for its objects, or nothing may be done.
     *
     * <p>Streams may be ahead of the one of namespaces, and know objects of a namespace of the same name that was made
     * meanwhile. Only what was known before the look has gone.
     */
    boolean haveDoneAll(String namespace, NamespaceLook look) throws InterruptedException {
        Map<ResourceStream, Set<String>> left = new LinkedHashMap<>();
        for (ResourceStream stream : all()) {
            boolean tells = stream.isRunning() && stream.health().isListed();
            if (namespace.equals(stream.key().namespace()) && tells) {
                left.put(stream, stream.dispatcher().known());
            }
        }
        left.values().removeIf(Set::isEmpty);
        if (!left.isEmpty() && look.isGone(namespace)) {
            for (Map.Entry<ResourceStream, Set<String>> each : left.entrySet()) {
                each.getKey().dispatcher().gone(each.getValue());
            }
        }
        return left.isEmpty();
    }

    /** How the streams are doing at the moment. */
    List<StreamState> states() {
        return all().stream()
                .map(ResourceStream::state)
                .sorted(Comparator.comparing(StreamState::name))
                .toList();
    }
}
