package dev.kopf4j.engine.orchestration;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.children.ChildWatch;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.ServedResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which streams an operator would run. Decides as the {@link Orchestrator} does, by the same classes. Immutable. */
public final class WatchPlan {
    private final HandlerRegistry registry;
    private final List<NamespacePattern> patterns;
    private final String fieldManager;
    private final boolean watchesDefinitions;
    private final boolean watchesNamespaces;

    /**
     * The plan of an operator.
     *
     * @param patterns which namespaces; empty for the whole cluster
     */
    public WatchPlan(HandlerRegistry registry, List<NamespacePattern> patterns, OperatorSettings settings) {
        this.registry = registry;
        this.patterns = List.copyOf(patterns);
        this.fieldManager = settings.children().fieldManager();
        this.watchesDefinitions = !settings.scanning().disabled();
        this.watchesNamespaces = watchesDefinitions && new WatchTargets(patterns).mustFindNamespaces();
    }

    /** The handlers of a resource. */
    ResourceHandlers handlers(Resource resource) {
        return registry.of(resource);
    }

    /**
     * True if a version of a resource has the same handlers in both forms: whether it stands for the preferred one
     * decides on those that name no version.
     */
    boolean hasSameHandlers(Resource one, Resource other) {
        return one.preferred() == other.preferred()
                || (registry.watching(one).equals(registry.watching(other))
                        && registry.ofChildren(one).equals(registry.ofChildren(other)));
    }

    /** The resources that the framework itself follows, cluster-wide, to find others. */
    public List<Resource> scanned() {
        List<Resource> scanned = new ArrayList<>();
        if (watchesDefinitions) {
            scanned.add(WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS);
        }
        if (watchesNamespaces) {
            scanned.add(WellKnownResources.NAMESPACES);
        }
        return scanned;
    }

    /** True if it depends on the existing namespaces what is watched. */
    public boolean findsNamespaces() {
        return watchesNamespaces;
    }

    /** True if the framework follows the definitions of resources, cluster-wide. */
    boolean watchesDefinitions() {
        return watchesDefinitions;
    }

    /** Why the objects of a resource are watched as children; null if they are not. */
    @Nullable ChildWatch childWatch(Resource resource) {
        List<RegisteredHandler> handlers = registry.ofChildren(resource);
        return handlers.isEmpty()
                ? null
                : new ChildWatch(
                        resource, handlers, fieldManager, registry.of(resource).isEmpty());
    }

    /** What the server need not send of a resource: handlers of the objects themselves need all of it. */
    Narrowing narrowing(Resource resource) {
        ChildWatch watch = childWatch(resource);
        return watch == null ? Narrowing.NONE : watch.narrowing();
    }

    /**
     * The namespaces in which namespaced resources are watched; null among them is the whole cluster.
     *
     * @param found the existing namespaces that match
     */
    public Set<@Nullable String> namespaces(Set<String> found) {
        return new WatchTargets(patterns).namespacesWith(found);
    }

    /** The streams for handlers in a cluster that serves these resources, and has these namespaces that match. */
    public List<PlannedStream> streams(ServedResources served, Set<String> found) {
        WatchTargets targets = new WatchTargets(patterns);
        targets.namespacesFound(found);
        targets.found(served, watched(served));
        return targets.wantedStreams().stream()
                .sorted(Comparator.comparing(StreamKey::title))
                .map(this::planned)
                .toList();
    }

    /** What handlers are for, and would not be watched in a cluster that serves these resources. */
    public List<Unwatched> unwatched(ServedResources served) {
        Collection<Resource> known = served.known();
        Set<Resource> watched = watched(served).watched();
        return registry.watchingSelectors().stream()
                .filter(selector -> !registry.watching(selector).isEmpty()
                        && watched.stream().noneMatch(selector::matches)
                        && watched.stream()
                                .filter(each -> !registry.watching(each).isEmpty())
                                .noneMatch(each -> means(selector, each, known)))
                .map(selector -> Unwatched.of(selector, known))
                .toList();
    }

