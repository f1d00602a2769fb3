package dev.kopf4j.cli.plan;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.virtual.ResponseBytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Notes which objects are written, as a server hears of it. Events, leases and questions about rights do not count:
 * they are nothing that handlers work on. Confined to the simulation.
 */
final class WrittenObjects {
    private static final Set<String> OWN_AFFAIRS =
            Set.of("events", "leases", "selfsubjectaccessreviews", "selfsubjectrulesreviews", "tokenreviews");

    private final Predicate<ApiRequest> counts;
    private final Map<Place, String> paths = new LinkedHashMap<>();
    private boolean listening;

    /** Of all writes. */
    WrittenObjects() {
        this(_ -> true);
    }

    private WrittenObjects(Predicate<ApiRequest> counts) {
        this.counts = counts;
    }

    /** Of those by which an operator brings children to what they ought to be. */
    static WrittenObjects ofChildren(String fieldManager) {
        return new WrittenObjects(request -> request.method().equals("DELETE")
                || (request.header("content-type").orElse("").contains("apply-patch")
                        && request.parameter("fieldManager").equals(fieldManager)));
    }

    /** What is written from now on counts. */
    void begin() {
        listening = true;
    }

    void heard(ApiRequest request, ApiResponse response) {
        if (listening && !request.method().equals("GET") && response.status() < 300 && counts.test(request)) {
            found(request, response);
        }
    }

    private void found(ApiRequest request, ApiResponse response) {
        List<String> parts = List.of(request.path().substring(1).split("/"));
        int group = parts.getFirst().equals("api") ? 0 : 1;
        if (parts.size() < group + 3) {
            return;
        }
        String name = group == 0 ? "" : parts.get(1);
        boolean inNamespace = parts.get(group + 2).equals("namespaces") && parts.size() > group + 4;
        int resource = inNamespace ? group + 4 : group + 2;
        String namespace = inNamespace ? parts.get(group + 3) : "";
        String plural = parts.get(resource);
        Optional<String> object =
                parts.size() > resource + 1 ? Optional.of(parts.get(resource + 1)) : created(response);
        if (object.isPresent() && !OWN_AFFAIRS.contains(plural)) {
            String path = "/" + String.join("/", parts.subList(0, resource + 1)) + "/" + object.get();
            paths.put(new Place(name, plural, namespace, object.get()), path);
        }
    }

    private static Optional<String> created(ApiResponse response) {
        try {
            String name = Json.parse(ResponseBytes.body(response))
                    .path("metadata")
                    .path("name")
                    .asString("");
            return name.isEmpty() ? Optional.empty() : Optional.of(name);
        } catch (JsonConversionException e) {
            return Optional.empty(); // a collection was deleted, or a table was asked for
        }
    }

    /** Where they are, with their paths on the server. */
    Map<Place, String> paths() {
        return Map.copyOf(paths);
    }
}
