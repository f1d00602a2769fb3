package dev.kopf4j.engine.orchestration;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.registry.HandlerRegistry;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.ServedResources;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which streams an operator would run. Decides as the {@link Orchestrator} does, by the same classes. Immutable. */
public final class WatchPlan {
    private final HandlerRegistry registry;
    private final List<NamespacePattern> patterns;
    private final ClusterScanning scanning;
    private final ChildNeeds childNeeds;

    /**
     * The plan of an operator.
     *
     * @param patterns which namespaces; empty for the whole cluster
     */
    public WatchPlan(HandlerRegistry registry, List<NamespacePattern> patterns, OperatorSettings settings) {
        this.registry = registry;
        this.patterns = List.copyOf(patterns);
        this.scanning = ClusterScanning.of(settings.scanning(), new WatchedNamespaces(patterns));
        this.childNeeds = new ChildNeeds(registry, settings.children().fieldManager());
    }

    /** The resources that the framework itself follows, cluster-wide, to find others. */
    public List<Resource> scanned() {
        return scanning.watched();
    }

    /** True if it depends on the existing namespaces what is watched. */
    public boolean findsNamespaces() {
        return scanning.watchesNamespaces();
    }

    /**
     * The namespaces in which namespaced resources are watched; null among them is the whole cluster.
     *
     * @param found the existing namespaces that match
     */
    public Set<@Nullable String> namespaces(Set<String> found) {
        return new WatchedNamespaces(patterns).with(found);
    }

    /** The streams for handlers in a cluster that serves these resources, and has these namespaces that match. */
    public List<PlannedStream> streams(ServedResources served, Set<String> found) {
        WatchedNamespaces namespaces = new WatchedNamespaces(patterns);
        namespaces.become(found);
        WatchTargets targets = new WatchTargets(namespaces);
        targets.found(served, WatchedResources.of(registry, served.known()));
        return targets.wantedStreams().stream()
                .sorted(Comparator.comparing(StreamKey::title))
                .map(this::planned)
                .toList();
    }

    private PlannedStream planned(StreamKey key) {
        Resource resource = key.resource();
        return new PlannedStream(
                resource,
                key.namespace(),
                registry.watching(resource),
                registry.ofChildren(resource),
                childNeeds.narrowing(resource));
    }
}
