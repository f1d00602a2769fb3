package dev.kopf4j.persistence.conventions;

import tools.jackson.databind.JsonNode;

/** Names an object for people: {@code KopfExample default/name}. */
final class ObjectTitle {
    private ObjectTitle() {}

    static String of(JsonNode body) {
        String kind = body.path("kind").asString("object");
        String namespace = body.path("metadata").path("namespace").asString("");
        String name = body.path("metadata").path("name").asString("(no name)");
        return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    }
}
