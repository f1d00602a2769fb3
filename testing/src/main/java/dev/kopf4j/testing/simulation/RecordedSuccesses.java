package dev.kopf4j.testing.simulation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Reason;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Compares calls with what is recorded on their objects at that moment. Confined to the simulation. */
final class RecordedSuccesses {
    private final Function<ApiRequest, ApiResponse> server;
    private final String token;
    private final StoredMarks marks;

    RecordedSuccesses(Function<ApiRequest, ApiResponse> server, String token, StoredMarks marks) {
        this.server = server;
        this.token = token;
        this.marks = marks;
    }

    /** How a call that begins repeats what is recorded; empty if it does not. */
    Optional<String> repeated(HandlerContext context) {
        return stored(context).flatMap(object -> repeated(context, object));
    }

    private Optional<String> repeated(HandlerContext context, ObjectNode object) {
        ProgressRecord record = marks.progress(context.handlerId(), object);
        if (record != null && record.success()) {
            return Optional.of("'" + context.handlerId() + "' is called for " + context.name()
                    + ", although its success is recorded there");
        }
        if (context.reason() == Reason.CREATE && marks.isHandled(object)) {
            return Optional.of("'" + context.handlerId() + "' is called for the creation of " + context.name()
                    + ", although that is recorded as handled");
        }
        return Optional.empty();
    }

    private Optional<ObjectNode> stored(HandlerContext context) {
        String path = context.resource().url(context.namespace().orElse(null), context.name(), null, Map.of());
        ApiResponse response =
                server.apply(ApiRequest.of("GET", path, Map.of("Authorization", "Bearer " + token), new byte[0]));
        return response.status() == 200 && response.body() instanceof ApiResponse.Whole(byte[] bytes)
                ? Optional.of(Json.parseObject(bytes))
                        .filter(object ->
                                object.path("metadata").path("uid").asString("").equals(context.uid()))
                : Optional.empty();
    }
}
