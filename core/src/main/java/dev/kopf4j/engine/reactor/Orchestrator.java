package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.discovery.Backbone;
import dev.kopf4j.client.stream.StreamListener;
import dev.kopf4j.client.stream.WatchLoop;
import dev.kopf4j.client.stream.WatchingSettings;
import dev.kopf4j.engine.handling.registration.HandlerRegistry;
import dev.kopf4j.engine.handling.registration.ResourceHandlers;
import dev.kopf4j.engine.index.IndexGate;
import dev.kopf4j.engine.pausing.Pauses;
import dev.kopf4j.engine.peering.Peerings;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Limit;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Schedule;
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
    private final Processing processing;
    private final ServedNamespaces namespaces;
    private final Pauses pauses;
    private final Peerings peerings;
    private final ResourceLookup lookup;
    private final Schedule schedule;
    private final IndexGate gate;
    private final Monitor monitor;

    /** Only one task starts and stops streams at a time: none may begin before its predecessor has ended. */
    private final Limit steering;

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
     * @param namespaces which namespaces, by names or patterns; empty for the whole cluster
     * @param pauses where not to act at the moment
     * @param peerings takes part in the peering of what is served
     */
    public Orchestrator(
            Platform platform,
            KubernetesApi api,
            HandlerRegistry registry,
            Processing processing,
            Collection<String> namespaces,
            Pauses pauses,
            Peerings peerings) {
        this.platform = platform;
        this.api = api;
        this.registry = registry;
        this.processing = processing;
        this.namespaces = new ServedNamespaces(namespaces);
        this.pauses = pauses;
        this.peerings = peerings;
        this.steering = new Limit(platform, 1);
        this.lookup = new ResourceLookup(
                platform, new ServedResources(api.discovery()::scan, registry, peerings.groups()), this::revise);
        this.schedule = new Schedule(platform, "schedule");
        this.gate = new IndexGate(platform);
        this.monitor = platform.monitor();
    }

    /** Finds what there is, and starts to watch it. */
    public void start() throws InterruptedException {
        pauses.listen(this::steer);
        if (!processing.indices().isEmpty()) {
            gate.block(LOOK_UP);
            schedule.after(GATE_PATIENCE, this::complainOfGate);
        }
        boolean scanning = !processing.settings().scanning().disabled();
        if (!scanning) {
            monitor.locked(namespaces::remainUnknown);
        }
        lookup.begin();
        openGateIfAllIsKnown();
        observers.add(platform.spawn("look-up of resources", lookup));
        if (!scanning) {
            return;
        }
        observe(Backbone.DEFINITIONS, new CrdObserver(lookup));
        if (namespaces.mustBeFound()) {
            observe(Backbone.NAMESPACES, new NamespaceObserver(namespaces.patterns(), new FoundNamespaces()));
        }
    }

    /** Until the namespaces are known too, nobody knows what there is to be indexed. */
    private void openGateIfAllIsKnown() {
        if (monitor.locked(namespaces::isKnown)) {
            gate.release(LOOK_UP);
        }
    }

    /** Handlers that silently wait for ever would be the worst. */
    private void complainOfGate() {
        List<String> blockers = gate.blockers();
        if (!blockers.isEmpty()) {
            log.warn(
                    "No handlers are called yet: they wait until the objects of all indices are listed and indexed. Still to"
                            + " come: {}. If a list fails, its reason was logged; an index function that hangs needs a timeout.",
                    String.join(", ", blockers));
        }
        schedule.after(GATE_PATIENCE, this::complainOfGate);
    }

    private void observe(Resource resource, StreamListener observer) {
        WatchLoop loop = new WatchLoop(platform, api, resource, null, watching());
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
        Revision revision = Revision.of(registry, served.known());
        peerings.join(served.known(), monitor.locked(namespaces::all));
        monitor.locked(() -> {
            warn(revision.warnings());
            unavailable = served.unavailable();
            known = served.known();
            watched = revision.watched();
        });
        steer();
        leaveOtherPeerings();
    }

    private void leaveOtherPeerings() throws InterruptedException {
        if (peerings.leaveOthers(monitor.locked(() -> known), monitor.locked(namespaces::all))) {
            steer();
        }
    }

    /** Makes streams what they should be by now: those that should not act end first, then others begin. */
    private void steer() throws InterruptedException {
        steering.acquire(Deadline.NEVER);
        try {
            List<ResourceStream> outdated = monitor.locked(this::takeOutdated);
            List<ResourceStream> halted = new ArrayList<>(outdated);
            halted.addAll(monitor.locked(this::runningWherePaused));
            halt(halted);
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
    private boolean halt(List<ResourceStream> halted) throws InterruptedException {
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
            peerings.join(monitor.locked(() -> known), monitor.locked(() -> namespaces.with(found)));
            monitor.locked(() -> namespaces.become(found));
            steer();
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
                .filter(entry -> pauses.isPaused(entry.getKey().namespace()))
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
                .filter(entry -> !pauses.isPaused(entry.getKey().namespace()))
                .map(Map.Entry::getValue)
                .filter(stream -> !stream.isRunning());
    }

    private ResourceStream newStream(Key key) {
        Resource resource = key.resource();
        ResourceHandlers handlers = registry.of(resource);
        ObjectProcessor processor = new ObjectProcessor(platform, resource, handlers, processing);
        StreamHealth health = new StreamHealth(
                platform, ResourceStream.title(resource, key.namespace()), () -> monitor.locked(() -> {}));
        ResourceReactor reactor = new ResourceReactor(
                platform,
                resource,
                processor,
                schedule,
                gate,
                processing.settings().queueing(),
                health,
                processing.metrics());
        WatchLoop loop = new WatchLoop(platform, api, resource, key.namespace(), watching());
        return new ResourceStream(platform, resource, key.namespace(), loop, reactor, health);
    }

    private WatchingSettings watching() {
        return watching(processing.settings().watching());
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
        return platform.after(processing.settings().queueing().exitTimeout());
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
        schedule.close();
        processing.daemons().exit();
        boolean ended = halt(running);
        return processing.daemons().close() && ended;
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
