package dev.kopf4j.engine.orchestration;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.client.watching.WatchingSettings;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.observation.CrdObserver;
import dev.kopf4j.engine.observation.NamespaceObserver;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.ResourceDiscovery;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.peering.OperatorPauses;
import dev.kopf4j.engine.peering.OperatorPeerings;
import dev.kopf4j.engine.processing.ObjectProcessor;
import dev.kopf4j.engine.processing.ProcessingEnvironment;
import dev.kopf4j.engine.queueing.EventDispatcher;
import dev.kopf4j.engine.queueing.StreamHealth;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acting: finds the resources that handlers are for, keeps a stream for each of them and each namespace, and follows
 * what appears and vanishes at run time. Thread-safe.
 */
public final class Orchestrator {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final String LOOK_UP = "the look-up of resources and namespaces";
    private static final Duration GATE_PATIENCE = Duration.ofMinutes(1);

    private final Platform platform;
    private final KubernetesApi api;
    private final HandlerRegistry registry;
    private final ProcessingEnvironment processingEnvironment;
    private final WatchedNamespaces namespaces;
    private final OperatorPauses operatorPauses;
    private final OperatorPeerings operatorPeerings;
    private final ResourceDiscovery lookup;
    private final ActionSchedule actionSchedule;
    private final IndexReadinessGate gate;
    private final Monitor monitor;

    /** Only one task starts and stops streams at a time: none may begin before its predecessor has ended. */
    private final ConcurrencyLimit steering;

    private final Map<Key, ResourceStream> streams = new HashMap<>();
    private final Set<String> warned = new HashSet<>();
    private Set<String> unavailable = Set.of();
    private final List<Task> observers = new ArrayList<>();
    private Collection<Resource> known = Set.of();
    private Set<Resource> watched = Set.of();
    private boolean stopped;

    /**
     * Streams that have not begun.
     *
     * @param namespaces which namespaces; empty for the whole cluster
     * @param operatorPauses where not to act at the moment
     * @param operatorPeerings takes part in the peering of what is served
     */
    public Orchestrator(
            Platform platform,
            KubernetesApi api,
            HandlerRegistry registry,
            ProcessingEnvironment processingEnvironment,
            List<NamespacePattern> namespaces,
            OperatorPauses operatorPauses,
            OperatorPeerings operatorPeerings) {
        this.platform = platform;
        this.api = api;
        this.registry = registry;
        this.processingEnvironment = processingEnvironment;
        this.namespaces = new WatchedNamespaces(namespaces);
        this.operatorPauses = operatorPauses;
        this.operatorPeerings = operatorPeerings;
        this.steering = new ConcurrencyLimit(platform, 1);
        this.lookup = new ResourceDiscovery(
                platform,
                new ServedResources(api.apiDiscovery()::scan, registry, operatorPeerings.groups()),
                this::revise);
        this.actionSchedule = new ActionSchedule(platform, "schedule");
        this.gate = new IndexReadinessGate(platform);
        this.monitor = platform.monitor();
    }

    /** Finds what there is, and starts to watch it. */
    public void start() throws InterruptedException {
        operatorPauses.listen(this::adjustStreams);
        if (!processingEnvironment.indices().isEmpty()) {
            gate.block(LOOK_UP);
            actionSchedule.after(GATE_PATIENCE, this::warnOfUnreadyIndices);
        }
        boolean scanning = !processingEnvironment.settings().scanning().disabled();
        if (!scanning) {
            monitor.locked(namespaces::remainUnknown);
        }
        lookup.begin();
        openGateIfAllIsKnown();
        observers.add(platform.spawn("look-up of resources", lookup));
        if (!scanning) {
            return;
        }
        observe(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS, new CrdObserver(lookup));
        if (namespaces.mustBeFound()) {
            observe(WellKnownResources.NAMESPACES, new NamespaceObserver(namespaces.patterns(), new FoundNamespaces()));
        }
    }

    /** Until the namespaces are known too, nobody knows what there is to be indexed. */
    private void openGateIfAllIsKnown() {
        if (monitor.locked(namespaces::isKnown)) {
            gate.release(LOOK_UP);
        }
    }

