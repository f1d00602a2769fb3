package dev.kopf4j.testing.assertion;

import dev.kopf4j.testing.recording.RecordedRequest;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A right that a request needs, in the terms of RBAC. Immutable.
 *
 * @param verb such as {@code list}
 * @param group the API group; empty for the core API
 * @param resource the plural name, with a subresource behind a slash
 * @param namespace empty for the whole cluster; that of a namespace is its own, as for the server
 * @param name the object's name; empty for collections of which a request does not select one object by its name
 */
public record UsedRight(String verb, String group, String resource, String namespace, String name) {
    /** Below a namespace are the objects in it, and its own two subresources. */
    private static final Pattern PATH = Pattern.compile("/(?:api|apis/([^/]+))/[^/]+"
            + "(?:/namespaces/([^/]+)(?=/(?!(?:status|finalize)$)[^/]+))?" + "/([^/]+)(?:/([^/]+))?(?:/([^/]+))?");

    private static final Set<String> SELECTING_VERBS = Set.of("list", "watch");

    private static final Pattern FORBIDDEN = Pattern.compile("\" cannot ([a-z]+) resource \"");

    /**
     * Those that a request needs: several if it has created what it was to change. Empty for discovery and whatever
     * else needs no role.
     */
    public static List<UsedRight> of(RecordedRequest request) {
        Matcher path = PATH.matcher(request.path());
        if (!path.matches()) {
            return List.of();
        }
        String name = text(path, 4);
        String subresource = text(path, 5);
        String resource = path.group(3) + (subresource.isEmpty() ? "" : "/" + subresource);
        String namespace = path.group(3).equals("namespaces") ? name : text(path, 2);
        return verbs(request, name)
                .map(verb -> new UsedRight(verb, text(path, 1), resource, namespace, nameFor(verb, request, name)))
                .toList();
    }

    /** A role with resourceNames lets through who reads one of the objects by its name, as the server does. */
    private static String nameFor(String verb, RecordedRequest request, String name) {
        return SELECTING_VERBS.contains(verb) && name.isEmpty() ? request.selectedName() : name;
    }

    /** What was forbidden is told by the server: applying needs a further right for what does not exist. */
    private static Stream<String> verbs(RecordedRequest request, String name) {
        String verb = verb(request, name);
        if (request.status() == 403) {
            return Stream.of(request.problem()
                    .map(FORBIDDEN::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .orElse(verb));
        }
        boolean created = request.status() == 201 && !verb.equals("create");
        return created ? Stream.of(verb, "create") : Stream.of(verb);
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
