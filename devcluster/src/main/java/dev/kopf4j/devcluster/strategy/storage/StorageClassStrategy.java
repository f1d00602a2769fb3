package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Storage classes: {@code ValidateStorageClass} and {@code ValidateStorageClassUpdate} in
 * {@code pkg/apis/storage/validation/validation.go}, v1.33.
 */
final class StorageClassStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode next = draft.next();
        String provisioner = Json.string(next, "provisioner");
        if (provisioner.isEmpty()) {
            checks.add(FieldError.required("provisioner", ""));
        } else {
            String lower = provisioner.toLowerCase(Locale.ROOT);
            checks.problem(LabelSyntax.key(lower), "provisioner", lower);
        }
        if (next.path("parameters").has("")) {
            checks.problem("field can not be empty.", "parameters", "");
        }
        word(next, "reclaimPolicy", List.of("Delete", "Retain"), checks);
        word(next, "volumeBindingMode", List.of("Immediate", "WaitForFirstConsumer"), checks);
        topologies(next.path("allowedTopologies"), checks);
        ObjectNode before = draft.before();
        if (before == null) {
            return;
        }
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!JsonEquality.same(before.path(field), next.path(field))) {
                checks.add(FieldError.forbidden(field, "updates to " + field + " are forbidden."));
            }
        }
        checks.immutable(next.path("volumeBindingMode"), before.path("volumeBindingMode"), "volumeBindingMode");
    }

    private static void topologies(JsonNode topologies, FieldChecks checks) {
        for (int term = 0; term < topologies.size(); term++) {
            int index = 0;
            for (JsonNode expression : topologies.get(term).path("matchLabelExpressions")) {
                String path = "allowedTopologies[" + term + "].matchLabelExpressions[" + index++ + "]";
                checks.required(expression, "values", path);
                String key = Json.string(expression, "key");
                checks.problem(LabelSyntax.key(key), path + ".key", key);
            }
        }
    }

    private static void word(JsonNode object, String field, List<String> words, FieldChecks checks) {
        String value = Json.string(object, field);
        if (!words.contains(value)) {
            checks.add(FieldError.notSupported(field, FieldError.quote(value), words));
        }
    }
}
