package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * {@code DeleteOptions} of {@code meta.k8s.io/v1}, from the body, or the query if there is none, validated as
 * {@code ValidateDeleteOptions} in {@code pkg/apis/meta/v1/validation/validation.go} of apimachinery does, v1.33.
 *
 * @param policy Background, Foreground or Orphan; empty for the default of the object and its kind
 * @param uid the uid that the object must have, or empty
 * @param version the version that the object must have, or empty
 * @param grace the grace period in seconds; empty for the default
 */
public record DeleteOptions(String policy, String uid, String version, Optional<Long> grace, boolean dryRun) {
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan");

    /** The options of a DELETE; 422 if they contradict each other. */
    public static DeleteOptions of(ApiRequest request) {
        return of(DeleteOptionsBody.given(request));
    }

    /** The options of a request that has them as a part of its body. */
    public static DeleteOptions of(JsonNode options) {
        String policy = Json.string(options, "propagationPolicy");
        JsonNode orphan = options.path("orphanDependents");
        check(options, policy, orphan);
        JsonNode grace = options.path("gracePeriodSeconds");
        return new DeleteOptions(
                orphan.isBoolean() ? orphan.booleanValue() ? "Orphan" : "Background" : policy,
                Json.string(options, "preconditions", "uid"),
                Json.string(options, "preconditions", "resourceVersion"),
                grace.isIntegralNumber() ? Optional.of(grace.longValue()) : Optional.empty(),
                !options.path("dryRun").isEmpty());
    }

    /** The same for another version of the object. */
    public DeleteOptions at(String otherVersion) {
        return new DeleteOptions(policy, uid, otherVersion, grace, dryRun);
    }

    /** The same as a dry run. */
    public DeleteOptions withoutEffect() {
        return new DeleteOptions(policy, uid, version, grace, true);
    }

    private static void check(JsonNode options, String policy, JsonNode orphan) {
        List<FieldError> causes = new ArrayList<>();
        JsonNode dryRun = options.path("dryRun");
        if (dryRun.valueStream().anyMatch(each -> !each.asString("").equals("All"))) {
            causes.add(FieldError.notSupported("dryRun", Json.text(dryRun), List.of("All")));
        }
        if (!policy.isEmpty() && orphan.isBoolean()) {
            causes.add(FieldError.invalidString(
                    "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
        } else if (!policy.isEmpty() && !POLICIES.contains(policy)) {
            List<String> supported = new ArrayList<>(POLICIES);
            supported.add("nil");
            causes.add(FieldError.notSupported("propagationPolicy", FieldError.quote(policy), supported));
        }
        if (!causes.isEmpty()) {
            throw ApiException.invalid(new StatusDetails("meta.k8s.io", "DeleteOptions", ""), causes);
        }
    }
}
