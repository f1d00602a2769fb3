package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Requires an approval annotation for groups under k8s.io and kubernetes.io (KEP-2337): {@code validateAPIApproval} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class CrdApprovalValidation {
    private static final Pattern COMMUNITY = Pattern.compile("(^|\\.)(k8s|kubernetes)\\.io$");
    private static final String APPROVAL = "api-approved.kubernetes.io";

    private CrdApprovalValidation() {}

    static void check(JsonNode definition, FieldChecks checks) {
        String group = Json.string(definition, "spec", "group");
        if (!COMMUNITY.matcher(group).find()) {
            return;
        }
        String field = "metadata.annotations[" + APPROVAL + "]";
        String approval = Json.string(definition, "metadata", "annotations", APPROVAL);
        String rule = "protected groups must have approval annotation \"" + APPROVAL
                + "\", see https://github.com/kubernetes/enhancements/pull/1111";
        if (approval.isEmpty()) {
            checks.add(FieldError.required(field, rule));
        } else if (!approval.startsWith("unapproved") && !approval.matches("https?://[^/\\s]+.*")) {
            checks.add(FieldError.invalidString(
                    field, approval, rule + " with either a URL or a reason starting with \"unapproved\""));
        }
    }
}
