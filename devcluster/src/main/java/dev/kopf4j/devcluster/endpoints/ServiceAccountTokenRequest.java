package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tokens of service accounts on request: {@code TokenREST} in
 * {@code pkg/registry/core/serviceaccount/storage/token.go}, and {@code ValidateTokenRequest} in
 * {@code pkg/apis/authentication/validation/validation.go}, v1.33. Thread-safe.
 */
final class ServiceAccountTokenRequest {
    static final String PATH = "serviceaccounts/token";
    private static final Map<String, String> BOUND = Map.of("Node", "nodes", "Pod", "pods", "Secret", "secrets");
    private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";
    private static final long USUAL_SECONDS = 3600;
    private static final long MIN_SECONDS = 600;
    private static final long MAX_SECONDS = 1L << 32;
    private final ServerContext state;
    private final GetVerb getVerb;
    private final ServiceAccountTokens tokens;

    ServiceAccountTokenRequest(ServerContext state, GetVerb getVerb, ServiceAccountTokens tokens) {
        this.state = state;
        this.getVerb = getVerb;
        this.tokens = tokens;
    }

    /** Issues a token for the service account of a request. */
    VerbResult issue(ResourceRequest request) {
        StoredObject account = getVerb.get(request);
        if (!(RequestBody.document(request) instanceof ObjectNode asked)) {
            throw ApiException.badRequest("a TokenRequest is needed");
        }
        RequestDecoder.check("authentication.k8s.io", "v1", "TokenRequest", asked);
        ObjectNode spec = prepared(Json.child(asked, "spec"));
        long seconds = spec.path("expirationSeconds").longValue();
        checkDuration(seconds);
        Map<String, ObjectNode> bound = bound(request, spec.path("boundObjectRef"));
        List<String> audiences =
                Json.items(spec, "audiences").map(JsonNode::stringValue).toList();
        ServiceAccountTokens.Grant grant =
                new ServiceAccountTokens.Grant(request.namespace(), request.name(), account.uid(), audiences, bound);
        Json.child(asked, "metadata")
                .put("name", request.name())
                .put("namespace", request.namespace())
                .put("creationTimestamp", state.now());
        Instant end = state.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
        String token = tokens.issue(grant, state.nameGenerator().uid(), seconds);
        asked.putObject("status").put("token", token).put("expirationTimestamp", end.toString());
        asked.put("kind", "TokenRequest").put("apiVersion", "authentication.k8s.io/v1");
        return new VerbResult(201, asked);
    }

    private static ObjectNode prepared(ObjectNode spec) {
        if (spec.path("audiences").isEmpty()) {
            spec.set("audiences", Json.array(List.of(AUDIENCE)));
        }
        spec.put("expirationSeconds", spec.path("expirationSeconds").longValue(USUAL_SECONDS));
        if (!spec.has("boundObjectRef")) {
            spec.putNull("boundObjectRef");
        }
        return spec;
    }

    private static void checkDuration(long seconds) {
        String rule = seconds < MIN_SECONDS
                ? "may not specify a duration less than 10 minutes"
                : seconds > MAX_SECONDS ? "may not specify a duration larger than 2^32 seconds" : "";
        if (!rule.isEmpty()) {
            throw ApiException.invalid(
                    new StatusDetails("authentication.k8s.io", "TokenRequest", ""),
                    List.of(FieldError.invalid("spec.expirationSeconds", String.valueOf(seconds), rule)));
        }
    }

    /** The claims about the object that a token is bound to; refused if there is no such object. */
    private Map<String, ObjectNode> bound(ResourceRequest request, JsonNode reference) {
        if (!reference.isObject()) {
            return Map.of();
        }
        String kind = Json.string(reference, "kind");
        String plural = Json.string(reference, "apiVersion").equals("v1") ? BOUND.get(kind) : null;
        if (plural == null) {
            throw ApiException.badRequest(
                    "cannot bind token to object of type /" + Json.string(reference, "apiVersion") + ", Kind=" + kind);
        }
        String name = Json.string(reference, "name");
        String uid = Json.string(reference, "uid");
        Resource resource = state.servedResources().find("", "v1", plural).orElseThrow();
        StoredObject object = state.bucket(resource).get(resource.namespaced() ? request.namespace() : "", name);
        if (object == null) {
            throw ApiException.notFound(new StatusDetails("", plural, name));
        }
        if (!uid.isEmpty() && !uid.equals(object.uid())) {
            throw ApiException.conflict(
                    new StatusDetails("", plural, name),
                    "the UID in the bound object reference (" + uid + ") does not match the UID in record. The object"
                            + " might have been deleted and then recreated");
        }
        ObjectNode claim = Json.object().put("name", name).put("uid", object.uid());
        return Map.of(kind.toLowerCase(Locale.ROOT), claim);
    }
}
