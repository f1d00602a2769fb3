package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What becomes of a pod whose annotation asks for something else than success, so that the unhappy ways of operators
 * can be tried. The annotation may also come to a pod that runs.
 */
enum PodFate {
    /** The pod ends in the phase Failed, with exit code 1. */
    FAIL,
    /** Its containers end and are in CrashLoopBackOff. */
    CRASH,
    /** The pod ends in the phase Failed with the reason Evicted. */
    EVICT,
    /** It runs, but never becomes ready. */
    UNREADY,
    /** It ends in the phase Succeeded. */
    SUCCEED;

    /** The annotation; the value is the name of a fate in lower case. */
    static final String ANNOTATION = "devcluster.kopf4j.dev/pod";

    /** The fate of a pod; empty for the usual one, and for words that are none. */
    static Optional<PodFate> of(JsonNode pod) {
        String word = Json.string(pod.path("metadata").path("annotations"), ANNOTATION);
        for (PodFate fate : values()) {
            if (fate.name().toLowerCase(Locale.ROOT).equals(word)) {
                return Optional.of(fate);
            }
        }
        return Optional.empty();
    }

    /** Whether it has come already. */
    boolean isFulfilled(JsonNode pod) {
        return switch (this) {
            case FAIL, EVICT, SUCCEED -> PodTemplate.hasEnded(pod);
            case CRASH ->
                pod.path("status")
                        .path("containerStatuses")
                        .valueStream()
                        .anyMatch(container -> Json.string(container, "state", "waiting", "reason")
                                .equals("CrashLoopBackOff"));
            case UNREADY -> PodTemplate.phase(pod).equals("Running") && !PodTemplate.isReady(pod);
        };
    }

    void fulfill(StoredObject object, ObjectNode pod, String now) {
        switch (this) {
            case FAIL -> PodProgress.fail(pod, false, now);
            case EVICT -> PodProgress.fail(pod, true, now);
            case CRASH -> PodProgress.crash(object, pod, now);
            case UNREADY -> PodProgress.runUnready(object, pod, now);
            case SUCCEED -> PodProgress.complete(object, pod, now);
        }
    }
}
