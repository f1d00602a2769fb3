package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Specs of jobs, also in cron jobs: {@code validateJobSpec} in {@code pkg/apis/batch/validation/validation.go}, v1.33.
 * Pure.
 */
final class JobSpecValidation {
    private static final long MOST = 100_000;
    private static final long MANY_COMPLETIONS = 100_000;
    private static final long MOST_OF_MANY = 10_000;

    private static final List<String> COUNTS = List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes");

    private JobSpecValidation() {}

    /** The selector of a job, which must select its pods; cron jobs have none. */
    static void selector(JsonNode spec, FieldChecks checks) {
        JsonNode selector = spec.path("selector");
        boolean readable = true;
        if (selector.isObject()) {
            readable = LabelSelectorValidation.check(selector, "spec.selector", checks);
        } else {
            checks.add(FieldError.required("spec.selector", ""));
        }
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        if (readable && !(selector.isObject() && LabelSelector.of(selector).matches(labels))) {
            checks.problem(
                    "`selector` does not match template `labels`", "spec.template.metadata.labels", Json.text(labels));
        }
    }

    static void check(JsonNode spec, String path, FieldChecks checks) {
        COUNTS.forEach(field -> checks.atLeast(spec, field, path, 0));
        checks.oneOf(spec, "completionMode", path, List.of("NonIndexed", "Indexed"));
        checkIndexed(spec, path, checks);
        JsonNode pod = spec.path("template").path("spec");
        PodSpecValidation.check(pod, path + ".template.spec", checks);
        String restart = Json.string(pod, "restartPolicy");
        String where = path + ".template.spec.restartPolicy";
        if (restart.isEmpty() || restart.equals("Always")) {
            checks.add(FieldError.required(where, "valid values: \"OnFailure\", \"Never\""));
        } else if (!restart.equals("OnFailure") && !restart.equals("Never")) {
            checks.add(FieldError.notSupported(where, FieldError.quote(restart), List.of("OnFailure", "Never")));
        } else if (spec.path("podFailurePolicy").isObject() && !restart.equals("Never")) {
            checks.problem("only \"Never\" is supported when podFailurePolicy is specified", where, restart);
        }
    }

    /**
     * What belongs to indexed jobs, and policies of jobs: {@code validateJobSpec} in
     * {@code pkg/apis/batch/validation/validation.go}, v1.33.
     */
    private static void checkIndexed(JsonNode spec, String path, FieldChecks checks) {
        boolean perIndex = spec.has("backoffLimitPerIndex");
        if (spec.has("maxFailedIndexes") && !perIndex) {
            checks.add(FieldError.required(path + ".backoffLimitPerIndex", "when maxFailedIndexes is specified"));
        }
        managedBy(Json.string(spec, "managedBy"), path + ".managedBy", checks);
        String mode = Json.string(spec, "completionMode");
        if (mode.equals("Indexed")) {
            indexed(spec, path, checks);
        } else if (mode.isEmpty() || mode.equals("NonIndexed")) {
            for (String field : new String[] {"backoffLimitPerIndex", "maxFailedIndexes"}) {
                if (spec.has(field)) {
                    invalid(spec, field, "requires indexed completion mode", path, checks);
                }
            }
        }
        if (spec.path("successPolicy").isObject() && !mode.equals("Indexed")) {
            checks.problem("requires indexed completion mode", path + ".successPolicy", "");
        } else if (spec.path("successPolicy").isObject()
                && spec.path("successPolicy").path("rules").isEmpty()) {
            checks.add(FieldError.required(
                    path + ".successPolicy.rules",
                    "at least one rules must be specified when the successPolicy is used"));
        }
        replacement(spec, path, checks);
    }

    private static void indexed(JsonNode spec, String path, FieldChecks checks) {
        if (!spec.has("completions")) {
            checks.add(FieldError.required(path + ".completions", "when completion mode is Indexed"));
        }
        atMost(spec, "parallelism", MOST, path, checks);
        long completions = spec.path("completions").longValue(0);
        if (spec.has("completions")) {
            atMost(spec, "maxFailedIndexes", completions, path, checks);
        }
        atMost(spec, "maxFailedIndexes", MOST, path, checks);
        if (completions > MANY_COMPLETIONS && spec.has("backoffLimitPerIndex")) {
            if (!spec.has("maxFailedIndexes")) {
                checks.add(FieldError.required(
                        path + ".maxFailedIndexes", "must be specified when completions is above " + MANY_COMPLETIONS));
            }
            atMost(spec, "parallelism", MOST_OF_MANY, path, checks);
            atMost(spec, "maxFailedIndexes", MOST_OF_MANY, path, checks);
        }
    }

    private static void replacement(JsonNode spec, String path, FieldChecks checks) {
        String policy = Json.string(spec, "podReplacementPolicy");
        if (policy.isEmpty()) {
            return;
        }
        boolean failurePolicy = spec.path("podFailurePolicy").isObject();
        List<String> allowed = failurePolicy ? List.of("Failed") : List.of("Failed", "TerminatingOrFailed");
        if (!allowed.contains(policy)) {
            checks.add(FieldError.notSupported(path + ".podReplacementPolicy", FieldError.quote(policy), allowed));
        }
    }

    private static void managedBy(String manager, String path, FieldChecks checks) {
        int slash = manager.indexOf('/');
        if (manager.isEmpty()) {
            return;
        }
        if (slash <= 0 || slash == manager.length() - 1) {
            checks.problem("must be a domain-prefixed path (such as \"acme.io/foo\")", path, manager);
        } else {
            checks.problem(DnsNames.subdomain(manager.substring(0, slash)), path, manager.substring(0, slash));
        }
        if (manager.length() > 63) {
            checks.add(new FieldError(FieldError.Type.TOO_LONG, "Too long: may not be more than 63 bytes", path));
        }
    }

    private static void atMost(JsonNode spec, String field, long most, String path, FieldChecks checks) {
        if (spec.path(field).longValue(0) > most) {
            invalid(spec, field, "must be less than or equal to " + most, path, checks);
        }
    }

    private static void invalid(JsonNode spec, String field, String rule, String path, FieldChecks checks) {
        checks.add(FieldError.invalid(path + "." + field, spec.path(field).asString(), rule));
    }
}
