package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Bindings: {@code ValidateRoleBinding}, {@code ValidateClusterRoleBinding} and {@code ValidateRoleBindingSubject} in
 * {@code pkg/apis/rbac/validation/validation.go}, v1.33. Immutable.
 *
 * @param roleKinds the kinds of roles that may be bound
 */
record BindingValidation(boolean namespaced, List<String> roleKinds) {
    void check(ObjectDraft draft, FieldChecks checks) {
        JsonNode ref = draft.next().path("roleRef");
        word(ref, "apiGroup", "roleRef", List.of(BindingDefaults.GROUP), checks);
        word(ref, "kind", "roleRef", roleKinds, checks);
        checks.required(ref, "name", "roleRef");
        ObjectNode before = draft.before();
        if (before != null && !before.path("roleRef").equals(ref)) {
            checks.add(FieldError.invalid("roleRef", Json.text(ref), "cannot change roleRef"));
        }
        int index = 0;
        for (JsonNode subject : draft.next().path("subjects")) {
            subject(subject, "subjects[" + index++ + "]", checks);
        }
    }

    private static void word(JsonNode object, String field, String path, List<String> words, FieldChecks checks) {
        String value = Json.string(object, field);
        if (!words.contains(value)) {
            checks.add(FieldError.notSupported(path + "." + field, FieldError.quote(value), words));
        }
    }

    private void subject(JsonNode subject, String path, FieldChecks checks) {
        checks.required(subject, "name", path);
        switch (Json.string(subject, "kind")) {
            case "ServiceAccount" -> {
                word(subject, "apiGroup", path, List.of(""), checks);
                if (!namespaced && Json.string(subject, "namespace").isEmpty()) {
                    checks.add(FieldError.required(path + ".namespace", ""));
                }
            }
            case "User", "Group" -> word(subject, "apiGroup", path, List.of(BindingDefaults.GROUP), checks);
            default -> word(subject, "kind", path, List.of("ServiceAccount", "User", "Group"), checks);
        }
    }
}
