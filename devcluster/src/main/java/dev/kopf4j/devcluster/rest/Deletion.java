package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How the deletion of an object begins, and what holds it: the usual way, and those of three kinds. */
enum Deletion {
    /** By finalizers. */
    USUAL,
    /** A pod on a node is left to its kubelet for the time of grace. */
    POD,
    /** A namespace is emptied first. */
    NAMESPACE,
    /** The objects of a custom kind go first. */
    DEFINITION;

    private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    static Deletion of(Resource resource, ObjectNode object, Optional<Long> grace) {
        List<String> steps = resource.traits().steps();
        if (steps.contains("namespace")) {
            return NAMESPACE;
        }
        if (steps.contains("crd")) {
            return DEFINITION;
        }
        boolean scheduled = steps.contains("pod")
                && !Json.string(object, "spec", "nodeName").isEmpty()
                && grace.orElse(30L) > 0;
        return scheduled ? POD : USUAL;
    }

    /** Marks an object as being deleted. */
    void begin(ObjectNode object, String now) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put("deletionTimestamp", now);
        switch (this) {
            case USUAL -> {
                metadata.put("deletionGracePeriodSeconds", 0);
                count(metadata);
            }
            case POD -> {
                long grace = object.path("spec")
                        .path("terminationGracePeriodSeconds")
                        .longValue(30);
                metadata.put("deletionGracePeriodSeconds", grace);
                count(metadata);
            }
            case NAMESPACE -> Json.child(object, "status").put("phase", "Terminating");
            case DEFINITION -> {
                ArrayNode finalizers = Deleting.finalizers(metadata);
                if (finalizers
                        .valueStream()
                        .noneMatch(each -> each.stringValue().equals(CLEANUP))) {
                    finalizers.add(CLEANUP);
                }
            }
        }
    }

    private static void count(ObjectNode metadata) {
        if (metadata.path("generation").longValue(0) > 0) {
            metadata.put("generation", metadata.get("generation").longValue() + 1);
        }
    }

    /** Whether the object stays for now. */
    boolean holds(ObjectNode object) {
        return !Finalizers.released(object);
    }

    /** An object that is gone as DELETE shows it: a service as it was, others with the mark of deletion. */
    static ObjectNode shownWhenGone(Resource resource, ObjectNode object) {
        if (!resource.traits().steps().contains("pod")) {
            ObjectNode metadata = Json.child(object, "metadata");
            metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        }
        return object;
    }
}
