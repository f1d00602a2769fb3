package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.cycle.OperatorCycles;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.observation.CrdObserver;
import dev.kopf4j.engine.observation.DeclaredFields;
import dev.kopf4j.engine.observation.NamespaceObserver;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.RepeatedDiscovery;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.peering.OperatorPeerings;
import dev.kopf4j.engine.queueing.ObjectReport;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.spi.WriteListener;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides which streams run: finds the resources that handlers select, wants a stream for each of them in each
 * namespace, and follows resources and namespaces that come and go. Thread-safe.
 */
public final class Orchestrator {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    /** Within this time the streams of a namespace have told what went with it, though it is another one that ends. */
    private static final Duration STREAMS_CATCH_UP_WITHIN = Duration.ofSeconds(5);

    /** What is wanted, and is not served, may come without a word: as long as it is, all is looked at that often. */
    private static final Duration LOOK_AGAIN_WITHIN = Duration.ofMinutes(5);

    private static final Duration LOOK_AGAIN_FOR_OPTIONAL_WITHIN = Duration.ofMinutes(30);

    private static final String DISCOVERY = "the look-up of resources and namespaces";

    private final HandlerRegistry registry;
    private final OperatorCycles cycles;
    private final PauseReasons pauseReasons;
    private final OperatorPeerings operatorPeerings;
    private final ResourceListener resourceListener;
    private final RepeatedDiscovery discovery;
    private final ActionSchedule actionSchedule;
    private final IndexReadinessGate gate;
    private final ResourceStreams streams;
    private final OwnWrites ownWrites;
    private final WatchPlan plan;
    private final Platform platform;
    private final KubernetesApi api;
    /** They observe what the cluster serves and which namespaces exist. Confined to start and stop. */
    private final List<Task> observers = new ArrayList<>();

    private final List<ObserverHealth> observersHealth = new CopyOnWriteArrayList<>();

    private final Monitor monitor;

    // Guarded by the monitor.
    private final WatchTargets targets;

    /** Hears what the cluster serves. Called by one task at a time. */
    @FunctionalInterface
    public interface ResourceListener {
        /**
         * The cluster serves these now, as far as is known.
         *
         * @throws InterruptedException if the operator stops
         */
        void found(Collection<Resource> resources) throws InterruptedException;
    }

    /**
     * Nothing is watched yet.
     *
     * @param namespaces which namespaces; empty for the whole cluster
     * @param pauseReasons tells where the operator must not act at the moment
     * @param operatorPeerings takes part in the peering of the watched namespaces
     * @param resourceListener hears what the cluster serves, before anything of it is watched
     */
    public Orchestrator(
            KubernetesApi api,
            HandlerRegistry registry,
            OperatorCycles cycles,
            List<NamespacePattern> namespaces,
            PauseReasons pauseReasons,
            OperatorPeerings operatorPeerings,
            ResourceListener resourceListener) {
        this.registry = registry;
        this.resourceListener = resourceListener;
        this.cycles = cycles;
        this.pauseReasons = pauseReasons;
        this.operatorPeerings = operatorPeerings;
        this.targets = new WatchTargets(namespaces);
        this.plan = new WatchPlan(registry, namespaces, cycles.settings());
        this.platform = cycles.calls().platform();
        this.api = api;
        this.monitor = platform.monitor();
        this.discovery = new RepeatedDiscovery(
                platform,
                new ServedResources(api.apiDiscovery()::scan, registry, operatorPeerings.groups()),
                this::revise);
        this.streams =
                new ResourceStreams(monitor, api, cycles, plan, targets::wantedStreams, pauseReasons, this::suspect);
        this.actionSchedule = streams.actionSchedule();
        this.gate = streams.gate();
        this.ownWrites = new OwnWrites(streams::all);
    }

    /** Finds what there is, and starts to watch it. */
    public void start() throws InterruptedException {
        pauseReasons.listen(streams::adjust);
        pauseReasons.shards().handOver(streams);
        if (!cycles.indexing().indices().isEmpty() || registry.watchesChildren()) {
            gate.block(DISCOVERY, () -> DISCOVERY);
            gate.warnWhileClosed(actionSchedule);
        }
        if (!plan.watchesDefinitions()) {
            monitor.locked(targets::namespacesRemainUnknown);
        }
        discovery.begin();
        openGateIfAllIsKnown();
        observers.add(platform.spawnEssential("look-up of resources", discovery));
        plan.scanned().forEach(this::observe);
        if (plan.findsNamespaces()) {
            observers.add(platform.spawnEssential(
                    "streams of namespaces that are gone", Platform.untilInterrupted(this::followToTheEnd)));
        }
    }

