package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The endpoints that pass requests on to pods, services and nodes: {@code ResourceLocation} in
 * {@code pkg/registry/core/pod/strategy.go}, {@code pkg/registry/core/service/storage/storage.go} and
 * {@code pkg/registry/core/node/strategy.go}, v1.33. There is nothing to reach, so they answer with failures.
 * Thread-safe.
 */
final class ProxyEndpoints implements SubresourceEndpoint {
    /** Tells why somebody cannot be reached. */
    private interface Location {
        ApiException failure(ResourceRequest request, Target target, JsonNode object);
    }

    private final GetVerb getVerb;
    private final Location location;

    private ProxyEndpoints(GetVerb getVerb, Location location) {
        this.getVerb = getVerb;
        this.location = location;
    }

    /** All of them, by their paths. */
    static Map<String, SubresourceEndpoint> of(ServerContext state, GetVerb getVerb) {
        return Map.of(
                "pods/proxy",
                new ProxyEndpoints(getVerb, (request, target, pod) -> pod(pod)),
                "services/proxy",
                new ProxyEndpoints(getVerb, (request, target, service) -> service(state, request, target, service)),
                "nodes/proxy",
                new ProxyEndpoints(getVerb, (request, target, node) -> node(node)));
    }

    /** Who is asked: {@code NAME}, {@code NAME:PORT} or {@code SCHEME:NAME:PORT}. */
    private record Target(String name, String port) {
        static Target of(ResourceRequest request) {
            List<String> parts = List.of(request.name().split(":", -1));
            boolean scheme = parts.size() == 3 && List.of("", "http", "https").contains(parts.getFirst());
            if (parts.size() > 2 && !scheme) {
                String kind = request.resource().kind().toLowerCase(java.util.Locale.ROOT);
                throw ApiException.badRequest("invalid " + kind + " request \"" + request.name() + "\"");
            }
            return parts.size() == 1
                    ? new Target(parts.getFirst(), "")
                    : new Target(parts.get(parts.size() - 2), parts.getLast());
        }
    }

    @Override
    public ApiResponse answer(ResourceRequest request) {
        Target target = Target.of(request);
        ResourceRequest named = new ResourceRequest(
                request.request(),
                request.resource(),
                request.namespace(),
                target.name(),
                request.subresource(),
                request.userInfo());
        JsonNode object = StorageConversion.tree(request.resource(), getVerb.get(named));
        throw location.failure(named, target, object);
    }

    private static ApiException pod(JsonNode pod) {
        return Json.string(pod, "status", "podIP").isEmpty()
                ? ApiException.badRequest("address not allowed")
                : unavailable("error trying to reach service: no container runs");
    }

    private static ApiException service(ServerContext state, ResourceRequest request, Target target, JsonNode service) {
        boolean number = target.port().matches("[0-9]{1,9}");
        boolean known = Json.items(service, "spec", "ports")
                .anyMatch(port -> port.path("port").asString().equals(target.port()));
        if (number && !known) {
            return unavailable("no service port " + target.port() + " found for service \"" + target.name() + "\"");
        }
        boolean endpoints = state.objectStore().bucket("endpoints").get(request.namespace(), target.name()) != null;
        return endpoints
                ? unavailable("no endpoints available for service \"" + request.name() + "\"")
                : ApiException.notFound(request.resource().subject(target.name()));
    }

    private static ApiException node(JsonNode node) {
        return node.path("status").path("addresses").isEmpty()
                ? ApiException.plain500("no preferred addresses found; known addresses: []")
                : unavailable("error trying to reach service: no kubelet runs");
    }

    private static ApiException unavailable(String message) {
        return ApiException.of(503, "ServiceUnavailable", message, Json.object(), false);
    }
}
