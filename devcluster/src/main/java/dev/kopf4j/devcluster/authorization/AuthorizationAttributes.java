package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.resource.ResourcePath;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request asks for, in the terms of authorization: {@code NewRequestInfo} in
 * {@code pkg/endpoints/request/requestinfo.go} of the apiserver library, v1.33. Immutable.
 *
 * @param path the path of requests that name no resource; empty for resources
 */
public record AuthorizationAttributes(
        String verb, String group, String resource, String subresource, String namespace, String name, String path) {
    private static final Pattern EXACT_NAME = Pattern.compile("(?:.*,)?metadata\\.name==?([^,!=/%]+)(?:,.*)?");

    /** The attributes of a path that names no resource. */
    public static AuthorizationAttributes ofPath(String verb, String path) {
        return new AuthorizationAttributes(verb, "", "", "", "", "", path);
    }

    /** The attributes of a request, by its method and path alone. */
    public static AuthorizationAttributes of(ApiRequest request) {
        String path = request.path();
        List<String> parts =
                List.of(path.substring(path.startsWith("/") ? 1 : 0).split("/", -1));
        boolean core = parts.getFirst().equals("api") && parts.size() > 2;
        boolean grouped = parts.getFirst().equals("apis") && parts.size() > 3;
        if (!core && !grouped) {
            return ofPath(request.method().toLowerCase(Locale.ROOT), path);
        }
        ResourcePath target = ResourcePath.of(parts.subList(core ? 2 : 3, parts.size()));
        String name = target.name().isEmpty() ? selectedName(request) : target.name();
        return new AuthorizationAttributes(
                verb(request, target.name()),
                core ? "" : parts.get(1),
                target.plural(),
                target.subresource(),
                target.isNamespace() ? target.name() : target.namespace(),
                name,
                "");
    }

    /** Who lists or watches by {@code metadata.name=x} asks for that name only. */
    private static String selectedName(ApiRequest request) {
        Matcher exact = EXACT_NAME.matcher(request.parameter("fieldSelector"));
        return request.method().equals("GET") && exact.matches() ? exact.group(1) : "";
    }

    private static String verb(ApiRequest request, String name) {
        return switch (request.method()) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> !name.isEmpty() ? "get" : request.flag("watch") ? "watch" : "list";
        };
    }

    /** Whether the request is about a resource. */
    public boolean isResource() {
        return path.isEmpty();
    }

    /** The resource as rules name it. */
    public String qualifiedResource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
