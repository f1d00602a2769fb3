package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.List;

/**
 * What a request asks for, in the words of authorization. Immutable.
 *
 * @param path the path of requests that name no resource; empty for resources
 */
public record AuthorizationAttributes(
        String verb, String group, String resource, String subresource, String namespace, String name, String path) {
    /** Of a request, by its method and path alone. */
    public static AuthorizationAttributes of(ApiRequest request) {
        String path = request.path();
        List<String> parts =
                List.of(path.substring(path.startsWith("/") ? 1 : 0).split("/", -1));
        boolean core = parts.getFirst().equals("api") && parts.size() > 2;
        boolean named = parts.getFirst().equals("apis") && parts.size() > 3;
        if (!core && !named) {
            return new AuthorizationAttributes(method(request), "", "", "", "", "", path);
        }
        String group = core ? "" : parts.get(1);
        return resource(request, group, parts.subList(core ? 2 : 3, parts.size()));
    }

    private static String method(ApiRequest request) {
        return request.method().toLowerCase(java.util.Locale.ROOT);
    }

    private static AuthorizationAttributes resource(ApiRequest request, String group, List<String> parts) {
        boolean inNamespace = parts.getFirst().equals("namespaces")
                && parts.size() > 2
                && !parts.get(2).equals("status")
                && !parts.get(2).equals("finalize");
        List<String> rest = inNamespace ? parts.subList(2, parts.size()) : parts;
        String namespace =
                inNamespace || (parts.getFirst().equals("namespaces") && parts.size() > 1) ? parts.get(1) : "";
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "";
        return new AuthorizationAttributes(
                verb(request, name), group, rest.getFirst(), subresource, namespace, name, "");
    }

    private static String verb(ApiRequest request, String name) {
        boolean watch = !request.parameter("watch").isEmpty()
                && !request.parameter("watch").equals("false")
                && !request.parameter("watch").equals("0");
        return switch (request.method()) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> watch ? "watch" : name.isEmpty() ? "list" : "get";
        };
    }

    /** Whether it is about a resource. */
    public boolean isResource() {
        return path.isEmpty();
    }

    /** The resource as rules name it. */
    public String qualifiedResource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
}
