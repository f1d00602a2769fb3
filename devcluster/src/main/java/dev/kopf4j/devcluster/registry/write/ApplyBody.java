package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.request.DuplicateFields;
import dev.kopf4j.devcluster.request.FieldValidation;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads applied configurations: YAML, of which JSON is a part. Pure. */
final class ApplyBody {
    private ApplyBody() {}

    /** The configuration of a request; 400 if its kind or version is not the wanted one. */
    static ObjectNode read(ResourceRequest request, String wantedKind, String wantedVersion) {
        WriteOptionsValidation.check(request.request(), "PatchOptions");
        if (!(parse(request) instanceof ObjectNode configuration)) {
            throw ApiException.badRequest("error decoding YAML: the body is no object");
        }
        FieldValidation.of(request.request())
                .report(DuplicateFields.in(request.request()), request.warnings(), found -> {
                    throw ApiException.badRequest("error strict decoding YAML: " + found);
                });
        String kind = Json.string(configuration, "kind");
        String apiVersion = Json.string(configuration, "apiVersion");
        if (!kind.equals(wantedKind) || !apiVersion.equals(wantedVersion)) {
            throw ApiException.badRequest("invalid object type: " + apiVersion + "/, Kind=" + kind);
        }
        ObjectNode metadata = Json.child(configuration, "metadata");
        if (!metadata.path("managedFields").isEmpty()) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
        RequestNameValidation.check(request, configuration);
        metadata.remove(List.of("creationTimestamp", "managedFields"));
        return configuration;
    }

    private static JsonNode parse(ResourceRequest request) {
        try {
            List<JsonNode> documents =
                    YamlReader.documents(new String(request.request().body(), StandardCharsets.UTF_8));
            return documents.isEmpty() ? Json.object() : documents.getFirst();
        } catch (YamlEngineException e) {
            throw ApiException.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
    }
}
