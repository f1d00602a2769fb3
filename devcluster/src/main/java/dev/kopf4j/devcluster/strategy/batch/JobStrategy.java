package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodWarnings;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: how often and how many at a time, and the selector that the server makes. */
public final class JobStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft objectDraft) {
        ObjectNode spec = Json.child(objectDraft.next(), "spec");
        ObjectNode template = Json.child(spec, "template");
        PodSpecDefaults.prepare(Json.child(template, "spec"));
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1).put("parallelism", 1);
        } else if (!spec.has("parallelism")) {
            spec.put("parallelism", 1);
        }
        presets(spec);
        if (objectDraft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
            select(objectDraft.next(), spec, template);
        }
        ObjectNode metadata = Json.child(objectDraft.next(), "metadata");
        JsonNode labels = template.path("metadata").path("labels");
        if (metadata.path("labels").isEmpty() && !labels.isEmpty()) {
            metadata.set("labels", labels.deepCopy());
        }
    }

    /** Those of jobs alone: the jobs of cron jobs get theirs when they are made. */
    private static void presets(ObjectNode spec) {
        if (!spec.has("backoffLimit")) {
            spec.put("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        }
        if (!spec.has("completionMode")) {
            spec.put("completionMode", "NonIndexed");
        }
        if (!spec.has("suspend")) {
            spec.put("suspend", false);
        }
        if (!spec.has("podReplacementPolicy")) {
            spec.put("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        }
        for (JsonNode rule : spec.path("podFailurePolicy").path("rules")) {
            for (JsonNode pattern : rule.path("onPodConditions")) {
                if (Json.string(pattern, "status").isEmpty()) {
                    ((ObjectNode) pattern).put("status", "True");
                }
            }
        }
    }

    private static void select(ObjectNode job, ObjectNode spec, ObjectNode template) {
        String uid = Json.string(job, "metadata", "uid");
        String name = Json.string(job, "metadata", "name");
        ObjectNode labels = Json.child(Json.child(template, "metadata"), "labels");
        labels.put("batch.kubernetes.io/controller-uid", uid).put("batch.kubernetes.io/job-name", name);
        labels.put("controller-uid", uid).put("job-name", name);
        ObjectNode selector = spec.putObject("selector");
        selector.putObject("matchLabels").put("batch.kubernetes.io/controller-uid", uid);
    }

    @Override
    public List<String> warnings(ObjectDraft objectDraft) {
        return PodWarnings.ofTemplate(objectDraft, true, "spec", "template");
    }

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        JsonNode spec = objectDraft.next().path("spec");
        ObjectNode before = objectDraft.before();
        if (before != null && objectDraft.isStatus()) {
            new JobStatusValidation(before, objectDraft.next()).check(fieldChecks);
            return fieldChecks.causes();
        }
        ofSpec(spec, "spec", fieldChecks);
        if (before != null) {
            changes(before, spec, fieldChecks);
        }
        return fieldChecks.causes();
    }

    /** What stays as it was; some of the template may change while nothing has run. */
    private static void changes(ObjectNode job, JsonNode spec, FieldChecks fieldChecks) {
        JsonNode before = job.path("spec");
        boolean elastic = Json.string(spec, "completionMode").equals("Indexed")
                && JsonEquality.same(spec.path("completions"), spec.path("parallelism"));
        if (!elastic) {
            fieldChecks.fixed(spec.path("completions"), before.path("completions"), "spec.completions");
        }
        for (String field : List.of(
                "selector",
                "completionMode",
                "podFailurePolicy",
                "backoffLimitPerIndex",
                "managedBy",
                "successPolicy")) {
            fieldChecks.fixed(spec.path(field), before.path(field), "spec." + field);
        }
        boolean waits = before.path("suspend").booleanValue(false)
                && !job.path("status").has("startTime");
        if (!JsonEquality.same(fixed(spec.path("template"), waits), fixed(before.path("template"), waits))) {
            fieldChecks.add(
                    FieldError.invalid("spec.template", Json.text(spec.path("template")), "field is immutable"));
        }
    }

    /** The part of a template that must not change: while a job waits, where its pods go is left open. */
    private static JsonNode fixed(JsonNode template, boolean waits) {
        if (!waits || !(template instanceof ObjectNode whole)) {
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

    /** What is wrong with the spec of a job, also of one to be. */
    static void ofSpec(JsonNode spec, String path, FieldChecks fieldChecks) {
        for (String field : List.of("parallelism", "completions", "backoffLimit", "ttlSecondsAfterFinished")) {
            fieldChecks.atLeast(spec, field, path, 0);
        }
        fieldChecks.atLeast(spec, "activeDeadlineSeconds", path, 0);
        fieldChecks.oneOf(spec, "completionMode", path, List.of("NonIndexed", "Indexed"));
        if (Json.string(spec, "completionMode").equals("Indexed") && !spec.has("completions")) {
            fieldChecks.add(FieldError.required(path + ".completions", "when completion mode is Indexed"));
        }
        JsonNode pod = spec.path("template").path("spec");
        PodSpecDefaults.check(pod, path + ".template.spec", fieldChecks);
        String restart = Json.string(pod, "restartPolicy");
        if (!restart.equals("OnFailure") && !restart.equals("Never")) {
            fieldChecks.add(FieldError.required(
                    path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\""));
        }
    }
}
