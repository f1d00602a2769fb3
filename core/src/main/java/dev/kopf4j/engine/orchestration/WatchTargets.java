package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.observation.ServedResources;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows what is to be watched: the served resources that handlers select, in the watched namespaces. Guarded by the
 * orchestrator's monitor.
 */
final class WatchTargets {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    private final WatchedNamespaces namespaces;
    private final Set<String> warned = new HashSet<>();
    private Set<String> unavailable = Set.of();
    private Collection<Resource> served = Set.of();
    private Set<Resource> watched = Set.of();

    /** Nothing is known of the resources yet. */
    WatchTargets(WatchedNamespaces namespaces) {
        this.namespaces = namespaces;
    }

    /** The server was asked which resources it serves, and these were selected of them. */
    void found(ServedResources found, WatchedResources selected) {
        warn(selected.warnings());
        unavailable = found.unavailable();
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
            namespaces.of(resource).forEach(namespace -> wanted.add(new StreamKey(resource, namespace)));
        }
        return wanted;
    }

    /** All resources that the cluster serves, as far as is known. */
    Collection<Resource> served() {
        return served;
    }

    /** The API groups that exist, but do not answer; for people. */
    List<String> unavailable() {
        return unavailable.stream()
                .map(group -> "the API group '" + group + "' does not answer")
                .toList();
    }
}
