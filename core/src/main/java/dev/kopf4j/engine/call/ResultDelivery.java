package dev.kopf4j.engine.call;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import tools.jackson.databind.node.ObjectNode;

/** Puts what handlers return into the status of the object. Pure. */
public final class ResultDelivery {
    private ResultDelivery() {}

    /** Mappings are merged below {@code status.<id>}, other values are set there. */
    public static void deliver(String id, Outcome outcome, PatchContent patch) {
        if (outcome instanceof Outcome.Succeeded(var result) && result != null) {
            ObjectNode fragment = Json.object();
            FieldPath.of("status", id).ensure(fragment, result);
            MergePatch.mergeInto(patch.merge(), fragment);
        }
    }
}
