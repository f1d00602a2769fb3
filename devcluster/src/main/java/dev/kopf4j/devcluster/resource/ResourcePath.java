package dev.kopf4j.devcluster.resource;

import java.util.List;
import java.util.Set;

/**
 * What a path below a group and version names: {@code NewRequestInfo} in {@code pkg/endpoints/request/requestinfo.go}
 * of the apiserver library, v1.33. Immutable.
 *
 * @param namespace empty if the path names none
 * @param name empty for the collection
 * @param subresource empty for the object itself; may contain slashes
 */
public record ResourcePath(String namespace, String plural, String name, String subresource) {
    private static final String NAMESPACES = "namespaces";

    /** Endpoints of a namespace itself: {@code namespaces/NAME/pods} is in the namespace, these are not. */
    private static final Set<String> OF_NAMESPACE = Set.of("status", "finalize");

    /** Reads the parts of a path after the version. */
    public static ResourcePath of(List<String> parts) {
        boolean inNamespace =
                parts.getFirst().equals(NAMESPACES) && parts.size() >= 3 && !OF_NAMESPACE.contains(parts.get(2));
        return inNamespace
                ? new ResourcePath(parts.get(1), parts.get(2), part(parts, 3), rest(parts, 4))
                : new ResourcePath("", parts.getFirst(), part(parts, 1), rest(parts, 2));
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }

    private static String rest(List<String> parts, int index) {
        return index < parts.size() ? String.join("/", parts.subList(index, parts.size())) : "";
    }

    /** The same without the path that a proxy passes on. */
    public ResourcePath withoutProxiedPath() {
        return subresource.startsWith("proxy/") ? new ResourcePath(namespace, plural, name, "proxy") : this;
    }

    /** Whether the path names a namespace, or all namespaces. */
    public boolean isNamespace() {
        return namespace.isEmpty() && plural.equals(NAMESPACES);
    }

    /**
     * Whether the path has the form of a namespaced resource: with a namespace, or without one where all namespaces are
     * read.
     */
    public boolean isNamespaced(Resource resource, String method) {
        if (!namespace.isEmpty()) {
            return true;
        }
        boolean reads = method.equals("GET") || method.equals("HEAD");
        return resource.namespaced() && name.isEmpty() && (reads || !resource.isCustom());
    }
}