    /** Handlers that silently wait for ever would be the worst. */
    private void warnOfUnreadyIndices() {
        List<String> blockers = gate.blockers();
        if (!blockers.isEmpty()) {
            log.warn(
                    "No handlers are called yet: they wait until the objects of all indices are listed and indexed. Still to"
                            + " come: {}. If a list fails, its reason was logged; an index function that hangs needs a timeout.",
                    String.join(", ", blockers));
        }
        actionSchedule.after(GATE_PATIENCE, this::warnOfUnreadyIndices);
    }

    private void observe(Resource resource, ListAndWatchListener observer) {
        ListAndWatchLoop loop = new ListAndWatchLoop(platform, api, resource, null, watching());
        observers.add(platform.spawn("stream of " + resource, () -> loop.run(observer)));
    }

    /**
     * Waits until all that exists is known, or what keeps it from being known was reported; where the operator does not
     * act, there is nothing to be known.
     */
    public boolean awaitListed(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(
                () -> namespaces.isKnown()
                        && streams.values().stream().map(ResourceStream::health).allMatch(StreamHealth::isSettled),
                deadline);
    }

    private void revise(ServedResources served) throws InterruptedException {
        WatchedResources watchedResources = WatchedResources.of(registry, served.known());
        operatorPeerings.join(served.known(), monitor.locked(namespaces::all));
        monitor.locked(() -> {
            warn(watchedResources.warnings());
            unavailable = served.unavailable();
            known = served.known();
            watched = watchedResources.watched();
        });
        adjustStreams();
        leaveOtherPeerings();
    }

    private void leaveOtherPeerings() throws InterruptedException {
        if (operatorPeerings.leaveOthers(monitor.locked(() -> known), monitor.locked(namespaces::all))) {
            adjustStreams();
        }
    }

    /** Makes streams what they should be by now: those that should not act end first, then others begin. */
    private void adjustStreams() throws InterruptedException {
        steering.acquire(Deadline.NEVER);
        try {
            List<ResourceStream> outdated = monitor.locked(this::takeOutdated);
            List<ResourceStream> halted = new ArrayList<>(outdated);
            halted.addAll(monitor.locked(this::runningWherePaused));
            pauseStreams(halted);
            Deadline deadline = exitDeadline();
            for (ResourceStream stream : halted) {
                stream.awaitDaemons(deadline);
            }
            outdated.forEach(ResourceStream::discard);
            monitor.locked(this::runMissing);
        } finally {
            steering.release();
        }
    }

    /** False if something goes on in spite of everything. */
    private boolean pauseStreams(List<ResourceStream> halted) throws InterruptedException {
        halted.forEach(ResourceStream::pause);
        Deadline deadline = exitDeadline();
        boolean ended = true;
        for (ResourceStream stream : halted) {
            ended &= stream.awaitEnd(deadline);
        }
        return ended;
    }

    /** Follows the namespaces that match. */
    private final class FoundNamespaces implements NamespaceObserver.Listener {
        @Override
        public void found(Set<String> found) throws InterruptedException {
            operatorPeerings.join(monitor.locked(() -> known), monitor.locked(() -> namespaces.with(found)));
            monitor.locked(() -> namespaces.become(found));
            adjustStreams();
            leaveOtherPeerings();
            openGateIfAllIsKnown();
        }

        @Override
        public void refused() {
            monitor.locked(namespaces::remainUnknown);
            openGateIfAllIsKnown();
        }
    }

    /** Each warning once, and again if it was over for a while. */
    private void warn(List<String> warnings) {
        warnings.stream().filter(warning -> !warned.contains(warning)).forEach(log::warn);
        warned.clear();
        warned.addAll(warnings);
    }

    private List<ResourceStream> takeOutdated() {
        List<ResourceStream> outdated = new ArrayList<>();
        streams.entrySet().removeIf(entry -> {
            Key key = entry.getKey();
            boolean current = namespaces.of(key.resource()).contains(key.namespace())
                    && watched.stream()
                            .anyMatch(each -> isSame(each, entry.getValue().resource()));
            if (!current) {
                outdated.add(entry.getValue());
            }
            return !current;
        });
        return outdated;
    }

    /** The same in all that streams depend on: a new subresource makes patches go another way. */
    private static boolean isSame(Resource one, Resource other) {
        return one.equals(other)
                && one.subresources().equals(other.subresources())
                && one.namespaced() == other.namespaced()
                && one.kind().equals(other.kind());
    }

