package dev.kopf4j.cli.plan;

import dev.kopf4j.Resource;
import java.util.Comparator;
import tools.jackson.databind.JsonNode;

/**
 * Where an object is, in whatever version it is served. Immutable.
 *
 * @param group the API group; empty for the core API
 * @param plural the plural name of its resource
 * @param namespace its namespace; empty for objects of the cluster
 * @param name its name
 */
record Place(String group, String plural, String namespace, String name) implements Comparable<Place> {
    private static final Comparator<Place> ORDER = Comparator.comparing(Place::group)
            .thenComparing(Place::plural)
            .thenComparing(Place::namespace)
            .thenComparing(Place::name);

    static Place of(Resource resource, JsonNode body) {
        JsonNode metadata = body.path("metadata");
        return new Place(
                resource.group(),
                resource.plural(),
                metadata.path("namespace").asString(""),
                metadata.path("name").asString(""));
    }

    /** The kind of objects, as kubectl names it: {@code websites.example.com}. */
    String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** True if values of the object are shown to nobody. */
    boolean isSecret() {
        return group.isEmpty() && plural.equals("secrets");
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    /** As kubectl names it: {@code websites.example.com default/shop}. */
    @Override
    public String toString() {
        return resource() + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
