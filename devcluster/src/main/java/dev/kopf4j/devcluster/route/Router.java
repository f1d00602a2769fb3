package dev.kopf4j.devcluster.route;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.ApiResponse;
import dev.kopf4j.devcluster.access.User;
import dev.kopf4j.devcluster.discovery.Discovery;
import dev.kopf4j.devcluster.discovery.Version;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resources;
import dev.kopf4j.devcluster.rest.Call;
import dev.kopf4j.devcluster.rest.ResourceApi;
import dev.kopf4j.devcluster.show.Accept;
import dev.kopf4j.devcluster.show.Responses;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import java.util.Optional;

/** Finds what answers a request. Thread-safe. */
public final class Router {
    private static final String NOT_FOUND = "404 page not found\n";
    private final Resources resources;
    private final ResourceApi api;
    private final Discovery discovery;

    /** Routes to these. */
    public Router(Resources resources, ResourceApi api, Discovery discovery) {
        this.resources = resources;
        this.api = api;
        this.discovery = discovery;
    }

    /** Answers any request; never throws for what a client did. */
    public ApiResponse route(ApiRequest request, User user) {
        try {
            return dispatch(request, user);
        } catch (ApiException e) {
            return Responses.failure(e, List.of());
        }
    }

    private ApiResponse dispatch(ApiRequest request, User user) {
        String path = request.path();
        return switch (path) {
            case "/healthz", "/livez", "/readyz", "/healthz/", "/livez/", "/readyz/", "/healthz/ping" ->
                Responses.text(200, "ok");
            case "/version", "/version/" -> Responses.object(200, Accept.JSON, Version.info(), List.of());
            case "/api", "/api/" -> discovery.core(request);
            case "/apis", "/apis/" -> discovery.groups(request);
            default -> {
                if (path.startsWith("/api/") || path.startsWith("/apis/")) {
                    yield resource(request, user);
                }
                yield discovery.openapi(request).orElseGet(() -> Responses.text(404, NOT_FOUND));
            }
        };
    }

    private ApiResponse resource(ApiRequest request, User user) {
        List<String> parts =
                List.of(request.path().substring(1).replaceAll("/+$", "").split("/", -1));
        boolean core = parts.getFirst().equals("api");
        String group = core ? "" : parts.get(1);
        Optional<Resources.Group> found = resources.group(group);
        if (found.isEmpty()) {
            return Responses.text(404, NOT_FOUND);
        }
        int used = core ? 1 : 2;
        if (parts.size() == used) {
            return discovery.group(found.get(), request);
        }
        String version = parts.get(used);
        if (found.get().version(version).isEmpty()) {
            return missing(found.get());
        }
        List<String> rest = parts.subList(used + 1, parts.size());
        if (rest.isEmpty()) {
            return discovery.version(found.get(), version, request);
        }
        return target(request, user, found.get(), version, rest);
    }

    private ApiResponse target(
            ApiRequest request, User user, Resources.Group group, String version, List<String> parts) {
        Target target = Target.of(parts);
        Optional<Resource> resource = resources.find(group.name(), version, target.plural());
        if (resource.isEmpty() || resource.get().namespaced() != target.fits(resource.get(), request.method())) {
            return missing(group);
        }
        if (!target.subresource().isEmpty()
                && resource.get().subresource(target.subresource()).isEmpty()) {
            return noSubresource(resource.get(), target);
        }
        Call call = new Call(request, resource.get(), target.namespace(), target.name(), target.subresource(), user);
        checkVerb(call);
        String deprecation = resource.get().deprecation();
        ApiResponse response = answer(call);
        return deprecation.isEmpty() ? response : response.with(Responses.warning(deprecation));
    }

    private ApiResponse answer(Call call) {
        try {
            return api.answer(call);
        } catch (ApiException e) {
            return Responses.failure(e, call.warnings());
        }
    }

    private static void checkVerb(Call call) {
        Resource resource = call.resource();
        if (resource.isCustom()) {
            return;
        }
        String verb = verb(call);
        List<String> verbs = resource.subresource(call.subresource())
                .map(Resource.Subresource::verbs)
                .orElse(resource.verbs());
        if (!verbs.contains(verb)) {
            throw ApiException.methodNotAllowed();
        }
    }

    private static String verb(Call call) {
        boolean collection = call.name().isEmpty();
        return switch (call.request().method()) {
            case "GET", "HEAD" -> collection ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> collection ? "deletecollection" : "delete";
            default -> call.request().method();
        };
    }

    private static ApiResponse missing(Resources.Group group) {
        if (group.builtin()) {
            throw ApiException.noSuchResource();
        }
        return Responses.text(404, NOT_FOUND);
    }

    private static ApiResponse noSubresource(Resource resource, Target target) {
        if (resource.isCustom()) {
            throw ApiException.notFound(resource.subject(target.name()));
        }
        throw ApiException.noSuchResource();
    }
}
