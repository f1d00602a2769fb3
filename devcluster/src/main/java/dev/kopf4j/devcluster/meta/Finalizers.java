package dev.kopf4j.devcluster.meta;

import tools.jackson.databind.JsonNode;

/** What holds an object that is being deleted. */
public final class Finalizers {
    private Finalizers() {}

    /** Whether an object is being deleted and nothing holds it any more. */
    public static boolean released(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.path("finalizers").isEmpty()
                && metadata.path("deletionGracePeriodSeconds").longValue(0) == 0
                && !holdsNamespace(object);
    }

    private static boolean holdsNamespace(JsonNode object) {
        return object.path("kind").stringValue("").equals("Namespace")
                && !object.path("spec").path("finalizers").isEmpty();
    }
}
