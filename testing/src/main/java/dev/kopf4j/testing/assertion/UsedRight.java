package dev.kopf4j.testing.assertion;

import dev.kopf4j.testing.recording.RecordedRequest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A right that a request needs, in the terms of RBAC. Immutable.
 *
 * @param verb such as {@code list}
 * @param group the API group; empty for the core API
 * @param resource the plural name, with a subresource behind a slash
 * @param namespace empty for the whole cluster
 * @param name the object's name; empty for collections
 */
public record UsedRight(String verb, String group, String resource, String namespace, String name) {
    private static final Pattern PATH = Pattern.compile(
            "/(?:api|apis/([^/]+))/[^/]+" + "(?:/namespaces/([^/]+)(?=/[^/]+))?/([^/]+)(?:/([^/]+))?(?:/([^/]+))?");

    /** Empty for discovery and whatever else needs no role. */
    public static Optional<UsedRight> of(RecordedRequest request) {
        Matcher path = PATH.matcher(request.path());
        if (!path.matches()) {
            return Optional.empty();
        }
        String name = text(path, 4);
        String subresource = text(path, 5);
        String resource = path.group(3) + (subresource.isEmpty() ? "" : "/" + subresource);
        return Optional.of(new UsedRight(verb(request, name), text(path, 1), resource, text(path, 2), name));
    }

    private static String text(Matcher path, int group) {
        String found = path.group(group);
        return found == null ? "" : found;
    }

    private static String verb(RecordedRequest request, String name) {
        return switch (request.method()) {
            case "GET" -> request.watch() ? "watch" : name.isEmpty() ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            default -> name.isEmpty() ? "deletecollection" : "delete";
        };
    }

    /** The rule for a role that gives it. */
    public String rule() {
        return "{apiGroups: [\"" + group + "\"], resources: [\"" + resource + "\"], verbs: [\"" + verb + "\"]}";
    }

    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group)
                + (namespace.isEmpty() ? " cluster-wide" : " in '" + namespace + "'")
                + "; add: " + rule();
    }
}
