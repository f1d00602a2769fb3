package dev.kopf4j.engine.observation;

import dev.kopf4j.Resource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The custom resource definitions that are being deleted while objects of them are left. The API server takes
 * {@code patch} and other verbs out of the discovery of their resources then (apiextensions-apiserver,
 * {@code customresource_discovery_controller.go}), though it goes on to serve PATCH, without which nobody could take
 * the finalizers off the objects. Thread-safe.
 */
final class TerminatingDefinitions {
    /** What the server leaves; it shows exactly these for no other resources, as far as is known. */
    private static final Set<String> VERBS_LEFT = Set.of("delete", "deletecollection", "get", "list", "watch");

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private volatile boolean known;

    void add(CrdState crdState) {
        if (crdState.isTerminating()) {
            names.add(crdState.name());
        } else {
            names.remove(crdState.name());
        }
    }

    /** All definitions that exist have been added. */
    void complete() {
        known = true;
    }

    /**
     * Whether the resource is one of a definition that is being deleted; as far as can be told by the verbs, if
     * definitions have not been read yet, or may not be read.
     */
    boolean contains(Resource resource) {
        return known
                ? names.contains(CrdState.name(resource.plural(), resource.group()))
                : resource.verbs().equals(VERBS_LEFT) && !resource.group().isEmpty();
    }
}
