package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Secrets: {@code stringData} becomes {@code data} ({@code pkg/apis/core/v1/conversion.go}); {@code ValidateSecret} and
 * {@code ValidateSecretUpdate} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
final class SecretStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode next = draft.next();
        if (next.remove("stringData") instanceof ObjectNode plain && !plain.isEmpty()) {
            ObjectNode data = Json.child(next, "data");
            plain.properties().forEach(entry -> data.put(entry.getKey(), encoded(entry.getValue())));
        }
        if (Json.string(next, "type").isEmpty()) {
            next.put("type", "Opaque");
        }
    }

    private static String encoded(JsonNode text) {
        return Base64.getEncoder().encodeToString(text.asString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        ObjectNode next = draft.next();
        ObjectNode before = draft.before();
        String type = Json.string(next, "type");
        if (before != null && !JsonEquality.same(before.get("type"), next.get("type"))) {
            checks.problem("field is immutable", "type", type);
        }
        JsonNode data = next.path("data");
        ConfigKeyValidation.keys(data, "data", checks);
        SecretTypeValidation.check(type, next, checks);
        ConfigKeyValidation.size(ConfigKeyValidation.decodedSize(data), "data", checks);
        ImmutableDataValidation.check(draft, List.of("data"), checks);
    }
}
