package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Drivers of volumes: {@code ValidateCSIDriver} and {@code ValidateCSIDriverUpdate} in
 * {@code pkg/apis/storage/validation/validation.go}, v1.33.
 */
final class CsiDriverStrategy implements ResourceStrategy {
    private static final List<String> GROUP_POLICIES = List.of("File", "None", "ReadWriteOnceWithFSType");
    private static final List<String> MODES = List.of("Persistent", "Ephemeral");

    /** In seconds. */
    private static final long SHORTEST_TOKEN = 600;

    private static final long LONGEST_TOKEN = 1L << 32;

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        checks.oneOf(spec, "fsGroupPolicy", "spec", GROUP_POLICIES);
        tokens(spec.path("tokenRequests"), checks);
        for (JsonNode mode : spec.path("volumeLifecycleModes")) {
            if (!MODES.contains(mode.asString())) {
                checks.add(
                        FieldError.notSupported("spec.volumeLifecycleModes", FieldError.quote(mode.asString()), MODES));
            }
        }
        ObjectNode before = draft.before();
        if (before != null) {
            JsonNode former = before.path("spec");
            // The name of the field is misspelt there, too.
            checks.immutable(spec.path("attachRequired"), former.path("attachRequired"), "spec.attachedRequired");
            checks.immutable(
                    spec.path("volumeLifecycleModes"),
                    former.path("volumeLifecycleModes"),
                    "spec.volumeLifecycleModes");
        }
    }

    private static void tokens(JsonNode requests, FieldChecks checks) {
        Set<String> audiences = new HashSet<>();
        int index = 0;
        for (JsonNode request : requests) {
            String path = "spec.tokenRequests[" + index++ + "]";
            String audience = Json.string(request, "audience");
            long seconds = request.path("expirationSeconds").longValue(SHORTEST_TOKEN);
            if (!audiences.add(audience)) {
                checks.add(FieldError.duplicate(path + ".audience", FieldError.quote(audience)));
            } else if (seconds < SHORTEST_TOKEN || seconds > LONGEST_TOKEN) {
                checks.add(FieldError.invalid(
                        path + ".expirationSeconds",
                        String.valueOf(seconds),
                        seconds < SHORTEST_TOKEN
                                ? "may not specify a duration less than 10 minutes"
                                : "may not specify a duration larger than 2^32 seconds"));
            }
        }
    }
}
