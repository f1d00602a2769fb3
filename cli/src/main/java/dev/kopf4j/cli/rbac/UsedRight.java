package dev.kopf4j.cli.rbac;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request needs to be allowed, as RBAC sees it. Immutable.
 *
 * @param verb what is done
 * @param apiGroup the API group; empty for the core API
 * @param resource the plural name, with the subresource behind a slash
 * @param namespace the namespace; null for none or all of them
 * @param name the name of the object; null for a collection
 * @param allowed whether it was allowed
 */
record UsedRight(
        String verb,
        String apiGroup,
        String resource,
        @Nullable String namespace,
        @Nullable String name,
        boolean allowed) {
    private static final Set<String> OF_NAMESPACES = Set.of("status", "finalize");

    /** What anybody may ask about himself, by the role {@code system:basic-user} of each cluster. */
    private static final Set<String> OF_EVERYBODY =
            Set.of("selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews");

    static final Comparator<UsedRight> ORDER = Comparator.comparing(UsedRight::apiGroup)
            .thenComparing(UsedRight::resource)
            .thenComparing(UsedRight::verb)
            .thenComparing(right -> String.valueOf(right.namespace()))
            .thenComparing(right -> String.valueOf(right.name()));

    /**
     * The right of a request; empty if it is about no resource, such as {@code /version}, or one that everybody has.
     */
    static Optional<UsedRight> of(String method, String path, boolean isWatch, boolean allowed) {
        String[] parts = path.replaceFirst("\\?.*", "").replaceFirst("^/", "").split("/", -1);
        boolean core = parts[0].equals("api");
        int start = core ? 2 : 3;
        if (!(core || parts[0].equals("apis")) || parts.length <= start || OF_EVERYBODY.contains(parts[start])) {
            return Optional.empty();
        }
        boolean inNamespace = parts[start].equals("namespaces")
                && parts.length > start + 2
                && !(parts.length == start + 3 && OF_NAMESPACES.contains(parts[start + 2]));
        int at = inNamespace ? start + 2 : start;
        String name = parts.length > at + 1 ? parts[at + 1] : null;
        String sub = parts.length > at + 2 ? "/" + parts[at + 2] : "";
        return Optional.of(new UsedRight(
                verb(method, name != null, isWatch),
                core ? "" : parts[1],
                parts[at] + sub,
                inNamespace ? parts[start + 1] : null,
                name,
                allowed));
    }

    private static String verb(String method, boolean named, boolean isWatch) {
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> isWatch ? "watch" : named ? "get" : "list";
        };
    }

    /** Applying creates what does not exist, and needs the right for it, too. */
    UsedRight creating() {
        return new UsedRight("create", apiGroup, resource, namespace, null, allowed);
    }

    /** The same of any object. */
    UsedRight ofAnyObject() {
        return new UsedRight(verb, apiGroup, resource, namespace, null, allowed);
    }

    /** As it is recorded. */
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("verb", verb);
        object.put("apiGroup", apiGroup);
        object.put("resource", resource);
        if (namespace != null) {
            object.put("namespace", namespace);
        }
        if (name != null) {
            object.put("name", name);
        }
        object.put("allowed", allowed);
        return object;
    }

    /** From what was recorded. */
    static UsedRight of(Map<?, ?> object) {
        return new UsedRight(
                text(object, "verb"),
                text(object, "apiGroup"),
                text(object, "resource"),
                object.get("namespace") instanceof String namespace ? namespace : null,
                object.get("name") instanceof String name ? name : null,
                !Boolean.FALSE.equals(object.get("allowed")));
    }

    private static String text(Map<?, ?> object, String key) {
        return object.get(key) instanceof String text ? text : "";
    }

    /** Without the names of objects, of which there may be thousands. */
    String title() {
        return verb + " of " + resource + (apiGroup.isEmpty() ? "" : " in " + apiGroup)
                + (namespace == null ? "" : ", namespace " + namespace);
    }
}
