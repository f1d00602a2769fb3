package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Config maps: {@code ValidateConfigMap} and {@code ValidateConfigMapUpdate} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
final class ConfigMapStrategy implements ResourceStrategy {
    private static final List<String> FIELDS = List.of("data", "binaryData");

    @Override
    public void prepare(ObjectDraft draft) {
        for (String field : FIELDS) {
            if (draft.next().path(field).isEmpty()) {
                draft.next().remove(field);
            }
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode data = draft.next().path("data");
        JsonNode binary = draft.next().path("binaryData");
        ConfigKeyValidation.keys(data, "data", checks);
        ConfigKeyValidation.keys(binary, "binaryData", checks);
        for (String key : data.propertyNames()) {
            if (binary.has(key)) {
                checks.problem("duplicate of key present in binaryData", "data[" + key + "]", key);
            }
        }
        ConfigKeyValidation.size(size(data) + ConfigKeyValidation.decodedSize(binary), "", checks);
        ImmutableDataValidation.check(draft, FIELDS, checks);
    }

    private static long size(JsonNode data) {
        return data.valueStream()
                .mapToLong(value -> value.asString().getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }
}
