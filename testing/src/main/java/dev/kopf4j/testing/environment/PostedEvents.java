package dev.kopf4j.testing.environment;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds Kubernetes events in the requests that write them. Pure. */
final class PostedEvents {
    private static final Pattern PATH =
            Pattern.compile("/(api|apis/events\\.k8s\\.io)/v1/namespaces/[^/]+/events(/[^/]+)?");

    private PostedEvents() {}

    static Optional<Event> in(ApiRequest request, ApiResponse response) {
        boolean writes = switch (request.method()) {
            case "POST", "PUT", "PATCH" -> true;
            default -> false;
        };
        return writes
                        && response.status() < 300
                        && PATH.matcher(request.path()).matches()
                        && response.body() instanceof ApiResponse.Whole(byte[] bytes)
                ? Optional.of(Serialization.unmarshal(new String(bytes, StandardCharsets.UTF_8), Event.class))
                : Optional.empty();
    }
}
