package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;

/**
 * What a path below a group version names.
 *
 * @param namespace empty when the path names none
 * @param name empty for the collection
 * @param subresource empty for the object itself; may contain slashes
 */
public record ResourcePath(String namespace, String plural, String name, String subresource) {
    public static ResourcePath of(List<String> parts) {
        if (parts.getFirst().equals("namespaces") && parts.size() >= 3 && !ofNamespaceItself(parts)) {
            return new ResourcePath(parts.get(1), parts.get(2), part(parts, 3), rest(parts, 4));
        }
        return new ResourcePath("", parts.getFirst(), part(parts, 1), rest(parts, 2));
    }

    /** {@code namespaces/NAME/status} is of the namespace, {@code namespaces/NAME/pods} is in it. */
    private static boolean ofNamespaceItself(List<String> parts) {
        return parts.size() == 3
                && (parts.get(2).equals("status") || parts.get(2).equals("finalize"));
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }

    private static String rest(List<String> parts, int index) {
        return index < parts.size() ? String.join("/", parts.subList(index, parts.size())) : "";
    }

    /**
     * Whether the path has the form of a namespaced resource: with a namespace, or without one where all namespaces are
     * read.
     */
    public boolean fits(Resource resource, String method) {
        if (!namespace.isEmpty()) {
            return true;
        }
        boolean reads = method.equals("GET") || method.equals("HEAD");
        return resource.namespaced() && name.isEmpty() && (reads || (!resource.isCustom() && !method.equals("POST")));
    }
}
