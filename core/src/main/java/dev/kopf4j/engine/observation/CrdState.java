package dev.kopf4j.engine.observation;

import dev.kopf4j.Resource;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What the cluster is to serve by a custom resource definition. Immutable.
 *
 * @param group the API group of the resource
 * @param plural its name
 * @param isDeleted true if it is not to be served any more
 * @param isTerminating true if it is to be deleted as soon as none of its objects is left
 * @param versions in which versions it is to be served; none before the definition is established
 */
record CrdState(String group, String plural, boolean isDeleted, boolean isTerminating, Set<String> versions) {
    /** What a definition says that exists, or that has just been deleted. */
    static CrdState of(JsonNode object, boolean isDeleted) {
        JsonNode spec = object.path("spec");
        return new CrdState(
                spec.path("group").asString(""),
                spec.path("names").path("plural").asString(""),
                isDeleted,
                !isDeleted && object.path("metadata").has("deletionTimestamp"),
                isEstablished(object) ? served(spec) : Set.of());
    }

    private static boolean isEstablished(JsonNode object) {
        return !object.path("metadata").has("deletionTimestamp")
                && object.path("status").path("conditions").valueStream().anyMatch(CrdState::saysEstablished);
    }

    private static boolean saysEstablished(JsonNode condition) {
        return condition.path("type").asString("").equals("Established")
                && condition.path("status").asString("").equals("True");
    }

    private static Set<String> served(JsonNode spec) {
        return spec.path("versions")
                .valueStream()
                .filter(version -> version.path("served").asBoolean(false))
                .map(version -> version.path("name").asString(""))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The name of the definition. */
    String name() {
        return name(plural, group);
    }

    /** The name of the definition of such a resource. */
    static String name(String plural, String group) {
        return plural + "." + group;
    }

    /** True if these are resources as they are to be served. */
    boolean isMetBy(Collection<Resource> resources) {
        Set<String> found = resources.stream()
                .filter(resource ->
                        resource.group().equals(group) && resource.plural().equals(plural))
                .map(Resource::version)
                .collect(Collectors.toSet());
        return isDeleted ? found.isEmpty() : found.containsAll(versions);
    }
}
