package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.access.Tokens;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.show.Shown;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.status.Subject;
import dev.kopf4j.devcluster.store.StoredObject;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Subresources that are acts rather than parts: tokens, bindings. Thread-safe. */
final class PodActions {
    private static final Map<String, String> BOUND = Map.of("Node", "nodes", "Pod", "pods", "Secret", "secrets");
    private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";
    private final ServerState state;
    private final Reading reading;
    private final Tokens tokens;

    PodActions(ServerState state, Reading reading, Tokens tokens) {
        this.state = state;
        this.reading = reading;
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
        checkDuration(seconds);
        spec.put("expirationSeconds", seconds);
        if (!spec.has("boundObjectRef")) {
            spec.putNull("boundObjectRef");
        }
        checkBound(call, spec.path("boundObjectRef"));
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

    /** A token may live as long as another object only if that is there. */
    private void checkBound(Call call, JsonNode reference) {
        String plural = BOUND.get(Json.string(reference, "kind"));
        String name = Json.string(reference, "name");
        String namespace = "nodes".equals(plural) ? "" : call.namespace();
        if (plural != null && state.store().bucket(plural).get(namespace, name) == null) {
            throw ApiException.notFound(new Subject("", plural, name));
        }
    }

    private static void checkDuration(long seconds) {
        String rule = seconds < 600
                ? "may not specify a duration less than 10 minutes"
                : seconds > 1L << 32 ? "may not specify a duration larger than 2^32 seconds" : "";
        if (!rule.isEmpty()) {
            throw ApiException.invalid(
                    new Subject("authentication.k8s.io", "TokenRequest", ""),
                    List.of(Cause.invalid("spec.expirationSeconds", String.valueOf(seconds), rule)));
        }
    }

    /** Puts a pod on a node, as a scheduler does. */
    Answer bind(Call call) {
        JsonNode target = sent(call, "Binding", "v1").path("target");
        String node = Json.string(target, "name");
        if (node.isEmpty()) {
            throw ApiException.plain500("target.name: Required value");
        }
        change(state, reading, call, pod -> {
            checkBindable(call, pod);
            Json.child(pod, "spec").put("nodeName", node);
            condition(Json.child(pod, "status"), "PodScheduled", "True", "", "", state.now());
        });
        return new Answer(201, success());
    }

    /** Changes a pod as the server itself does: without hooks, owners of fields, or a new generation. */
    static void change(ServerState state, Reading reading, Call call, Consumer<ObjectNode> edit) {
        while (true) {
            StoredObject current = reading.get(call);
            ObjectNode pod = Shown.tree(call.resource(), current).deepCopy();
            edit.accept(pod);
            if (call.dryRun()
                    || state.store().replace(state.bucket(call.resource()), current, Shown.store(call.resource(), pod))
                            != null) {
                return;
            }
        }
    }

    private static void checkBindable(Call call, ObjectNode pod) {
        Subject subject = new Subject("", "pods/binding", call.name());
        String node = Json.string(pod, "spec", "nodeName");
        if (pod.path("metadata").has("deletionTimestamp")) {
            throw ApiException.conflict(
                    subject, "pod " + call.name() + " is being deleted, cannot be assigned to a host");
        }
        if (!node.isEmpty()) {
            throw ApiException.conflict(
                    subject, "pod " + call.name() + " is already assigned to node \"" + node + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw ApiException.conflict(subject, "pod " + call.name() + " has non-empty .spec.schedulingGates");
        }
    }

    /** What a client sent to an endpoint that acts on an object; it must name the same object. */
    static ObjectNode sent(Call call, String kind, String apiVersion) {
        WriteOptions.check(call.request(), "CreateOptions");
        if (!(Bodies.document(call) instanceof ObjectNode sent)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + kind + ")");
        }
        String given = Json.string(sent, "kind");
        if (!given.isEmpty() && !given.equals(kind)) {
            throw ApiException.badRequest(given + " in version \"v1\" cannot be handled as a " + kind);
        }
        if (!Json.string(sent, "metadata", "name").equals(call.name())) {
            throw ApiException.badRequest("name in URL does not match name in " + kind + " object");
        }
        Creating.checkNamespace(call, MetadataTypes.metadata(sent));
        Json.child(sent, "metadata").put("namespace", call.namespace());
        sent.put("kind", kind).put("apiVersion", apiVersion);
        return sent;
    }

    /** Sets a condition of a pod or a budget; its time moves only when the truth does. */
    static ObjectNode condition(
            ObjectNode status, String type, String truth, String reason, String message, String now) {
        ArrayNode conditions =
                status.get("conditions") instanceof ArrayNode present ? present : status.putArray("conditions");
        ObjectNode condition = conditions
                .valueStream()
                .filter(each -> Json.string(each, "type").equals(type))
                .findFirst()
                .map(ObjectNode.class::cast)
                .orElseGet(conditions::addObject);
        if (!Json.string(condition, "status").equals(truth)) {
            condition.put("lastTransitionTime", now);
        }
        condition.put("type", type).put("status", truth);
        if (!reason.isEmpty()) {
            condition.put("reason", reason);
        }
        if (!message.isEmpty()) {
            condition.put("message", message);
        }
        return condition;
    }

    static ObjectNode success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", 201);
    }
}
