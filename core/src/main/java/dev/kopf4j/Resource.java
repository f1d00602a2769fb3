package dev.kopf4j;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A kind of objects that the cluster serves, in one version.
 *
 * <p>Two resources are equal if group, version and plural name are; everything else is description. Immutable.
 *
 * @param group the API group; empty for the core API
 * @param version the API version, such as {@code v1} or {@code v1beta1}
 * @param names what it is called
 * @param subresources what is below an object, such as {@code status}
 * @param namespaced whether objects live in namespaces
 * @param preferred whether this version is the one that the server prefers of those that serve it; always true in the
 *     core API
 * @param verbs what the API server can do with it, such as {@code watch}; says nothing of permissions
 */
public record Resource(
        String group,
        String version,
        Names names,
        Set<String> subresources,
        boolean namespaced,
        boolean preferred,
        Set<String> verbs) {

    /** Describes a resource; the sets are copied. */
    public Resource {
        subresources = Set.copyOf(subresources);
        verbs = Set.copyOf(verbs);
    }

    /**
     * What a kind of objects is called: {@code spec.names} of its definition.
     *
     * @param plural the name in URLs, such as {@code pods}
     * @param kind the name in objects, such as {@code Pod}
     * @param singular the name for people, such as {@code pod}
     * @param shortNames the abbreviations, such as {@code po}
     * @param categories the groups of kinds it belongs to, such as {@code all}
     */
    public record Names(String plural, String kind, String singular, Set<String> shortNames, Set<String> categories) {
        /** Names a kind; the sets are copied. */
        public Names {
            shortNames = Set.copyOf(shortNames);
            categories = Set.copyOf(categories);
        }
    }

    /** The name in URLs, such as {@code pods}. */
    public String plural() {
        return names.plural;
    }

    /** The name in objects, such as {@code Pod}. */
    public String kind() {
        return names.kind;
    }

    /** The name for people, such as {@code pod}. */
    public String singular() {
        return names.singular;
    }

    /** The abbreviations, such as {@code po}. */
    public Set<String> shortNames() {
        return names.shortNames;
    }

    /** The groups of kinds it belongs to, such as {@code all}. */
    public Set<String> categories() {
        return names.categories;
    }

    /** The value of {@code apiVersion} in its objects: {@code group/version}, or the version alone in the core API. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /**
     * The path and query of a collection, an object, or a subresource of an object.
     *
     * @param namespace the namespace; null for all of them, or for a cluster-scoped resource
     * @param name the object's name; null for the collection
     * @param subresource the part of the object; null for the object itself
     * @param params the query, in the map's order
     * @throws IllegalArgumentException if these do not fit together
     */
    public String url(
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String subresource,
            Map<String, String> params) {
        requireSense(namespace, name, subresource);
        StringBuilder url = new StringBuilder(group.isEmpty() ? "/api" : "/apis");
        append(url, group);
        append(url, version);
        if (namespaced && namespace != null) {
            append(url, "namespaces");
            append(url, namespace);
        }
        append(url, plural());
        append(url, name);
        append(url, subresource);
        return params.isEmpty()
                ? url.toString()
                : url.append('?').append(query(params)).toString();
    }

    private static void append(StringBuilder url, @Nullable String part) {
        if (part != null && !part.isEmpty()) {
            url.append('/')
                    .append(
                            isPlain(part)
                                    ? part
                                    : encoded(part).replace("+", "%20").replace("%3A", ":"));
        }
    }

    /** Nearly all names are. */
    private static boolean isPlain(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.')) {
                return false;
            }
        }
        return true;
    }

    private void requireSense(@Nullable String namespace, @Nullable String name, @Nullable String subresource) {
        if (subresource != null && name == null) {
            throw new IllegalArgumentException(
                    "the subresource '" + subresource + "' of " + this + " needs the name of an object");
        }
        if (!namespaced && namespace != null) {
            throw new IllegalArgumentException(
                    this + " is cluster-scoped, but the namespace '" + namespace + "' is given");
        }
        if (namespaced && namespace == null && name != null) {
            throw new IllegalArgumentException(
                    this + " is namespaced, but the object '" + name + "' is given without a namespace");
        }
    }

    private static String query(Map<String, String> params) {
        return params.entrySet().stream()
                .map(param -> encoded(param.getKey()) + "=" + encoded(param.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Resource that
                && group.equals(that.group)
                && version.equals(that.version)
                && plural().equals(that.plural());
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, version, plural());
    }

    /** The text form of logs: {@code pods.v1}, {@code kopfexamples.v1.kopf.dev}. */
    @Override
    public String toString() {
        return plural() + "." + version + (group.isEmpty() ? "" : "." + group);
    }
}
