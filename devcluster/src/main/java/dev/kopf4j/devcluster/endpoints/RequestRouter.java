package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.discovery.DiscoveryEndpoints;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ResourcePath;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import java.util.Optional;

/** Finds the endpoint that answers a request. Thread-safe. */
public final class RequestRouter {
    private static final String NOT_FOUND = "404 page not found\n";
    private final ServedResources servedResources;
    private final ResourceEndpoints api;
    private final DiscoveryEndpoints discoveryEndpoints;
    private final ServerPages serverPages;

    /** Routes to these endpoints. */
    public RequestRouter(
            ServedResources servedResources,
            ResourceEndpoints api,
            DiscoveryEndpoints discoveryEndpoints,
            ServerPages serverPages) {
        this.serverPages = serverPages;
        this.servedResources = servedResources;
        this.api = api;
        this.discoveryEndpoints = discoveryEndpoints;
    }

    /** Answers any request; a client's mistake is a response, not an exception. */
    public ApiResponse route(ApiRequest request, UserInfo userInfo) {
        try {
            return dispatch(request, userInfo);
        } catch (ApiException e) {
            return ResponseFactory.failure(e, List.of());
        }
    }

    private ApiResponse dispatch(ApiRequest request, UserInfo userInfo) {
        String path = request.path();
        return switch (path) {
            case "/version", "/version/" -> {
                requireGet(request);
                yield discoveryEndpoints.version();
            }
            case "/api", "/api/" -> {
                requireGet(request);
                yield discoveryEndpoints.core(request);
            }
            case "/apis", "/apis/" -> discoveryEndpoints.groups(request);
            default -> {
                if (path.startsWith("/api/") || path.startsWith("/apis/")) {
                    yield resource(request, userInfo);
                }
                yield discoveryEndpoints
                        .openapi(request)
                        .or(() -> serverPages.answer(request))
                        .orElseGet(() -> ResponseFactory.text(404, NOT_FOUND));
            }
        };
    }

    private ApiResponse resource(ApiRequest request, UserInfo userInfo) {
        String path = request.path();
        int end = path.length();
        while (path.charAt(end - 1) == '/') {
            end--;
        }
        List<String> parts = List.of(path.substring(1, end).split("/", -1));
        boolean core = parts.getFirst().equals("api");
        Optional<ServedResources.Group> found =
                core || parts.size() > 1 ? servedResources.group(core ? "" : parts.get(1)) : Optional.empty();
        if (found.isEmpty()) {
            return ResponseFactory.text(404, NOT_FOUND);
        }
        int used = core ? 1 : 2;
        if (parts.size() == used) {
            return discoveryEndpoints.group(found.get(), request);
        }
        String version = parts.get(used);
        if (found.get().version(version).isEmpty()) {
            return missing(found.get());
        }
        List<String> rest = parts.subList(used + 1, parts.size());
        if (rest.isEmpty()) {
            if (found.get().builtin()) {
                requireGet(request);
            }
            return discoveryEndpoints.version(found.get(), version, request);
        }
        return target(request, userInfo, found.get(), version, rest);
    }

    /** Only some endpoints look at the method; those that do not answer to all as to GET. */
    private static void requireGet(ApiRequest request) {
        if (!request.method().equals("GET")) {
            throw ApiException.methodNotAllowed();
        }
    }

    private ApiResponse target(
            ApiRequest request, UserInfo userInfo, ServedResources.Group group, String version, List<String> parts) {
        ResourcePath resourcePath = ResourcePath.of(parts).withoutProxiedPath();
        Optional<Resource> resource = servedResources.find(group.name(), version, resourcePath.plural());
        if (resource.isEmpty()
                || resource.get().namespaced() != resourcePath.isNamespaced(resource.get(), request.method())) {
            return missing(group);
        }
        if (!resourcePath.subresource().isEmpty()
                && resource.get().subresource(resourcePath.subresource()).isEmpty()) {
            return noSubresource(resource.get(), resourcePath);
        }
        ResourceRequest resourceRequest = new ResourceRequest(
                request,
                resource.get(),
                resourcePath.namespace(),
                resourcePath.name(),
                resourcePath.subresource(),
                userInfo);
        checkVerb(resourceRequest);
        String deprecation = resource.get().deprecation();
        ApiResponse response = answer(resourceRequest);
        return deprecation.isEmpty() ? response : response.with(ResponseFactory.warning(deprecation));
    }

    private ApiResponse answer(ResourceRequest resourceRequest) {
        try {
            return api.answer(resourceRequest);
        } catch (ApiException e) {
            return ResponseFactory.failure(e, resourceRequest.warnings());
        }
    }

    private static void checkVerb(ResourceRequest resourceRequest) {
        Resource resource = resourceRequest.resource();
        if (resource.isCustom()) {
            return;
        }
        if (!resourceRequest.name().isEmpty() && resource.verbs().equals(List.of("create"))) {
            throw ApiException.noSuchResource();
        }
        boolean everywhere = resource.namespaced()
                && resourceRequest.namespace().isEmpty()
                && !resourceRequest.request().method().equals("GET");
        String verb = verb(resourceRequest);
        List<String> verbs = resource.subresource(resourceRequest.subresource())
                .map(Resource.Subresource::verbs)
                .orElse(resource.verbs());
        if (everywhere || !verbs.contains(verb)) {
            throw ApiException.methodNotAllowed();
        }
    }

    private static String verb(ResourceRequest resourceRequest) {
        boolean collection = resourceRequest.name().isEmpty();
        return switch (resourceRequest.request().method()) {
            case "GET" -> collection ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> collection ? "deletecollection" : "delete";
            default -> resourceRequest.request().method();
        };
    }

    private static ApiResponse missing(ServedResources.Group group) {
        if (group.builtin()) {
            throw ApiException.noSuchResource();
        }
        return ResponseFactory.text(404, NOT_FOUND);
    }

    private static ApiResponse noSubresource(Resource resource, ResourcePath resourcePath) {
        if (resource.isCustom()) {
            throw ApiException.notFound(resource.subject(resourcePath.name()));
        }
        throw ApiException.noSuchResource();
    }
}
