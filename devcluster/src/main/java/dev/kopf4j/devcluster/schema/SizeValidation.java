package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The limits on the number of items or properties; {@code pkg/validation/validate/values.go} of kube-openapi. Pure. */
final class SizeValidation {
    private SizeValidation() {}

    static Optional<FieldError> items(StructuralSchema schema, int size, String path) {
        return error(schema, size, "Items", "items", path);
    }

    static Optional<FieldError> properties(StructuralSchema schema, int size, String path) {
        return error(schema, size, "Properties", "properties", path);
    }

    private static Optional<FieldError> error(
            StructuralSchema schema, int size, String keyword, String words, String path) {
        JsonNode min = schema.node().path("min" + keyword);
        if (min.isNumber() && size < min.longValue()) {
            String rule = path + " in body should have at least " + min.longValue() + " " + words;
            return Optional.of(FieldError.invalid(path, String.valueOf(size), rule));
        }
        JsonNode max = schema.node().path("max" + keyword);
        if (max.isNumber() && size > max.longValue()) {
            String rule = "must have at most " + max.longValue() + " items";
            return Optional.of(new FieldError(FieldError.Type.TOO_MANY, "Too many: " + size + ": " + rule, path));
        }
        return Optional.empty();
    }
}
