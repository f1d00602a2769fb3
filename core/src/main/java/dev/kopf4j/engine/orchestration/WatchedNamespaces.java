package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.observation.NamespacePattern;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which namespaces are watched: the whole cluster, or those given by their names and those found by patterns. Guarded
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

    /** True if the existing namespaces must be found, as names alone were not given. */
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

    /** The namespaces in which a resource is watched; null among them means the whole cluster. */
    Set<@Nullable String> of(Resource resource) {
        return resource.namespaced() ? all() : NONE;
    }

    /** The namespaces in which namespaced resources are watched. */
    Set<@Nullable String> all() {
        return with(found);
    }

    /** The namespaces in which namespaced resources would be watched if these namespaces existed. */
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
