package dev.kopf4j.client.error;

import dev.kopf4j.Resource;
import dev.kopf4j.text.PlaceText;
import org.jspecify.annotations.Nullable;

/**
 * Describes a request, for messages and for the missing RBAC rule. Immutable.
 *
 * @param verb the verb as in RBAC rules
 * @param resource the resource; null if the request is for none, as in discovery
 * @param namespace the namespace of an object or a collection; null for cluster-wide
 * @param name the object's name; null for a collection
 * @param subresource the subresource; null for the object itself
 * @param path the path of the request
 */
public record RequestDescription(
        String verb,
        @Nullable Resource resource,
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String subresource,
        String path) {

    /** Describes a request for something that is no resource, such as discovery. */
    public static RequestDescription ofPath(String path) {
        return new RequestDescription("get", null, null, null, null, path);
    }

    /** Describes a request for the objects of a resource in a namespace, or cluster-wide (null). */
    public static RequestDescription ofCollection(String verb, Resource resource, @Nullable String namespace) {
        return new RequestDescription(verb, resource, namespace, null, null, "");
    }

    /** {@code patch of kopfexamples.v1.kopf.dev 'default/example'}. */
    public String describe() {
        if (resource == null) {
            return verb + " of " + path;
        }
        return verb + " of " + resource + (subresource == null ? "" : "/" + subresource) + " " + place();
    }

    private String place() {
        if (name != null) {
            return "'" + (namespace == null ? name : namespace + "/" + name) + "'";
        }
        return PlaceText.of(namespace);
    }

    /** {@code list kopfexamples.kopf.dev in namespace default}. */
    public String permission() {
        if (resource == null) {
            return verb + " " + path;
        }
        String group = resource.group().isEmpty() ? "" : "." + resource.group();
        return verb + " " + plural() + group
                + (namespace == null ? " in all namespaces" : " in namespace " + namespace);
    }

    /** Returns the RBAC rule that grants the permission, as it is written in a role. Who lists will also watch. */
    public String rbacRule() {
        if (resource == null) {
            return "{nonResourceURLs: [\"" + path + "\"], verbs: [\"" + verb + "\"]}";
        }
        boolean reading = verb.equals("list") || verb.equals("watch");
        String verbs = reading ? "\"list\", \"watch\"" : "\"" + verb + "\"";
        return "{apiGroups: [\"" + resource.group() + "\"], resources: [\"" + plural() + "\"], verbs: [" + verbs + "]}";
    }

    private String plural() {
        String plural = resource == null ? "" : resource.plural();
        return subresource == null ? plural : plural + "/" + subresource;
    }
}
