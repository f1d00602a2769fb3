package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.orchestration.WatchPlan.DroppedResource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows what is to be watched: the served resources that handlers select, in the watched namespaces. These are the
 * whole cluster, or those given by their names and those found by patterns. Guarded by the orchestrator's monitor.
 */
final class WatchTargets {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final Set<@Nullable String> NO_NAMESPACE = Collections.singleton(null);

    private final List<NamespacePattern> patterns;
    private Set<String> namespaces = Set.of();
    /** Those that are gone, while their streams still have to tell of what went with them. */
    private final Set<String> leaving = new TreeSet<>();

    private boolean namespacesKnown;
    private final Set<String> warned = new HashSet<>();
    private Set<String> missed = Set.of();
    private List<String> unresolved = List.of();
    private List<String> dropped = List.of();
    private Collection<Resource> served = Set.of();
    private Set<Resource> watched = Set.of();

    /** No resources and no namespaces are found yet; no patterns mean the whole cluster. */
    WatchTargets(List<NamespacePattern> patterns) {
        this.patterns = patterns;
        this.namespacesKnown = !mustFindNamespaces();
    }

    /** The server was asked which resources it serves, and these were selected of them. */
    void found(ServedResources found, WatchedResources selected) {
        warn(selected.warnings());
        missed = found.missed();
        unresolved = selected.unresolved();
        dropped = selected.dropped().stream().map(DroppedResource::toString).toList();
        served = found.known();
        watched = selected.watched();
    }

    /** Logs each warning once, and again if its reason was gone meanwhile. */
    private void warn(List<String> warnings) {
        warnings.stream().filter(warning -> !warned.contains(warning)).forEach(log::warn);
        warned.clear();
        warned.addAll(warnings);
    }

    Set<StreamKey> wantedStreams() {
        Set<StreamKey> wanted = new LinkedHashSet<>();
        for (Resource resource : watched) {
            namespacesOf(resource).forEach(namespace -> wanted.add(new StreamKey(resource, namespace)));
        }
        return wanted;
    }

    /** The resources that are to be watched. */
    Set<Resource> watched() {
        return watched;
    }

    /** All resources that the cluster serves, as far as is known. */
    Collection<Resource> served() {
        return served;
    }

    /** The API groups that exist and may be needed, but do not answer; for people. */
    List<String> unavailable() {
        return missed.stream()
                .map(group -> (group.isEmpty() ? "the core API" : "the API group '" + group + "'") + " does not answer")
                .toList();
    }

    /**
     * What handlers are for, and the cluster does not serve; for people. As long as a group that may be needed does not
     * answer, nobody knows what it serves.
     */
    List<String> unresolved() {
        return !missed.isEmpty()
                ? List.of()
                : unresolved.stream()
                        .map(name -> "the cluster does not serve the resource " + name)
                        .toList();
    }

    /** What handlers name, and is not watched though the cluster serves it; for people. */
    List<String> dropped() {
        return dropped;
    }

    List<NamespacePattern> patterns() {
        return patterns;
    }

    /** True if the existing namespaces must be found, as names alone were not given. */
    boolean mustFindNamespaces() {
        return !patterns.stream().allMatch(NamespacePattern::isExact);
    }

    /** True once it is known which there are, or that it cannot be known. */
    boolean areNamespacesKnown() {
        return namespacesKnown;
    }

    void namespacesFound(Set<String> found) {
        leaving.addAll(namespaces);
        leaving.removeAll(found);
        namespaces = new TreeSet<>(found);
        namespacesKnown = true;
    }

    /** The namespaces that are gone, and are watched to the end. */
    Set<String> leaving() {
        return new TreeSet<>(leaving);
    }

    /** Everything is told of what went with that namespace. */
    void left(String namespace) {
        leaving.remove(namespace);
    }

    void namespacesRemainUnknown() {
        namespacesKnown = true;
    }

    /** The namespaces in which a resource is watched; null among them means the whole cluster. */
    private Set<@Nullable String> namespacesOf(Resource resource) {
        return resource.namespaced() ? namespaces() : NO_NAMESPACE;
    }

    /** The namespaces in which namespaced resources are watched. */
    Set<@Nullable String> namespaces() {
        return namespacesWith(namespaces);
    }

    /** The namespaces in which namespaced resources would be watched if these namespaces existed. */
    Set<@Nullable String> namespacesWith(Set<String> others) {
        if (patterns.isEmpty()) {
            return NO_NAMESPACE;
        }
        Set<@Nullable String> all = new TreeSet<>(others);
        all.addAll(leaving);
        patterns.stream()
                .filter(NamespacePattern::isExact)
                .map(NamespacePattern::text)
                .forEach(all::add);
        return all;
    }
}