    private List<ResourceStream> runningWherePaused() {
        return streams.entrySet().stream()
                .filter(entry -> operatorPauses.isPaused(entry.getKey().namespace()))
                .map(Map.Entry::getValue)
                .filter(ResourceStream::isRunning)
                .toList();
    }

    private void runMissing() {
        for (Resource resource : watched) {
            for (String namespace : namespaces.of(resource)) {
                Key key = new Key(resource, namespace);
                if (!stopped) {
                    streams.computeIfAbsent(key, this::newStream);
                }
            }
        }
        // Those of indices first: they close the gate for the others.
        resting().filter(ResourceStream::indexes).forEach(ResourceStream::run);
        resting().forEach(ResourceStream::run);
    }

    /** The streams that should run, and do not. */
    private Stream<ResourceStream> resting() {
        return streams.entrySet().stream()
                .filter(entry -> !operatorPauses.isPaused(entry.getKey().namespace()))
                .map(Map.Entry::getValue)
                .filter(stream -> !stream.isRunning());
    }

    private ResourceStream newStream(Key key) {
        Resource resource = key.resource();
        ResourceHandlers handlers = registry.of(resource);
        ObjectProcessor processor = new ObjectProcessor(platform, resource, handlers, processingEnvironment);
        StreamHealth health = new StreamHealth(
                platform,
                ResourceStream.title(resource, key.namespace()),
                processingEnvironment.settings().watching().inactivityTimeout(),
                () -> monitor.locked(() -> {}));
        EventDispatcher reactor = new EventDispatcher(
                platform,
                resource,
                processor,
                actionSchedule,
                gate,
                processingEnvironment.settings().queueing(),
                health,
                processingEnvironment.metrics());
        ListAndWatchLoop loop = new ListAndWatchLoop(platform, api, resource, key.namespace(), watching());
        return new ResourceStream(platform, resource, key.namespace(), loop, reactor, health);
    }

    private WatchingSettings watching() {
        return watching(processingEnvironment.settings().watching());
    }

    /** How streams are watched by these settings. */
    public static WatchingSettings watching(OperatorSettings.Watching settings) {
        return new WatchingSettings(
                settings.serverTimeout(),
                settings.clientTimeout(),
                settings.connectTimeout(),
                settings.reconnectBackoff(),
                WatchingSettings.DEFAULTS.reconnectBackoffMax(),
                settings.inactivityTimeout(),
                settings.pageSize());
    }

    private Deadline exitDeadline() {
        return platform.after(processingEnvironment.settings().queueing().exitTimeout());
    }

    /**
     * Stops to watch; what is being processed may come to its end within the exit timeout.
     *
     * @return false if something goes on in spite of everything
     */
    public boolean stop() throws InterruptedException {
        List<ResourceStream> running = monitor.locked(() -> {
            stopped = true;
            List<ResourceStream> all = new ArrayList<>(streams.values());
            streams.clear();
            return all;
        });
        observers.forEach(Task::interrupt);
        actionSchedule.close();
        processingEnvironment.operatorDaemons().exit();
        boolean ended = pauseStreams(running);
        return processingEnvironment.operatorDaemons().close() && ended;
    }

    /** What is wrong with the streams at the moment; empty if nothing is. */
    public List<String> troubles() {
        return monitor.locked(() -> Stream.concat(
                        unavailable.stream().map(group -> "the API group '" + group + "' does not answer"),
                        streams.values().stream()
                                .map(stream -> stream.health().trouble())
                                .filter(Objects::nonNull))
                .toList());
    }

    /** The API groups that exist, but do not answer; for people. */
    public List<String> unavailable() {
        return monitor.locked(() -> unavailable.stream()
                .map(group -> "the API group '" + group + "' does not answer")
                .toList());
    }

    /** How the streams are doing at the moment. */
    public List<StreamState> streams() {
        List<ResourceStream> all = monitor.locked(() -> List.copyOf(streams.values()));
        return all.stream()
                .map(ResourceStream::state)
                .sorted(Comparator.comparing(StreamState::name))
                .toList();
    }

    private record Key(Resource resource, @Nullable String namespace) {}
}
