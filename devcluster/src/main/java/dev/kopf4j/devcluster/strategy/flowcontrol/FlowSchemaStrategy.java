package dev.kopf4j.devcluster.strategy.flowcontrol;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Which requests belong to which level: {@code ValidateFlowSchema} in
 * {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33.
 */
final class FlowSchemaStrategy implements ResourceStrategy {
    private static final int LAST = 10000;

    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.of("labels", "annotations", "finalizers", "ownerReferences");
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        long precedence = spec.path("matchingPrecedence").longValue(0);
        String name = Json.string(draft.next(), "metadata", "name");
        if (precedence < 1 || precedence > LAST) {
            checks.problem(
                    "must be a value between 1 and 10000, inclusive",
                    "spec.matchingPrecedence",
                    String.valueOf(precedence));
        } else if (precedence == 1 && !name.equals("exempt")) {
            checks.problem(
                    "only the schema named 'exempt' may have matchingPrecedence 1", "spec.matchingPrecedence", "1");
        }
        String type = Json.string(spec, "distinguisherMethod", "type");
        if (spec.path("distinguisherMethod").isObject() && !METHODS.contains(type)) {
            checks.add(FieldError.notSupported("spec.distinguisherMethod.type", FieldError.quote(type), METHODS));
        }
        if (Json.string(spec, "priorityLevelConfiguration", "name").isEmpty()) {
            checks.add(FieldError.required("spec.priorityLevelConfiguration.name", "must reference a priority level"));
        }
        int index = 0;
        for (JsonNode rule : spec.path("rules")) {
            String path = "spec.rules[" + index++ + "]";
            if (rule.path("subjects").isEmpty()) {
                checks.add(FieldError.required(path + ".subjects", "subjects must contain at least one value"));
            }
            FlowSubjectValidation.check(rule.path("subjects"), path + ".subjects", checks);
            int number = 0;
            for (JsonNode urls : rule.path("nonResourceRules")) {
                FlowUrlValidation.check(urls, path + ".nonResourceRules[" + number++ + "]", checks);
            }
            if (rule.path("resourceRules").isEmpty()
                    && rule.path("nonResourceRules").isEmpty()) {
                checks.add(FieldError.required(
                        path, "at least one of resourceRules and nonResourceRules has to be non-empty"));
            }
        }
    }

    private static final List<String> METHODS = List.of("ByNamespace", "ByUser");
}
