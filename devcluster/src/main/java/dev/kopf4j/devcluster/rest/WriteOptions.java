package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.ApiRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.status.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Checks the query parameters of writes. */
final class WriteOptions {
    private static final List<String> VALIDATIONS = List.of("", "Ignore", "Strict", "Warn");

    private WriteOptions() {}

    /** 422 about the options of a kind when one of them is wrong. */
    static void check(ApiRequest request, String kind) {
        List<Cause> causes = new ArrayList<>();
        List<String> dryRun = request.query().getOrDefault("dryRun", List.of("All"));
        if (!dryRun.stream().allMatch("All"::equals)) {
            String shown = dryRun.stream().map(Cause::quote).collect(Collectors.joining(", ", "[]string{", "}"));
            causes.add(Cause.notSupported("dryRun", shown, List.of("All")));
        }
        String validation = request.parameter("fieldValidation");
        if (!VALIDATIONS.contains(validation)) {
            causes.add(Cause.notSupported("fieldValidation", Cause.quote(validation), VALIDATIONS));
        }
        String manager = request.parameter("fieldManager");
        if (manager.length() > 128) {
            causes.add(new Cause(Cause.Type.TOO_LONG, "Too long: may not be more than 128 bytes", "fieldManager"));
        }
        if (manager.chars().anyMatch(Character::isISOControl)) {
            causes.add(Cause.invalidString("fieldManager", manager, "should only contain printable characters"));
        }
        if (kind.equals("PatchOptions")) {
            patchOptions(request, causes);
        }
        if (!causes.isEmpty()) {
            throw ApiException.invalid(new Subject("meta.k8s.io", kind, ""), causes);
        }
    }

    private static void patchOptions(ApiRequest request, List<Cause> causes) {
        boolean apply = Bodies.mediaType(request).equals("application/apply-patch+yaml");
        if (apply && request.parameter("fieldManager").isEmpty()) {
            causes.add(Cause.required("fieldManager", "is required for apply patch"));
        }
        if (!apply && request.query().containsKey("force")) {
            causes.add(Cause.forbidden("force", "may not be specified for non-apply patch"));
        }
    }
}
