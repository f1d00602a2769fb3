package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import tools.jackson.databind.JsonNode;

/**
 * A pod of a daemon set.
 *
 * @param created when it was created, as metadata has it
 * @param updated whether it is of the newest revision
 */
record DaemonPod(
        String name,
        String created,
        String phase,
        boolean deleting,
        boolean ready,
        boolean available,
        boolean updated) {
    static final Comparator<DaemonPod> OLDEST =
            Comparator.comparing(DaemonPod::created).thenComparing(DaemonPod::name);

    static DaemonPod of(StoredObject object, JsonNode pod, String hash, PodAvailability availability) {
        return new DaemonPod(
                object.name(),
                Json.string(pod, "metadata", "creationTimestamp"),
                PodTemplate.phase(pod),
                object.deleting(),
                PodTemplate.isReady(pod),
                availability.isAvailable(pod),
                Json.string(pod, "metadata", "labels", "controller-revision-hash")
                        .equals(hash));
    }

    boolean hasEnded() {
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    boolean runs() {
        return !deleting && !hasEnded();
    }
}
