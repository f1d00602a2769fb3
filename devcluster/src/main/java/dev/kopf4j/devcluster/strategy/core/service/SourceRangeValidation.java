package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import tools.jackson.databind.JsonNode;

/**
 * From where a balancer may be reached, by a field or by an annotation, and other annotations: {@code ValidateService}
 * in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class SourceRangeValidation {
    private static final String ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";
    private static final String HINTS = "service.kubernetes.io/topology-aware-hints";
    private static final String MODE = "service.kubernetes.io/topology-mode";
    private static final String BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

    private SourceRangeValidation() {}

    static void check(ObjectDraft draft, ServiceType type, FieldChecks checks) {
        JsonNode annotations = draft.next().path("metadata").path("annotations");
        topology(annotations, checks);
        JsonNode ranges = draft.next().path("spec").path("loadBalancerSourceRanges");
        if (!ranges.isEmpty()) {
            field(ranges, type, checks);
        } else if (annotations.has(ANNOTATION)) {
            annotation(Json.string(annotations, ANNOTATION).strip(), type, checks);
        }
    }

    private static void topology(JsonNode annotations, FieldChecks checks) {
        String mode = Json.string(annotations, MODE);
        if (annotations.has(MODE) && annotations.has(HINTS) && !mode.equals(Json.string(annotations, HINTS))) {
            String rule = "must match annotations[" + HINTS + "] when both are specified";
            checks.problem(rule, "metadata.annotations[" + MODE + "]", mode);
        }
    }

    private static void field(JsonNode ranges, ServiceType type, FieldChecks checks) {
        String path = "spec.LoadBalancerSourceRanges"; // written so in Kubernetes
        if (type != ServiceType.LOAD_BALANCER) {
            checks.add(FieldError.forbidden(path, BALANCERS_ONLY));
        }
        for (int index = 0; index < ranges.size(); index++) {
            AddressFields.range(ranges.get(index).asString().strip(), path + "[" + index + "]", checks);
        }
    }

    private static void annotation(String text, ServiceType type, FieldChecks checks) {
        String path = "metadata.annotations[" + ANNOTATION + "]";
        if (type != ServiceType.LOAD_BALANCER) {
            checks.add(FieldError.forbidden(path, BALANCERS_ONLY));
        }
        if (!text.isEmpty()) {
            for (String range : text.split(",", -1)) {
                AddressFields.range(range.strip(), path, checks);
            }
        }
    }
}
