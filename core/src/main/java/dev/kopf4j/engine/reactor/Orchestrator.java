package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.KubernetesApi;
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
    private static final Resource CRDS = new Resource(
            "apiextensions.k8s.io",
            "v1",
            "customresourcedefinitions",
            "CustomResourceDefinition",
            "customresourcedefinition",
            Set.of("crd", "crds"),
            Set.of(),
            Set.of("status"),
            false,
            true,
            Set.of("list", "watch"));

    private final Platform platform;
    private final KubernetesApi api;
    private final HandlerRegistry registry;
    private final Processing processing;
    private final Set<@Nullable String> namespaces;
    private final ResourceLookup lookup;
    private final Schedule schedule;
    private final Monitor monitor;

    private final Map<Key, ResourceStream> streams = new HashMap<>();
    private final Set<String> warned = new HashSet<>();
    private Set<String> unavailable = Set.of();
    private @Nullable Task crdStream;
    private @Nullable Task lookupTask;
    private boolean stopped;

    /**
     * Streams that have not begun.
     *
     * @param namespaces which namespaces; empty for the whole cluster
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
        this.namespaces = new HashSet<>(namespaces);
        if (namespaces.isEmpty()) {
            this.namespaces.add(null);
        }
        this.lookup = new ResourceLookup(platform, new ServedResources(api.discovery()::scan, registry), this::revise);
        this.schedule = new Schedule(platform, "schedule");
        this.monitor = platform.monitor();
    }

    /** Finds what there is, and starts to watch it. */
    public void start() throws InterruptedException {
        lookup.begin();
        WatchLoop loop = new WatchLoop(platform, api, CRDS, null, watching());
        crdStream = platform.spawn("stream of " + CRDS, () -> loop.run(new CrdObserver(lookup)));
        lookupTask = platform.spawn("look-up of resources", lookup);
    }

    /** Waits until all that exists is known, or what keeps it from being known was reported. */
    public boolean awaitListed(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(
                () -> streams.values().stream()
                        .map(ResourceStream::health)
                        .allMatch(health -> health.isListed() || health.trouble() != null),
                deadline);
    }

    private void revise(ServedResources served) throws InterruptedException {
        Revision revision = Revision.of(registry, served.known());
        List<ResourceStream> outdated = monitor.locked(() -> {
            warn(revision.warnings());
            unavailable = served.unavailable();
            return takeOutdated(revision.watched());
        });
        for (ResourceStream stream : outdated) {
            stream.stop(exitDeadline());
        }
        monitor.locked(() -> startMissing(revision.watched()));
    }

    /** Each warning once, and again if it was over for a while. */
    private void warn(List<String> warnings) {
        warnings.stream().filter(warning -> !warned.contains(warning)).forEach(log::warn);
        warned.clear();
        warned.addAll(warnings);
    }

    private List<ResourceStream> takeOutdated(Set<Resource> watched) {
        List<ResourceStream> outdated = new ArrayList<>();
        streams.entrySet().removeIf(entry -> {
            boolean current = watched.stream()
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

    private void startMissing(Set<Resource> watched) {
        for (Resource resource : watched) {
            for (String namespace : namespaces) {
                Key key = new Key(resource, resource.namespaced() ? namespace : null);
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
                null,
                null,
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
        interrupt(crdStream);
        interrupt(lookupTask);
        schedule.close();
        Deadline deadline = exitDeadline();
        for (ResourceStream stream : running) {
            stream.stop(deadline);
        }
    }

    private static void interrupt(@Nullable Task task) {
        if (task != null) {
            task.interrupt();
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
