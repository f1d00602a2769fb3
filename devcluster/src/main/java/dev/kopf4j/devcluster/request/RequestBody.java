package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.TooLargeNumberException;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.types.ProtobufDecoder;
import dev.kopf4j.devcluster.value.DecodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/** Reads request bodies by their media type. */
public final class RequestBody {
    private static final List<String> ACCEPTED =
            List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
    private static final List<String> ACCEPTED_FOR_CUSTOM = List.of("application/json", "application/yaml");

    private RequestBody() {}

    /** The media type without parameters, in lower case; JSON if the request does not name one. */
    public static String mediaType(ApiRequest request) {
        String header = request.header("content-type").orElse("application/json");
        int semicolon = header.indexOf(';');
        return (semicolon < 0 ? header : header.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    }

    static boolean isJson(ApiRequest request) {
        String type = mediaType(request);
        return type.equals("application/json") || type.isEmpty();
    }

    /** The body of a create or update. */
    public static JsonNode document(ResourceRequest resourceRequest) {
        String type = mediaType(resourceRequest.request());
        return switch (type) {
            case "application/json", "" -> json(resourceRequest);
            case "application/vnd.kubernetes.protobuf" -> protobuf(resourceRequest.request());
            case "application/yaml", "application/x-yaml", "text/yaml" -> yaml(resourceRequest.request());
            default ->
                throw ApiException.unsupportedMediaType(
                        resourceRequest.resource().isCustom() ? ACCEPTED_FOR_CUSTOM : ACCEPTED);
        };
    }

    /** The object of a protobuf body. */
    static JsonNode protobuf(ApiRequest request) {
        try {
            return ProtobufDecoder.read(request.body())
                    .orElseThrow(() -> ApiException.unsupportedMediaType(ACCEPTED_FOR_CUSTOM));
        } catch (DecodingException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static JsonNode json(ResourceRequest resourceRequest) {
        try {
            return Json.parseRequest(resourceRequest.request().body());
        } catch (TooLargeNumberException e) {
            String kind = resourceRequest.resource().kind();
            throw ApiException.badRequest(
                    kind + " in version \"" + resourceRequest.resource().version() + "\" cannot be handled as a " + kind
                            + ": " + e.getMessage());
        } catch (JacksonException e) {
            String text = new String(resourceRequest.request().body(), StandardCharsets.UTF_8);
            throw ApiException.badRequest("the object provided is unrecognized (must be of type "
                    + resourceRequest.resource().kind()
                    + "): couldn't get version/kind; json parse error: " + reason(e) + " ("
                    + text.substring(0, Math.min(text.length(), 100)) + ")");
        }
    }

    private static String reason(JacksonException e) {
        return e instanceof StreamConstraintsException ? "exceeded max depth" : e.getOriginalMessage();
    }

    /** The first YAML document of a body. */
    static JsonNode yaml(ApiRequest request) {
        try {
            List<JsonNode> documents = YamlReader.documents(new String(request.body(), StandardCharsets.UTF_8));
            return documents.isEmpty() ? Json.missing() : documents.getFirst();
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("error parsing YAML: " + e.getMessage());
        }
    }
}
