package dev.kopf4j.devcluster.strategy.flowcontrol;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Whose requests a rule of a flow schema means: {@code ValidateFlowSchemaSubject} in
 * {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33. Pure.
 */
final class FlowSubjectValidation {
    private static final List<String> KINDS = List.of("Group", "ServiceAccount", "User");

    /** The field that belongs to a kind. */
    private static final Map<String, String> FIELDS =
            Map.of("Group", "group", "ServiceAccount", "serviceAccount", "User", "user");

    private FlowSubjectValidation() {}

    static void check(JsonNode subjects, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode subject : subjects) {
            subject(subject, path + "[" + index++ + "]", checks);
        }
    }

    private static void subject(JsonNode subject, String path, FieldChecks checks) {
        String kind = Json.string(subject, "kind");
        String own = FIELDS.get(kind);
        if (own == null) {
            checks.add(FieldError.notSupported(path + ".kind", FieldError.quote(kind), KINDS));
            return;
        }
        if (subject.path(own).isObject()) {
            named(subject.path(own), own, path + "." + own, checks);
        } else {
            checks.add(FieldError.required(path + "." + own, own + " is required when subject kind is '" + kind + "'"));
        }
        for (String other : KINDS) {
            String field = FIELDS.getOrDefault(other, other);
            if (!other.equals(kind) && subject.path(field).isObject()) {
                checks.add(FieldError.forbidden(
                        path + "." + field, field + " is forbidden when subject kind is not '" + other + "'"));
            }
        }
    }

    private static void named(JsonNode named, String field, String path, FieldChecks checks) {
        String name = Json.string(named, "name");
        checks.required(named, "name", path);
        if (!field.equals("serviceAccount")) {
            return;
        }
        if (!name.isEmpty() && !name.equals("*")) {
            checks.problem(DnsNames.subdomain(name), path + ".name", name);
        }
        String namespace = Json.string(named, "namespace");
        if (namespace.isEmpty()) {
            checks.add(FieldError.required(path + ".namespace", "must specify namespace for service account"));
        } else {
            checks.problem(DnsNames.label(namespace), path + ".namespace", namespace);
        }
    }
}
