package dev.kopf4j.cli.maintenance;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.StorageLocations;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an operator leaves on objects: its finalizer, and the annotations and status fields of its storages. What
 * storages of the user's own leave is not known. Pure.
 *
 * @param finalizer the operator's finalizer
 * @param locations where its storages keep their state
 */
record OperatorTraces(Finalizer finalizer, StorageLocations locations) {
    static OperatorTraces of(OperatorSettings all) {
        OperatorSettings.Persistence settings = all.persistence();
        return new OperatorTraces(
                new Finalizer(settings.finalizer()),
                StorageLocations.of(settings.progressStorage(), settings.diffBaseStorage(), settings.prefix())
                        .with(Interventions.of(all).prefixes()));
    }

    /** True if the object would wait for the operator when it is deleted. */
    boolean hold(ObjectNode body) {
        return finalizer.isOn(body);
    }

    /** The annotations on the object. */
    List<String> annotations(ObjectNode body) {
        return body.path("metadata").path("annotations").propertyNames().stream()
                .filter(locations::includes)
                .toList();
    }

    /**
     * A merge patch that takes all but the status fields off the object, and is refused if the object has changed;
     * empty if there is nothing to take off.
     */
    Optional<ObjectNode> removal(ObjectNode body) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        if (finalizer.isOn(body)) {
            ObjectNode without = body.deepCopy();
            finalizer.removeFrom(without);
            JsonNode others = without.path("metadata").path("finalizers");
            metadata.set("finalizers", others.isMissingNode() ? Json.mapper().nullNode() : others);
        }
        List<String> annotations = annotations(body);
        if (!annotations.isEmpty()) {
            ObjectNode nulls = metadata.putObject("annotations");
            annotations.forEach(nulls::putNull);
        }
        return guarded(patch, metadata.isEmpty(), body);
    }

    /** The same for the status fields. */
    Optional<ObjectNode> statusRemoval(ObjectNode body) {
        ObjectNode patch = Json.object();
        for (FieldPath field : locations.fields()) {
            if (field.isPresentIn(body)) {
                field.ensure(patch, Json.mapper().nullNode());
            }
        }
        return guarded(patch, patch.isEmpty(), body);
    }

    private static Optional<ObjectNode> guarded(ObjectNode patch, boolean empty, ObjectNode body) {
        if (empty) {
            return Optional.empty();
        }
        JsonNode version = body.path("metadata").path("resourceVersion");
        patch.withObjectProperty("metadata").set("resourceVersion", version);
        return Optional.of(patch);
    }
}
