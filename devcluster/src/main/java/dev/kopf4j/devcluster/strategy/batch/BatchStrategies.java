package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.pod.TemplateStrategy;
import dev.kopf4j.json.JsonEquality;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group batch. */
public final class BatchStrategies {
    private static final Pattern DESCRIPTOR = Pattern.compile(
            "@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every ([0-9.]+(h|ms|us|ns|m|s))+");
    private static final RuleTable TABLE = RuleTable.of(
            "batch",
            Map.of(
                    "schedule", BatchStrategies::schedule,
                    "zone", BatchStrategies::zone,
                    "templateStays", BatchStrategies::templateStays));

    private BatchStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "cronjobs.batch", new TemplateStrategy(TABLE, "cronjobs", "spec", "jobTemplate", "spec", "template"),
                "jobs.batch", new JobStrategy());
    }

    /** Jobs: {@code pkg/registry/batch/job/strategy.go} and {@code pkg/apis/batch/validation/validation.go}, v1.33. */
    private static final class JobStrategy extends TemplateStrategy {
        private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";

        /** {@code deleteOptionWarnings} in {@code pkg/registry/batch/job/storage/storage.go}. */
        private static final String PODS_STAY = "child pods are preserved by default when jobs are deleted; set"
                + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

        JobStrategy() {
            super(TABLE, "jobs", "spec", "template");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            super.prepare(draft);
            ObjectNode spec = Json.child(draft.next(), "spec");
            if (draft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
                generateSelector(draft.next());
            }
            labels(draft.next());
        }

        @Override
        public List<String> deletionWarnings() {
            return List.of(PODS_STAY);
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

    private static void schedule(Place place, FieldChecks checks) {
        checks.problem(problem(place.text()), place.path(), place.text());
    }

    private static void zone(Place place, FieldChecks checks) {
        if (!ZoneId.getAvailableZoneIds().contains(place.text())) {
            checks.problem("unknown time zone " + place.text(), place.path(), place.text());
        }
    }

    /**
     * The error of a schedule; empty if there is none. The messages are those of the parser that Kubernetes v1.33 uses:
     * {@code ParseStandard} in {@code parser.go} of github.com/robfig/cron v3.
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

    /** {@code validatePodTemplateUpdate} in {@code pkg/apis/batch/validation/validation.go}, v1.33. */
    private static void templateStays(Place template, FieldChecks checks) {
        JsonNode job = Objects.requireNonNull(template.draft().before());
        boolean notStarted = job.path("spec").path("suspend").booleanValue(false)
                && !job.path("status").has("startTime");
        if (!JsonEquality.same(fixedPart(template.now(), notStarted), fixedPart(template.before(), notStarted))) {
            checks.add(FieldError.invalid(template.path(), Json.text(template.now()), "field is immutable"));
        }
    }

    /**
     * The part of a template that must not change; while a job is suspended, the scheduling directives of its pods may
     * change (KEP-2926).
     */
    private static JsonNode fixedPart(JsonNode template, boolean notStarted) {
        if (!notStarted || !(template instanceof ObjectNode whole)) {
            return template;
        }
        ObjectNode part = whole.deepCopy();
        Json.child(part, "metadata").remove(List.of("labels", "annotations"));
        ObjectNode pod = Json.child(part, "spec");
        pod.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
        ObjectNode affinity = Json.child(pod, "affinity");
        affinity.remove("nodeAffinity");
        if (affinity.isEmpty()) {
            pod.remove("affinity");
        }
        return part;
    }
}
