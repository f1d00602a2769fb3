package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.access.Tokens;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.StoredObject;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Subresources that are acts rather than parts: tokens, evictions, bindings. Thread-safe. */
final class PodActions {
    private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";
    private final ServerState state;
    private final Reading reading;
    private final Updating updating;
    private final Tokens tokens;

    PodActions(ServerState state, Reading reading, Updating updating, Tokens tokens) {
        this.state = state;
        this.reading = reading;
        this.updating = updating;
        this.tokens = tokens;
    }

    /** Issues a token for the service account of a call. */
    Answer token(Call call) {
        StoredObject account = reading.get(call);
        if (!(Bodies.document(call) instanceof ObjectNode request)) {
            throw ApiException.badRequest("a TokenRequest is needed");
        }
        ObjectNode spec = Json.child(request, "spec");
        if (spec.path("audiences").isEmpty()) {
            spec.set("audiences", Json.array(List.of(AUDIENCE)));
        }
        long seconds = spec.path("expirationSeconds").longValue(3600);
        spec.put("expirationSeconds", seconds);
        if (!spec.has("boundObjectRef")) {
            spec.putNull("boundObjectRef");
        }
        List<String> audiences =
                spec.path("audiences").valueStream().map(JsonNode::stringValue).toList();
        ObjectNode metadata = Json.child(request, "metadata");
        metadata.put("name", call.name()).put("namespace", call.namespace());
        metadata.put("creationTimestamp", state.now());
        ObjectNode status = request.putObject("status");
        status.put("token", tokens.issue(call.namespace(), call.name(), account.uid(), audiences, seconds));
        status.put(
                "expirationTimestamp",
                state.instant()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .plusSeconds(seconds)
                        .toString());
        request.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        return new Answer(201, request);
    }

    /** Puts a pod on a node, as a scheduler does. */
    Answer bind(Call call) {
        String node = Json.string(Bodies.document(call), "target", "name");
        Call pod = new Call(
                call.request(),
                call.resource(),
                call.namespace(),
                call.name(),
                "binding",
                call.user(),
                call.warnings());
        updating.change(pod, present -> {
            Json.child(present, "spec").put("nodeName", node);
            return present;
        });
        return new Answer(201, success());
    }

    static ObjectNode success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", 201);
    }
}
