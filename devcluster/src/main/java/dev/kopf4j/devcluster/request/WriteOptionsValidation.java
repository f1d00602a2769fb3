package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Validates the query parameters of writes: {@code pkg/apis/meta/v1/validation/validation.go} of apimachinery, v1.33.
 */
public final class WriteOptionsValidation {
    private static final List<String> VALIDATIONS = List.of("", "Ignore", "Strict", "Warn");

    private WriteOptionsValidation() {}

    /**
     * Refuses a wrong query parameter with 422.
     *
     * @param kind the kind of the options in messages, such as CreateOptions
     */
    public static void check(ApiRequest request, String kind) {
        List<FieldError> causes = new ArrayList<>();
        List<String> dryRun = request.query().getOrDefault("dryRun", List.of("All"));
        if (!dryRun.stream().allMatch("All"::equals)) {
            String shown = dryRun.stream().map(FieldError::quote).collect(Collectors.joining(", ", "[]string{", "}"));
            causes.add(FieldError.notSupported("dryRun", shown, List.of("All")));
        }
        String validation = request.parameter("fieldValidation");
        if (!VALIDATIONS.contains(validation)) {
            causes.add(FieldError.notSupported("fieldValidation", FieldError.quote(validation), VALIDATIONS));
        }
        String manager = request.parameter("fieldManager");
        if (manager.length() > 128) {
            causes.add(new FieldError(
                    FieldError.Type.TOO_LONG, "Too long: may not be more than 128 bytes", "fieldManager"));
        }
        if (manager.chars().anyMatch(Character::isISOControl)) {
            causes.add(FieldError.invalidString("fieldManager", manager, "should only contain printable characters"));
        }
        if (kind.equals("PatchOptions")) {
            patchOptions(request, causes);
        }
        if (!causes.isEmpty()) {
            throw ApiException.invalid(new StatusDetails("meta.k8s.io", kind, ""), causes);
        }
    }

    private static void patchOptions(ApiRequest request, List<FieldError> causes) {
        boolean apply = RequestBody.mediaType(request).equals("application/apply-patch+yaml");
        if (apply && request.parameter("fieldManager").isEmpty()) {
            causes.add(FieldError.required("fieldManager", "is required for apply patch"));
        }
        if (!apply && request.query().containsKey("force")) {
            causes.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
        }
    }
}
