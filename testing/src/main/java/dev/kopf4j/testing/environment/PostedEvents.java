package dev.kopf4j.testing.environment;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** Finds Kubernetes events in the requests that write them. Pure. */
final class PostedEvents {
    private static final Pattern PATH =
            Pattern.compile("/(api|apis/events\\.k8s\\.io)/v1/namespaces/[^/]+/events(/[^/]+)?");

    /** The names of {@code core/v1} for fields that {@code events.k8s.io/v1} calls otherwise. */
    private static final Map<String, String> NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    private PostedEvents() {}

    static Optional<Event> in(ApiRequest request, ApiResponse response) {
        boolean writes = switch (request.method()) {
            case "POST", "PUT", "PATCH" -> true;
            default -> false;
        };
        return writes
                        && response.status() < 300
                        && !request.query().containsKey("dryRun")
                        && PATH.matcher(request.path()).matches()
                        && response.body() instanceof ApiResponse.Whole(byte[] bytes)
                        && Json.parse(bytes) instanceof ObjectNode event
                ? Optional.of(Serialization.unmarshal(ofCore(event).toString(), Event.class))
                : Optional.empty();
    }

    /** The same event as a client of {@code core/v1} reads it. */
    private static ObjectNode ofCore(ObjectNode event) {
        ObjectNode core = Json.object();
        event.properties()
                .forEach(field -> core.set(NAMES.getOrDefault(field.getKey(), field.getKey()), field.getValue()));
        return core.put("apiVersion", "v1");
    }
}
