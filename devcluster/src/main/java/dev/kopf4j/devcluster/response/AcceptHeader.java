package dev.kopf4j.devcluster.response;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The form that a client accepts, which is the first one in the header that the server has:
 * {@code pkg/endpoints/handlers/negotiation/negotiate.go} of the apiserver library, v1.33.
 *
 * @param type the media type of the response
 * @param version the version of {@code meta.k8s.io} that tables and metadata are shown in
 * @param as Table, PartialObjectMetadata, PartialObjectMetadataList, or empty for the object itself
 */
public record AcceptHeader(String type, String version, String as) {
    /** The object itself as JSON. */
    public static final AcceptHeader JSON = new AcceptHeader("application/json", "v1", "");

    private static final List<String> VIEWS = List.of("Table", "PartialObjectMetadata", "PartialObjectMetadataList");

    private static final List<String> VERSIONS = List.of("v1", "v1beta1");

    /** Reads the Accept header; 406 if the server has none of its forms. */
    public static AcceptHeader of(ApiRequest request) {
        String header = request.header("accept").orElse("");
        if (header.isBlank()) {
            return JSON;
        }
        for (String wish : header.split(",", -1)) {
            AcceptHeader acceptHeader = meet(wish);
            if (acceptHeader != null) {
                return acceptHeader;
            }
        }
        throw ApiException.notAcceptable("406: Not Acceptable\n\nAvailable representations: application/json,"
                + " application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch,"
                + " application/vnd.kubernetes.protobuf;stream=watch");
    }

    private static @org.jspecify.annotations.Nullable AcceptHeader meet(String wish) {
        String[] parts = wish.split(";", -1);
        String type = parts[0].strip().toLowerCase(Locale.ROOT);
        Map<String, String> parameters = new HashMap<>();
        for (int index = 1; index < parts.length; index++) {
            String[] pair = parts[index].strip().split("=", 2);
            parameters.put(pair[0].strip(), pair.length > 1 ? pair[1].strip() : "");
        }
        String as = parameters.getOrDefault("as", "");
        if (!as.isEmpty() && !VIEWS.contains(as)) {
            return null;
        }
        String version = parameters.getOrDefault("v", "v1");
        if (!as.isEmpty()
                && !(VERSIONS.contains(parameters.getOrDefault("v", ""))
                        && "meta.k8s.io".equals(parameters.get("g")))) {
            return null;
        }
        return switch (type) {
            case "application/json", "*/*", "application/*" -> new AcceptHeader("application/json", version, as);
            case "application/yaml" -> new AcceptHeader("application/yaml", version, as);
            default -> null;
        };
    }

    /** The group and version of tables and metadata. */
    public String meta() {
        return "meta.k8s.io/" + version;
    }

    /** Whether the answer is YAML. */
    public boolean yaml() {
        return type.equals("application/yaml");
    }

    /** Whether the answer is a table. */
    public boolean table() {
        return as.equals("Table");
    }

    /** Refuses tables and metadata, for answers that have none: those of reviews. */
    public void requireWhole() {
        if (!as.isEmpty()) {
            throw ApiException.notAcceptable("only the following media types are accepted: application/json,"
                    + " application/yaml, application/vnd.kubernetes.protobuf");
        }
    }

    /** Whether the answer is metadata only. */
    public boolean partial() {
        return as.startsWith("PartialObjectMetadata");
    }
}
