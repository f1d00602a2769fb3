package dev.kopf4j.testing.environment;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/**
 * Logs in as a service account of a dev cluster. Immutable.
 *
 * @param namespace its namespace
 * @param name its name
 */
public record ServiceAccountLogin(String namespace, String name) {
    /** For as long as a server gives it, as nobody renews it: a simulation may last for years. */
    private static final String REQUEST = """
            {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":4294967296}}""";

    /** Reads {@code namespace/name}, or {@code name} for the namespace {@code default}. */
    public static ServiceAccountLogin parse(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new ServiceAccountLogin("default", text)
                : new ServiceAccountLogin(text.substring(0, slash), text.substring(slash + 1));
    }

    /**
     * A token of the account.
     *
     * @param adminToken the token of the administrator, who asks for it
     */
    String token(Function<ApiRequest, ApiResponse> server, String adminToken) {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name + "/token";
        Map<String, String> headers =
                Map.of("Content-Type", "application/json", "Authorization", "Bearer " + adminToken);
        ApiResponse response =
                server.apply(ApiRequest.of("POST", path, headers, REQUEST.getBytes(StandardCharsets.UTF_8)));
        if (response.status() == 201 && response.body() instanceof ApiResponse.Whole(byte[] bytes)) {
            return Json.parse(bytes).path("status").path("token").asString("");
        }
        throw new IllegalArgumentException("there is no service account " + namespace + "/" + name
                + " for the operator: apply it, with its roles, before (status " + response.status() + ")");
    }
}
