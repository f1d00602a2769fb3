package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.Backbone;
import dev.kopf4j.client.KubernetesApi;
import dev.kopf4j.client.StreamListener;
import dev.kopf4j.client.WatchLoop;
import dev.kopf4j.client.WatchingSettings;
import dev.kopf4j.engine.handling.HandlerRegistry;
import dev.kopf4j.engine.handling.ResourceHandlers;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Schedule;
import dev.kopf4j.runtime.Task;
import java.util.ArrayList;
import java.util.Collection;
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
    private final Platform platform;
    private final KubernetesApi api;
    private final HandlerRegistry registry;
    private final Processing processing;
    private final ServedNamespaces namespaces;
    private final ResourceLookup lookup;
    private final Schedule schedule;
    private final Monitor monitor;

    private final Map<Key, ResourceStream> streams = new HashMap<>();
    private final Set<String> warned = new HashSet<>();
    private Set<String> unavailable = Set.of();
    private final List<Task> observers = new ArrayList<>();
    private Set<Resource> watched = Set.of();
    private boolean stopped;

    /**
     * Streams that have not begun.
     *
     * @param namespaces which namespaces, by names or patterns; empty for the whole cluster
     */
    public Orchestrator(
            Platform platform,
            KubernetesApi api,
            HandlerRegistry registry,
            Processing processing,
            Collection<String> namespaces) {
        this.platform = platform;
        this.api = api;
        this.registry = registry;
        this.processing = processing;
        this.namespaces = new ServedNamespaces(namespaces);
        this.lookup = new ResourceLookup(platform, new ServedResources(api.discovery()::scan, registry), this::revise);
        this.schedule = new Schedule(platform, "schedule");
        this.monitor = platform.monitor();
    }

    /** Finds what there is, and starts to watch it. */
    public void start() throws InterruptedException {
        lookup.begin();
        observers.add(platform.spawn("look-up of resources", lookup));
        observe(Backbone.DEFINITIONS, new CrdObserver(lookup));
        if (namespaces.mustBeFound()) {
            observe(Backbone.NAMESPACES, new NamespaceObserver(namespaces.patterns(), new FoundNamespaces()));
        }
    }

    private void observe(Resource resource, StreamListener observer) {
        WatchLoop loop = new WatchLoop(platform, api, resource, null, watching());
        observers.add(platform.spawn("stream of " + resource, () -> loop.run(observer)));
    }

    /** Waits until all that exists is known, or what keeps it from being known was reported. */
    public boolean awaitListed(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(
                () -> namespaces.isKnown()
                        && streams.values().stream()
                                .map(ResourceStream::health)
                                .allMatch(health -> health.isListed() || health.trouble() != null),
                deadline);
    }

    private void revise(ServedResources served) throws InterruptedException {
        Revision revision = Revision.of(registry, served.known());
        List<ResourceStream> outdated = monitor.locked(() -> {
            warn(revision.warnings());
            unavailable = served.unavailable();
            watched = revision.watched();
            return takeOutdated();
        });
        replace(outdated);
    }

    private void replace(List<ResourceStream> outdated) throws InterruptedException {
        for (ResourceStream stream : outdated) {
            stream.stop(exitDeadline());
        }
        monitor.locked(this::startMissing);
    }

    /** Follows the namespaces that match. */
    private final class FoundNamespaces implements NamespaceObserver.Listener {
        @Override
        public void found(Set<String> found) throws InterruptedException {
            List<ResourceStream> outdated = monitor.locked(() -> {
                namespaces.become(found);
                return takeOutdated();
            });
            replace(outdated);
        }

        @Override
        public void refused() {
            monitor.locked(namespaces::remainUnknown);
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

    private void startMissing() {
        for (Resource resource : watched) {
            for (String namespace : namespaces.of(resource)) {
                Key key = new Key(resource, namespace);
                if (!stopped && !streams.containsKey(key)) {
                    streams.put(key, startStream(key));
                }
            }
        }
    }

    private ResourceStream startStream(Key key) {
        Resource resource = key.resource();
        ResourceHandlers handlers = registry.of(resource);
        ObjectProcessor processor = new ObjectProcessor(platform, resource, handlers, processing);
        StreamHealth health = new StreamHealth(
                platform, ResourceStream.title(resource, key.namespace()), () -> monitor.locked(() -> {}));
        ResourceReactor reactor = new ResourceReactor(
                platform, resource, processor, schedule, processing.settings().queueing(), health);
        WatchLoop loop = new WatchLoop(platform, api, resource, key.namespace(), watching());
        return ResourceStream.start(platform, resource, key.namespace(), loop, reactor, health);
    }

    private WatchingSettings watching() {
        OperatorSettings.Watching settings = processing.settings().watching();
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

    /** Stops to watch; what is being processed may come to its end within the exit timeout. */
    public void stop() throws InterruptedException {
        List<ResourceStream> running = monitor.locked(() -> {
            stopped = true;
            List<ResourceStream> all = new ArrayList<>(streams.values());
            streams.clear();
            return all;
        });
        observers.forEach(Task::interrupt);
        schedule.close();
        Deadline deadline = exitDeadline();
        for (ResourceStream stream : running) {
            stream.stop(deadline);
        }
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

    private record Key(Resource resource, @Nullable String namespace) {}
}
