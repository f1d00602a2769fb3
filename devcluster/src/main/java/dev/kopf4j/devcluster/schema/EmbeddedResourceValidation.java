package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates the apiVersion and kind of embedded resources; {@code pkg/apiserver/schema/objectmeta/validation.go} of
 * apiextensions-apiserver, v1.33.
 */
final class EmbeddedResourceValidation {
    private static final Pattern KIND = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
    private final List<FieldError> causes = new ArrayList<>();

    private EmbeddedResourceValidation() {}

    /** The errors of all embedded resources below a value. */
    static List<FieldError> check(StructuralSchema structuralSchema, JsonNode value) {
        EmbeddedResourceValidation resources = new EmbeddedResourceValidation();
        resources.walk(structuralSchema, value, "");
        return resources.causes;
    }

    private void walk(StructuralSchema structuralSchema, JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            if (structuralSchema.embedsResource()) {
                resource(object, path);
            }
            object.properties()
                    .forEach(entry -> structuralSchema
                            .field(entry.getKey())
                            .ifPresent(field ->
                                    walk(field, entry.getValue(), structuralSchema.pathOf(entry.getKey(), path))));
        } else if (value instanceof ArrayNode array) {
            structuralSchema.items().ifPresent(items -> {
                for (int index = 0; index < array.size(); index++) {
                    walk(items, array.get(index), path + "[" + index + "]");
                }
            });
        }
    }

    private void resource(ObjectNode object, String path) {
        for (String name : List.of("apiVersion", "kind")) {
            JsonNode value = object.get(name);
            String field = path + "." + name;
            if (value == null) {
                causes.add(FieldError.required(field, "must not be empty"));
            } else if (!value.isString()) {
                causes.add(FieldError.invalid(field, Json.text(value), "must be a string"));
            } else if (value.stringValue().isEmpty()) {
                causes.add(FieldError.invalidString(field, "", "must not be empty"));
            } else {
                form(name, value.stringValue(), field);
            }
        }
    }

    private void form(String name, String text, String field) {
        if (name.equals("apiVersion")
                && text.chars().filter(each -> each == '/').count() > 1) {
            causes.add(FieldError.invalidString(field, text, "unexpected GroupVersion string: " + text));
        } else if (name.equals("kind")
                && !KIND.matcher(text.toLowerCase(Locale.ROOT)).matches()) {
            String rule = "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case"
                    + " alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric"
                    + " character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
                    + " '[a-z]([-a-z0-9]*[a-z0-9])?')";
            causes.add(FieldError.invalidString(field, text, rule));
        }
    }
}
