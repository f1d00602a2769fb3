package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.observation.NamespacePattern;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which namespaces are served: the whole cluster, or those given by their names, and those found by patterns. Guarded
 * by the orchestrator's monitor.
 */
final class WatchedNamespaces {
    private static final Set<@Nullable String> NONE = Collections.singleton(null);

    private final List<NamespacePattern> patterns;
    private Set<String> found = Set.of();
    private boolean known;

    /** None are found yet; no patterns mean the whole cluster. */
    WatchedNamespaces(List<NamespacePattern> patterns) {
        this.patterns = patterns;
        this.known = !mustBeFound();
    }

    List<NamespacePattern> patterns() {
        return patterns;
    }

    /** True if it is not enough to know the names that were given. */
    boolean mustBeFound() {
        return !patterns.stream().allMatch(NamespacePattern::isExact);
    }

    /** True once it is known which there are, or that it cannot be known. */
    boolean isKnown() {
        return known;
    }

    void become(Set<String> namespaces) {
        found = Set.copyOf(namespaces);
        known = true;
    }

    void remainUnknown() {
        known = true;
    }

    /** Where a resource is served: in these namespaces; null is all of the cluster. */
    Set<@Nullable String> of(Resource resource) {
        return resource.namespaced() ? all() : NONE;
    }

    /** Where namespaced resources are served. */
    Set<@Nullable String> all() {
        return with(found);
    }

    /** Where they would be, if these namespaces were found. */
    Set<@Nullable String> with(Set<String> others) {
        if (patterns.isEmpty()) {
            return NONE;
        }
        Set<@Nullable String> all = new HashSet<>(others);
        patterns.stream()
                .filter(NamespacePattern::isExact)
                .map(NamespacePattern::text)
                .forEach(all::add);
        return all;
    }
}
