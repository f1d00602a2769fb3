package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Config maps: their keys. */
public final class ConfigMapStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft objectDraft) {
        for (String field : List.of("data", "binaryData")) {
            if (objectDraft.next().path(field).isEmpty()) {
                objectDraft.next().remove(field);
            }
        }
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        ObjectNode next = objectDraft.next();
        List<FieldError> causes = new ArrayList<>(ConfigKeyValidation.check(next.path("data"), "data"));
        causes.addAll(ConfigKeyValidation.check(next.path("binaryData"), "binaryData"));
        JsonNode binary = next.path("binaryData");
        for (String key : next.path("data").propertyNames()) {
            if (binary.has(key)) {
                causes.add(
                        FieldError.invalidString("data[" + key + "]", key, "duplicate of key present in binaryData"));
            }
        }
        if (size(next) > ConfigKeyValidation.MAX_SIZE) {
            causes.add(ConfigKeyValidation.tooLong(""));
        }
        causes.addAll(ImmutableDataValidation.check(objectDraft.before(), next, List.of("data", "binaryData")));
        return causes;
    }

    private static long size(ObjectNode map) {
        long plain = map.path("data")
                .valueStream()
                .mapToLong(value -> value.asString().getBytes(StandardCharsets.UTF_8).length)
                .sum();
        long binary = map.path("binaryData")
                .valueStream()
                .mapToLong(value -> value.asString().length() * 3L / 4)
                .sum();
        return plain + binary;
    }
}
