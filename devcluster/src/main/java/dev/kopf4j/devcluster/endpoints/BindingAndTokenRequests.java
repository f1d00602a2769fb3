package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.registry.CreateVerb;
import dev.kopf4j.devcluster.registry.GetAndListVerbs;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Subresources that are acts rather than parts: tokens, bindings. Thread-safe. */
final class BindingAndTokenRequests {
    private static final Map<String, String> BOUND = Map.of("Node", "nodes", "Pod", "pods", "Secret", "secrets");
    private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";
    private final ServerContext state;
    private final GetAndListVerbs getAndListVerbs;
    private final ServiceAccountTokens serviceAccountTokens;

    BindingAndTokenRequests(
            ServerContext state, GetAndListVerbs getAndListVerbs, ServiceAccountTokens serviceAccountTokens) {
        this.state = state;
        this.getAndListVerbs = getAndListVerbs;
        this.serviceAccountTokens = serviceAccountTokens;
    }

    /** Issues a token for the service account of a call. */
    VerbResult token(ResourceRequest resourceRequest) {
        StoredObject account = getAndListVerbs.get(resourceRequest);
        if (!(RequestBody.document(resourceRequest) instanceof ObjectNode request)) {
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
        checkBound(resourceRequest, spec.path("boundObjectRef"));
        List<String> audiences =
                spec.path("audiences").valueStream().map(JsonNode::stringValue).toList();
        ObjectNode metadata = Json.child(request, "metadata");
        metadata.put("name", resourceRequest.name()).put("namespace", resourceRequest.namespace());
        metadata.put("creationTimestamp", state.now());
        ObjectNode status = request.putObject("status");
        status.put(
                "token",
                serviceAccountTokens.issue(
                        resourceRequest.namespace(), resourceRequest.name(), account.uid(), audiences, seconds));
        status.put(
                "expirationTimestamp",
                state.instant()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .plusSeconds(seconds)
                        .toString());
        request.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        return new VerbResult(201, request);
    }

    /** A token may live as long as another object only if that is there. */
    private void checkBound(ResourceRequest resourceRequest, JsonNode reference) {
        String plural = BOUND.get(Json.string(reference, "kind"));
        String name = Json.string(reference, "name");
        String namespace = "nodes".equals(plural) ? "" : resourceRequest.namespace();
        if (plural != null && state.objectStore().bucket(plural).get(namespace, name) == null) {
            throw ApiException.notFound(new StatusDetails("", plural, name));
        }
    }

    private static void checkDuration(long seconds) {
        String rule = seconds < 600
                ? "may not specify a duration less than 10 minutes"
                : seconds > 1L << 32 ? "may not specify a duration larger than 2^32 seconds" : "";
        if (!rule.isEmpty()) {
            throw ApiException.invalid(
                    new StatusDetails("authentication.k8s.io", "TokenRequest", ""),
                    List.of(FieldError.invalid("spec.expirationSeconds", String.valueOf(seconds), rule)));
        }
    }

    /** Puts a pod on a node, as a scheduler does. */
    VerbResult bind(ResourceRequest resourceRequest) {
        JsonNode target = sent(resourceRequest, "Binding", "v1").path("target");
        String node = Json.string(target, "name");
        if (node.isEmpty()) {
            throw ApiException.plain500("target.name: Required value");
        }
        change(state, getAndListVerbs, resourceRequest, pod -> {
            checkBindable(resourceRequest, pod);
            Json.child(pod, "spec").put("nodeName", node);
            condition(Json.child(pod, "status"), "PodScheduled", "True", "", "", state.now());
        });
        return new VerbResult(201, success());
    }

    /** Changes a pod as the server itself does: without hooks, owners of fields, or a new generation. */
    static void change(
            ServerContext state,
            GetAndListVerbs getAndListVerbs,
            ResourceRequest resourceRequest,
            Consumer<ObjectNode> edit) {
        while (true) {
            StoredObject current = getAndListVerbs.get(resourceRequest);
            ObjectNode pod =
                    StorageConversion.tree(resourceRequest.resource(), current).deepCopy();
            edit.accept(pod);
            if (resourceRequest.dryRun()
                    || state.objectStore()
                                    .replace(
                                            state.bucket(resourceRequest.resource()),
                                            current,
                                            StorageConversion.store(resourceRequest.resource(), pod))
                            != null) {
                return;
            }
        }
    }

    private static void checkBindable(ResourceRequest resourceRequest, ObjectNode pod) {
        StatusDetails statusDetails = new StatusDetails("", "pods/binding", resourceRequest.name());
        String node = Json.string(pod, "spec", "nodeName");
        if (pod.path("metadata").has("deletionTimestamp")) {
            throw ApiException.conflict(
                    statusDetails, "pod " + resourceRequest.name() + " is being deleted, cannot be assigned to a host");
        }
        if (!node.isEmpty()) {
            throw ApiException.conflict(
                    statusDetails, "pod " + resourceRequest.name() + " is already assigned to node \"" + node + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw ApiException.conflict(
                    statusDetails, "pod " + resourceRequest.name() + " has non-empty .spec.schedulingGates");
        }
    }

    /** What a client sent to an endpoint that acts on an object; it must name the same object. */
    static ObjectNode sent(ResourceRequest resourceRequest, String kind, String apiVersion) {
        WriteOptionsValidation.check(resourceRequest.request(), "CreateOptions");
        if (!(RequestBody.document(resourceRequest) instanceof ObjectNode sent)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + kind + ")");
        }
        String given = Json.string(sent, "kind");
        if (!given.isEmpty() && !given.equals(kind)) {
            throw ApiException.badRequest(given + " in version \"v1\" cannot be handled as a " + kind);
        }
        if (!Json.string(sent, "metadata", "name").equals(resourceRequest.name())) {
            throw ApiException.badRequest("name in URL does not match name in " + kind + " object");
        }
        CreateVerb.checkNamespace(resourceRequest, ObjectMetaTypes.metadata(sent));
        Json.child(sent, "metadata").put("namespace", resourceRequest.namespace());
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