    /** Lets an observer follow all objects of a resource, in a task of its own. */
    private void observe(Resource resource) {
        ListAndWatchLoop loop = new ListAndWatchLoop(
                platform, api, resource, null, cycles.settings().watching());
        ObserverHealth health = new ObserverHealth(
                platform,
                resource,
                // A stream that is only silent is restored, and says so.
                cycles.settings().watching().inactivityTimeout().multipliedBy(2),
                resource.equals(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS));
        observersHealth.add(health);
        ListAndWatchListener observer = new WatchedStreamListener(observer(resource), health);
        observers.add(platform.spawnEssential("stream of " + resource, () -> loop.run(observer)));
    }

    private ListAndWatchListener observer(Resource resource) {
        return resource.equals(WellKnownResources.NAMESPACES)
                ? new NamespaceObserver(targets.patterns(), new NamespaceChanges())
                : new CrdObserver(discovery, new DeclaredFields(registry));
    }

    /** Before the namespaces are known, too, it is unknown which objects have to be indexed. */
    private void openGateIfAllIsKnown() {
        if (monitor.locked(targets::areNamespacesKnown)) {
            gate.release(DISCOVERY);
        }
    }

    /**
     * Waits until all existing objects are known, or it was reported why they cannot be; where the operator does not
     * act, nothing has to be known.
     */
    public boolean awaitListed(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(() -> targets.areNamespacesKnown() && streams.areSettled(), deadline);
    }

    /** The server does not know the resource of a stream any more. Who wants no scanning keeps what was there. */
    private void suspect(Resource resource) {
        if (plan.watchesDefinitions()) {
            discovery.suspect(resource.group());
        }
    }

    private Duration revise(ServedResources found) throws InterruptedException {
        resourceListener.found(found.known());
        WatchedResources selected = WatchedResources.of(registry, found.known(), monitor.locked(targets::watched));
        operatorPeerings.join(found.known(), monitor.locked(targets::namespaces));
        cycles.children().index().exclude(kindsOfNoParents(found));
        monitor.locked(() -> targets.found(found, selected));
        adjust();
        // Who wants no scanning looks once.
        return plan.watchesDefinitions() ? nextLookWithin(selected) : Duration.ZERO;
    }

    private Duration nextLookWithin(WatchedResources selected) {
        boolean allServed = selected.unresolved().isEmpty();
        if (allServed && selected.emptyClasses().isEmpty() && selected.dropped().isEmpty()) {
            return Duration.ZERO;
        }
        boolean optional = (allServed || cycles.settings().scanning().optionalResources())
                && selected.dropped().isEmpty();
        return optional ? LOOK_AGAIN_FOR_OPTIONAL_WITHIN : LOOK_AGAIN_WITHIN;
    }

    /** Of what is known, everything but the resources whose objects have handlers of children. */
    private Set<String> kindsOfNoParents(ServedResources found) {
        Set<String> kinds = new HashSet<>();
        Set<String> parents = new HashSet<>();
        for (Resource resource : found.known()) {
            Set<String> which = registry.of(resource).children().isEmpty() ? kinds : parents;
            which.add(resource.group() + "/" + resource.kind());
        }
        kinds.removeAll(parents);
        return kinds;
    }

    /** Ends streams before the operator leaves their peering; others may resume after it has left. */
    private void adjust() throws InterruptedException {
        streams.adjust();
        if (operatorPeerings.leaveOthers(monitor.locked(targets::served), monitor.locked(targets::namespaces))) {
            streams.adjust();
        }
    }

    /** Ends the streams of namespaces that are gone, as soon as they have nothing left to do. */
    private void followToTheEnd() throws InterruptedException {
        while (true) {
            monitor.awaitTrue(() -> !targets.leaving().isEmpty(), Deadline.NEVER);
            Set<String> leaving = monitor.locked(targets::leaving);
            platform.sleep(STREAMS_CATCH_UP_WITHIN);
            for (String namespace : leaving) {
                if (monitor.locked(() -> targets.leaving().contains(namespace))
                        && streams.haveDoneAll(namespace, this::isGone)) {
                    monitor.locked(() -> targets.left(namespace));
                }
            }
            adjust();
        }
    }

    /** As long as the server does not say so, nothing is told of what may be there. */
    private boolean isGone(String namespace) throws InterruptedException {
        try {
            return NamespaceObserver.isGone(api.with(api.settings().withErrorBackoffs()), namespace);
        } catch (ClientException e) {
            log.debug("It is not known whether the namespace {} is gone: {}", namespace, e.getMessage());
            return false;
        }
    }

    /** Follows the namespaces that match. */
    private final class NamespaceChanges implements NamespaceObserver.Listener {
        @Override
        public void found(Set<String> found) throws InterruptedException {
            operatorPeerings.join(monitor.locked(targets::served), monitor.locked(() -> targets.namespacesWith(found)));
            monitor.locked(() -> targets.namespacesFound(found));
            adjust();
            openGateIfAllIsKnown();
        }

