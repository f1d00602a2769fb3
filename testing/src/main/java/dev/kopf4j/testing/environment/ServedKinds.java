package dev.kopf4j.testing.environment;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The kinds of the objects that a dev cluster serves. */
public final class ServedKinds {
    private static final String DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private ServedKinds() {}

    /**
     * The kinds in order.
     *
     * @param look answers requests of which nobody hears
     */
    public static Set<String> of(Function<ApiRequest, ApiResponse> look, String token) {
        Set<String> kinds = new TreeSet<>();
        for (String path : new String[] {"/api", "/apis"}) {
            ApiResponse response = look.apply(ApiRequest.of(
                    "GET", path, Map.of("Authorization", "Bearer " + token, "Accept", DISCOVERY), new byte[0]));
            if (response.body() instanceof ApiResponse.Whole(byte[] bytes)) {
                Json.parse(bytes).path("items").forEach(group -> add(group, kinds));
            }
        }
        return kinds;
    }

    /** Whoever asks for states of a kind that is not served would never hear that it is misspelt. */
    public static IllegalArgumentException notServed(String kind, String name) {
        return new IllegalArgumentException("the cluster serves no kind '" + kind + "', so that nothing of it is"
                + " called '" + name + "'; kinds are written as in ConfigMap");
    }

    private static void add(JsonNode group, Set<String> kinds) {
        for (JsonNode version : group.path("versions")) {
            for (JsonNode resource : version.path("resources")) {
                kinds.add(resource.path("responseKind").path("kind").asString(""));
            }
        }
    }
}
