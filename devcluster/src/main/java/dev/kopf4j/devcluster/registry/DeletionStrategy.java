package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.Finalizers;
import dev.kopf4j.devcluster.resource.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How the deletion of an object begins, and what holds it: the usual way, and those of three kinds. */
enum DeletionStrategy {
    /** By finalizers. */
    USUAL,
    /** A pod on a node is left to its kubelet for the time of grace. */
    POD,
    /** A namespace is emptied first. */
    NAMESPACE,
    /** The objects of a custom kind go first. */
    DEFINITION;

    private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    static DeletionStrategy of(Resource resource, ObjectNode object, Optional<Long> grace) {
        List<String> steps = resource.resourceTraits().strategies();
        if (steps.contains("namespace")) {
            return NAMESPACE;
        }
        if (steps.contains("crd")) {
            return DEFINITION;
        }
        return steps.contains("pod") && grace(object, grace) > 0 ? POD : USUAL;
    }

    /** The seconds that a pod has to end: none if it runs nowhere or has ended. */
    private static long grace(ObjectNode pod, Optional<Long> wanted) {
        String phase = Json.string(pod, "status", "phase");
        boolean runs = !Json.string(pod, "spec", "nodeName").isEmpty()
                && !phase.equals("Succeeded")
                && !phase.equals("Failed");
        long usual = pod.path("spec").path("terminationGracePeriodSeconds").longValue(30);
        long seconds = wanted.orElse(usual);
        return !runs ? 0 : seconds < 0 ? 1 : seconds;
    }

    /** Whether a later request leaves less time than an earlier one did: then the object's mark is changed. */
    static boolean shorten(ObjectNode object, Optional<Long> wanted) {
        ObjectNode metadata = Json.child(object, "metadata");
        long former = metadata.path("deletionGracePeriodSeconds").longValue(0);
        if (former == 0 || wanted.isEmpty()) {
            return false;
        }
        long seconds = grace(object, wanted);
        if (seconds >= former) {
            return false;
        }
        Instant end = Instant.parse(Json.string(metadata, "deletionTimestamp")).minusSeconds(former - seconds);
        metadata.put("deletionTimestamp", end.toString()).put("deletionGracePeriodSeconds", seconds);
        return true;
    }

    /** Marks an object as being deleted. */
    void begin(ObjectNode object, Instant now, Optional<Long> wanted) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put("deletionTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
        switch (this) {
            case USUAL -> {
                metadata.put("deletionGracePeriodSeconds", 0);
                count(metadata);
            }
            case POD -> {
                long seconds = grace(object, wanted);
                Instant end = now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
                metadata.put("deletionTimestamp", end.toString()).put("deletionGracePeriodSeconds", seconds);
                count(metadata);
            }
            case NAMESPACE -> Json.child(object, "status").put("phase", "Terminating");
            case DEFINITION -> {
                ArrayNode finalizers = DeleteVerb.finalizers(metadata);
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
        if (!resource.resourceTraits().strategies().contains("pod")) {
            ObjectNode metadata = Json.child(object, "metadata");
            metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
        }
        return object;
    }
}