        @Override
        public void refused() {
            monitor.locked(targets::namespacesRemainUnknown);
            openGateIfAllIsKnown();
        }
    }

    /**
     * Ends all streams; what is being processed may end within the exit timeout, and daemons within their own time.
     *
     * @return false if something goes on in spite of everything
     */
    public boolean stop() throws InterruptedException {
        List<ResourceStream> ending = streams.takeAll();
        observers.forEach(Task::interrupt);
        actionSchedule.close();
        cycles.daemons().exit();
        boolean ended = streams.end(ending);
        return cycles.daemons().close() && ended;
    }

    /** Hears what clients of the operator write. */
    public WriteListener writes() {
        return ownWrites;
    }

    /** A child was applied: the indices have it from now on. */
    public void applied(ObjectNode child) throws InterruptedException {
        ownWrites.applied(child);
    }

    /**
     * The API groups that may be needed, but do not answer, the resources of handlers that do not exist, if these are
     * not optional, or are not watched though they do, what is wrong with the streams of definitions and namespaces,
     * and what the indices have waited for too long; for people.
     */
    public List<String> unavailable() {
        boolean optional = cycles.settings().scanning().optionalResources();
        List<String> all = new ArrayList<>(gate.troubles());
        return monitor.locked(() -> {
            all.addAll(targets.unavailable());
            if (!optional) {
                String after = plan.watchesDefinitions()
                        ? ""
                        : ", and is not asked again, as scanning.disabled is set: start the operator again when it does";
                targets.unresolved().forEach(each -> all.add(each + after));
            }
            all.addAll(targets.dropped());
            observersHealth.forEach(each -> each.trouble().ifPresent(all::add));
            return all;
        });
    }

    /**
     * The memo of an object that is watched; empty if it is not.
     *
     * @param namespace its namespace; null if it is cluster-scoped
     */
    public Optional<Supplier<Object>> findMemo(Resource resource, @Nullable String namespace, String uid) {
        return streams.findMemo(resource, namespace, uid);
    }

    /** What only memory knows of the object with that uid, for people; empty if it is not watched. */
    public Optional<ObjectNode> recall(String uid) {
        return streams.recall(uid);
    }

    /** The children that are known of the object with that uid, by their owner references. */
    public List<LiveChild> children(String uid) {
        return cycles.children().index().children(uid);
    }

    /** How the streams and their objects are doing at the moment, for people. */
    public List<StreamReport> reports() {
        return streams.all().stream().map(ResourceStream::report).toList();
    }

    /** How the streams are doing at the moment. */
    public List<StreamState> streams() {
        return streams.states();
    }

    /**
     * How a stream of the framework itself is doing, by which the operator follows definitions or namespaces: without
     * it, nobody would notice that new ones are not handled. Thread-safe.
     */
    private static final class ObserverHealth implements WatchedStreamListener.Doctor {
        private final Platform platform;
        private final Resource resource;
        private final Duration patience;
        private final boolean mayBeForbidden;
        private volatile long heardAt;
        private volatile @Nullable String trouble;

        /**
         * A stream that begins now.
         *
         * @param patience for how long it may be silent
         * @param mayBeForbidden true if the operator can do without: the missing right is told in the log
         */
        ObserverHealth(Platform platform, Resource resource, Duration patience, boolean mayBeForbidden) {
            this.platform = platform;
            this.resource = resource;
            this.patience = patience;
            this.mayBeForbidden = mayBeForbidden;
            this.heardAt = platform.nanos();
        }

        @Override
        public void listed() {
            alive();
        }

        @Override
        public void alive() {
            heardAt = platform.nanos();
            trouble = null;
        }

        @Override
        public void disturbed(String reason, @Nullable Exception failure) {
            if (mayBeForbidden && failure instanceof ForbiddenException) {
                alive();
            } else {
                trouble = failure == null ? reason : reason + ": " + failure.getMessage();
            }
        }

        /** What is wrong at the moment, for people; empty if nothing is. */
        Optional<String> trouble() {
            String known = trouble;
            Duration silence = Duration.ofNanos(platform.nanos() - heardAt);
            if (known == null && silence.compareTo(patience) > 0) {
                known = "nothing was heard for " + DurationText.format(Duration.ofSeconds(silence.toSeconds()));
            }
            return Optional.ofNullable(known).map(each -> "the stream of " + resource + ": " + each);
        }
    }

    /**
     * How a stream and its objects are doing at a moment, for people. Immutable.
     *
     * @param namespace the namespace that is watched; null for the whole cluster
     * @param objects those that this replica acts on
     */
    public record StreamReport(
            Resource resource, @Nullable String namespace, StreamState state, List<ObjectReport> objects) {}
}
