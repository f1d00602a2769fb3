package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import dev.kopf4j.devcluster.value.DnsNames;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group batch. */
public final class BatchStrategies {
    private BatchStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "cronjobs.batch", new CronJobStrategy(),
                "jobs.batch", new JobStrategy());
    }

    /**
     * Cron jobs: {@code validateCronJobSpec} and {@code ValidateCronJobCreate} in
     * {@code pkg/apis/batch/validation/validation.go}, v1.33.
     */
    private static final class CronJobStrategy implements ResourceStrategy {
        private static final Pattern DESCRIPTOR = Pattern.compile(
                "@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every ([0-9.]+(h|ms|us|ns|m|s))+");

        private static final String[] TEMPLATE = {"spec", "jobTemplate", "spec", "template"};
        /** The controller appends 11 characters, and names of jobs have at most 63. */
        private static final int MAX_NAME = 52;

        @Override
        public void prepare(ObjectDraft draft) {
            PodSpecDefaults.prepareTemplate(draft.next(), TEMPLATE);
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
            warnings.addAll(PodWarnings.ofTemplate(draft, TEMPLATE));
            return warnings;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            String name = Json.string(draft.next(), "metadata", "name");
            if (draft.isNew() && name.length() > MAX_NAME) {
                checks.problem("must be no more than " + MAX_NAME + " characters", "metadata.name", name);
            }
            String schedule = Json.string(spec, "schedule");
            if (schedule.isEmpty()) {
                checks.add(FieldError.required("spec.schedule", ""));
            } else {
                checks.problem(problem(schedule), "spec.schedule", schedule);
            }
            String zone = Json.string(spec, "timeZone");
            if (spec.has("timeZone") && !ZoneId.getAvailableZoneIds().contains(zone)) {
                checks.problem("unknown time zone " + zone, "spec.timeZone", zone);
            }
            for (String field :
                    List.of("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
                checks.atLeast(spec, field, "spec", 0);
            }
            checks.oneOf(spec, "concurrencyPolicy", "spec", List.of("Allow", "Forbid", "Replace"));
            if (spec.path("jobTemplate").path("spec").path("manualSelector").booleanValue(false)) {
                checks.add(FieldError.notSupported(
                        "spec.jobTemplate.spec.manualSelector", "true", List.of("nil", "false")));
            }
            JobSpecValidation.check(spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", checks);
        }

        /**
         * The error of a schedule; empty if there is none. The messages are those of the parser that Kubernetes v1.33
         * uses: {@code ParseStandard} in {@code parser.go} of github.com/robfig/cron v3.
         */
        private static String problem(String schedule) {
            if (schedule.startsWith("@")) {
                return DESCRIPTOR.matcher(schedule).matches() ? "" : "unrecognized descriptor: " + schedule;
            }
            if (schedule.startsWith("TZ=") || schedule.startsWith("CRON_TZ=")) {
                return "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
            }
            String[] parts = schedule.strip().split("\\s+", -1);
            CronField[] fields = CronField.values();
            if (parts.length != fields.length) {
                return "expected exactly 5 fields, found " + parts.length + ": [" + String.join(" ", parts) + "]";
            }
            for (int index = 0; index < fields.length; index++) {
                for (String part : parts[index].split(",", -1)) {
                    String problem = fields[index].problem(part);
                    if (!problem.isEmpty()) {
                        return problem;
                    }
                }
            }
            return "";
        }
    }

    /** Jobs: {@code pkg/registry/batch/job/strategy.go} and {@code pkg/apis/batch/validation/validation.go}, v1.33. */
    private static final class JobStrategy implements ResourceStrategy {
        private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

        private static final int USUAL_BACKOFF_LIMIT = 6;

        /** {@code deleteOptionWarnings} in {@code pkg/registry/batch/job/storage/storage.go}. */
        private static final String PODS_STAY = "child pods are preserved by default when jobs are deleted; set"
                + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            PodSpecDefaults.prepareTemplate(spec, "template");
            prepareDefaults(spec);
            if (draft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
                generateSelector(draft.next());
            }
            labels(draft.next());
        }

        @Override
        public List<String> warnings(ObjectDraft draft) {
            List<String> warnings = new ArrayList<>(PodWarnings.ofName(draft));
            warnings.addAll(PodWarnings.ofTemplate(draft, "spec", "template"));
            return warnings;
        }

        @Override
        public List<String> deletionWarnings() {
            return List.of(PODS_STAY);
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            ObjectNode before = draft.before();
            if (before != null && draft.isStatus()) {
                new JobStatusValidation(before, draft.next()).check(checks);
                return;
            }
            JsonNode spec = draft.next().path("spec");
            JobSpecValidation.selector(spec, checks);
            JobSpecValidation.check(spec, "spec", checks);
            if (before != null) {
                JobUpdateValidation.check(before, draft.next().path("spec"), checks);
            }
        }

        /**
         * Sets the defaults of a job's spec: {@code SetDefaults_Job} in {@code pkg/apis/batch/v1/defaults.go}, v1.33.
         * The template of a cron job gets them only when its jobs are made.
         */
        private static void prepareDefaults(ObjectNode spec) {
            if (!spec.has("completions") && !spec.has("parallelism")) {
                spec.put("completions", 1).put("parallelism", 1);
            } else if (!spec.has("parallelism")) {
                spec.put("parallelism", 1);
            }
            if (!spec.has("backoffLimit")) {
                spec.put("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : USUAL_BACKOFF_LIMIT);
            }
            if (!spec.has("completionMode")) {
                spec.put("completionMode", "NonIndexed");
            }
            for (String flag : List.of("suspend", "manualSelector")) {
                if (!spec.has(flag)) {
                    spec.put(flag, false);
                }
            }
            if (!spec.has("podReplacementPolicy")) {
                spec.put("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
            }
            failurePolicy(spec.path("podFailurePolicy"));
        }

        private static void failurePolicy(JsonNode policy) {
            for (JsonNode rule : policy.path("rules")) {
                for (JsonNode pattern : rule.path("onPodConditions")) {
                    if (Json.string(pattern, "status").isEmpty()) {
                        ((ObjectNode) pattern).put("status", "True");
                    }
                }
            }
        }

        /** Gives a job without labels those of its template. */
        private static void labels(ObjectNode job) {
            ObjectNode metadata = Json.child(job, "metadata");
            JsonNode labels = Json.at(job, "spec", "template", "metadata", "labels");
            if (metadata.path("labels").isEmpty() && !labels.isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }

        /**
         * Sets the selector of a job, and the labels of its pods, by the name and uid of the job:
         * {@code generateSelector} in {@code pkg/registry/batch/job/strategy.go}, v1.33.
         */
        private static void generateSelector(ObjectNode job) {
            String uid = Json.string(job, "metadata", "uid");
            String name = Json.string(job, "metadata", "name");
            ObjectNode spec = Json.child(job, "spec");
            ObjectNode labels = Json.child(Json.child(Json.child(spec, "template"), "metadata"), "labels");
            labels.put(UID_LABEL, uid).put("batch.kubernetes.io/job-name", name);
            labels.put("controller-uid", uid).put("job-name", name);
            spec.putObject("selector").putObject("matchLabels").put(UID_LABEL, uid);
        }
    }

    /**
     * Specs of jobs, also in cron jobs: {@code validateJobSpec} in {@code pkg/apis/batch/validation/validation.go},
     * v1.33. Pure.
     */
    private static final class JobSpecValidation {
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
                        "`selector` does not match template `labels`",
                        "spec.template.metadata.labels",
                        Json.text(labels));
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
                            path + ".maxFailedIndexes",
                            "must be specified when completions is above " + MANY_COMPLETIONS));
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
}