    /** True if the selector means that resource, perhaps in another version that is served, too. */
    public static boolean means(ResourceSelector selector, Resource resource, Collection<Resource> served) {
        return selector.matches(resource)
                || served.stream().anyMatch(each -> WatchedResources.isSame(each, resource) && selector.matches(each));
    }

    /**
     * What the cluster serves, as handlers are matched with it: the watched version of a resource is the preferred one.
     */
    public List<Resource> asWatched(ServedResources served) {
        Set<Resource> watched = watched(served).watched();
        return served.known().stream()
                .map(each -> {
                    List<Resource> same = watched.stream()
                            .filter(other -> WatchedResources.isSame(each, other))
                            .toList();
                    return same.stream()
                            .filter(other -> other.version().equals(each.version()))
                            .findFirst()
                            .orElseGet(() -> same.stream().anyMatch(Resource::preferred)
                                    ? WatchedResources.with(each, each.version(), false)
                                    : each);
                })
                .toList();
    }

    /**
     * What handlers are for, and would not be watched: it is not served, may mean several resources, or is served
     * without what it takes to watch and change objects. Immutable.
     *
     * @param selector as the handlers name it
     * @param others what is served below that name, perhaps in another version
     */
    public record Unwatched(ResourceSelector selector, List<Resource> others) {
        /** Copies the list. */
        public Unwatched {
            others = List.copyOf(others);
        }

        private static Unwatched of(ResourceSelector selector, Collection<Resource> served) {
            ResourceSelector named = ResourceSelector.of(selector.toString().split("\\.", 2)[0]);
            ResourceSelector inGroup = selector.group().map(named::inGroup).orElse(named);
            return new Unwatched(
                    selector,
                    selector.isSpecific()
                            ? served.stream().filter(inGroup::matches).toList()
                            : List.of());
        }

        /** As messages name it: {@code widgets.v1beta1.kopf.dev (served are widgets.v1.kopf.dev)}. */
        @Override
        public String toString() {
            return selector
                    + (others.isEmpty()
                            ? " (not served)"
                            : others.stream()
                                    .map(Resource::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", ", " (served are ", ")")));
        }
    }

    private WatchedResources watched(ServedResources served) {
        return WatchedResources.of(registry, served.known(), Set.of());
    }

    /** What handlers name, and such a cluster serves, but is not watched, at least not for all of them. */
    public List<DroppedResource> dropped(ServedResources served) {
        WatchedResources selected = watched(served);
        return Stream.concat(selected.dropped().stream(), selected.otherVersions().stream())
                .toList();
    }

    /**
     * What handlers name, and is not watched though the cluster serves it; for people. Immutable.
     *
     * @param problem what it is, and why
     * @param wayOut what can be done
     */
    public record DroppedResource(String problem, String wayOut) {
        @Override
        public String toString() {
            return problem + ": " + wayOut;
        }
    }

    private PlannedStream planned(StreamKey key) {
        Resource resource = key.resource();
        return new PlannedStream(
                resource,
                key.namespace(),
                registry.watching(resource),
                registry.ofChildren(resource),
                narrowing(resource));
    }

    /**
     * A stream that an operator would run. Immutable.
     *
     * @param resource what it follows
     * @param namespace where; null for the whole cluster
     * @param handlers who needs it
     * @param ofChildren who needs it for children
     * @param narrowing what the server does not send
     */
    public record PlannedStream(
            Resource resource,
            @Nullable String namespace,
            List<RegisteredHandler> handlers,
            List<RegisteredHandler> ofChildren,
            Narrowing narrowing) {
        /** Copies the lists. */
        public PlannedStream {
            handlers = List.copyOf(handlers);
            ofChildren = List.copyOf(ofChildren);
        }

        /** The stream as people know it. */
        public String title() {
            return title(resource, namespace);
        }

        /** A stream as people know it. */
        public static String title(Resource resource, @Nullable String namespace) {
            return new StreamKey(resource, namespace).title();
        }
    }
}
