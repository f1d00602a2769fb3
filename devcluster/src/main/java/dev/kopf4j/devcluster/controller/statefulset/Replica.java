package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A pod of a stateful set, or the place of one that is missing: {@code stateful_set_utils.go}, v1.33.
 *
 * @param revision the name of the revision that it has
 * @param object null if it is missing
 */
record Replica(
        long ordinal,
        String revision,
        String phase,
        boolean ready,
        boolean available,
        boolean deleting,
        @Nullable StoredObject object) {
    static final String REVISION = "controller-revision-hash";
    private static final Pattern NAME = Pattern.compile("(.*)-([0-9]{1,9})");

    static Replica missing(long ordinal, String revision) {
        return new Replica(ordinal, revision, "", false, false, false, null);
    }

    /** The replica in a pod; empty if the name is not that of one. */
    static Optional<Replica> of(StoredObject object, JsonNode pod, String set, PodAvailability availability) {
        Matcher name = NAME.matcher(object.name());
        if (!name.matches() || !name.group(1).equals(set)) {
            return Optional.empty();
        }
        String phase = PodTemplate.phase(pod);
        return Optional.of(new Replica(
                Long.parseLong(name.group(2)),
                Json.string(pod, "metadata", "labels", REVISION),
                phase,
                phase.equals("Running") && PodTemplate.isReady(pod),
                phase.equals("Running") && availability.isAvailable(pod),
                object.deleting(),
                object));
    }

    boolean isMissing() {
        return phase.isEmpty();
    }

    boolean hasEnded() {
        return phase.equals("Failed") || phase.equals("Succeeded");
    }

    boolean isHealthy() {
        return ready && !deleting;
    }
}
