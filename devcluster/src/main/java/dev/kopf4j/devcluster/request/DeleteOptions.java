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
 * {@code DeleteOptions} of {@code meta.k8s.io/v1}, from the body and the query, validated as
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
        return of(request, DeleteOptionsBody.read(request));
    }

    /** The options of a request that does not have them as its body. */
    public static DeleteOptions of(ApiRequest request, JsonNode options) {
        String policy = Json.string(options, "propagationPolicy");
        if (policy.isEmpty()) {
            policy = request.parameter("propagationPolicy");
        }
        JsonNode orphan = orphan(request, options);
        check(request, options, policy, orphan);
        if (orphan.isBoolean()) {
            policy = orphan.booleanValue() ? "Orphan" : "Background";
        }
        return new DeleteOptions(
                policy,
                Json.string(options, "preconditions", "uid"),
                Json.string(options, "preconditions", "resourceVersion"),
                grace(request, options),
                !options.path("dryRun").isEmpty() || request.query().containsKey("dryRun"));
    }

    private static JsonNode orphan(ApiRequest request, JsonNode options) {
        String parameter = request.parameter("orphanDependents");
        return parameter.isEmpty()
                ? options.path("orphanDependents")
                : Json.parse(String.valueOf(parameter.equals("true")));
    }

    private static void check(ApiRequest request, JsonNode options, String policy, JsonNode orphan) {
        WriteOptionsValidation.check(request, "DeleteOptions");
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

    private static Optional<Long> grace(ApiRequest request, JsonNode options) {
        JsonNode inBody = options.path("gracePeriodSeconds");
        if (inBody.isIntegralNumber()) {
            return Optional.of(inBody.longValue());
        }
        String parameter = request.parameter("gracePeriodSeconds");
        if (parameter.isEmpty()) {
            return Optional.empty();
        }
        if (!parameter.matches("-?[0-9]{1,18}")) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"" + parameter + "\": invalid syntax");
        }
        return Optional.of(Long.parseLong(parameter));
    }
}
