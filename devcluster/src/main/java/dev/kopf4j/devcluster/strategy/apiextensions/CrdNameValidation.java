package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Validates the group, names and scope of a definition: {@code ValidateCustomResourceDefinitionNames} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Used for one definition.
 */
final class CrdNameValidation {
    private final FieldChecks checks;
    private final JsonNode definition;
    private final JsonNode spec;

    CrdNameValidation(JsonNode definition, FieldChecks checks) {
        this.checks = checks;
        this.definition = definition;
        this.spec = definition.path("spec");
    }

    void names() {
        group();
        kinds();
        shortNames();
        String kind = Json.string(spec, "names", "kind");
        if (!kind.isEmpty() && kind.equals(Json.string(spec, "names", "listKind"))) {
            checks.add(FieldError.invalidString("spec.names.listKind", kind, "kind and listKind may not be the same"));
        }
    }

    private void group() {
        String group = Json.string(spec, "group");
        String plural = Json.string(spec, "names", "plural");
        String name = Json.string(definition, "metadata", "name");
        if (!name.equals(plural + "." + group)) {
            checks.add(FieldError.invalidString("metadata.name", name, "must be spec.names.plural+\".\"+spec.group"));
        }
        if (group.isEmpty()) {
            checks.add(FieldError.required("spec.group", ""));
        } else if (!DnsNames.SUBDOMAIN.matcher(group).matches()) {
            checks.add(FieldError.invalidString("spec.group", group, "a lowercase RFC 1123 subdomain is needed"));
        } else if (!group.contains(".")) {
            checks.add(FieldError.invalidString("spec.group", group, "should be a domain with at least one dot"));
        }
    }

    private void kinds() {
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            checks.required(spec.path("names"), field, "spec.names");
            boolean mixed = field.endsWith("ind");
            String name = Json.string(spec, "names", field);
            label(mixed ? name.toLowerCase(Locale.ROOT) : name, "spec.names." + field, checks);
        }
    }

    private void shortNames() {
        for (String list : List.of("shortNames", "categories")) {
            int index = 0;
            for (JsonNode each : spec.path("names").path(list)) {
                String path = "spec.names." + list + "[" + index++ + "]";
                label(each.asString().isEmpty() ? "-" : each.asString(), path, checks);
            }
        }
    }

    /** Requires that a name, if present, is a label that begins with a letter. */
    static void label(String name, String path, FieldChecks checks) {
        if (!name.isEmpty()
                && (name.length() > 63 || !DnsNames.LABEL_1035.matcher(name).matches())) {
            checks.add(FieldError.invalidString(path, name, "a DNS-1035 label is needed"));
        }
    }

    void scope() {
        String scope = Json.string(spec, "scope");
        if (scope.isEmpty()) {
            checks.add(FieldError.required("spec.scope", ""));
        } else if (!scope.equals("Cluster") && !scope.equals("Namespaced")) {
            checks.add(
                    FieldError.notSupported("spec.scope", FieldError.quote(scope), List.of("Cluster", "Namespaced")));
        }
        if (spec.path("preserveUnknownFields").booleanValue(false)) {
            checks.add(FieldError.invalid(
                    "spec.preserveUnknownFields",
                    "true",
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead"));
        }
    }
}
