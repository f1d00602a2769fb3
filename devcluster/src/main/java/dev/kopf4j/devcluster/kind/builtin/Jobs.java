package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: how often and how many at a time, and the selector that the server makes. */
final class Jobs implements KindRules {
    @Override
    public void prepare(Draft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        ObjectNode template = Json.child(spec, "template");
        PodSpecs.prepare(Json.child(template, "spec"));
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1).put("parallelism", 1);
        } else if (!spec.has("parallelism")) {
            spec.put("parallelism", 1);
        }
        presets(spec);
        if (draft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
            select(draft.next(), spec, template);
        }
        ObjectNode metadata = Json.child(draft.next(), "metadata");
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
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        JsonNode spec = draft.next().path("spec");
        ofSpec(spec, "spec", checks);
        ObjectNode before = draft.before();
        if (before != null) {
            changes(before.path("spec"), spec, checks);
        }
        return checks.causes();
    }

    /** What stays as it was; templates may change while nothing runs. */
    private static void changes(JsonNode before, JsonNode spec, Checks checks) {
        boolean elastic = Json.string(spec, "completionMode").equals("Indexed")
                && Equality.same(spec.path("completions"), spec.path("parallelism"));
        if (!elastic) {
            checks.fixed(spec.path("completions"), before.path("completions"), "spec.completions");
        }
        for (String field : List.of(
                "selector",
                "completionMode",
                "podFailurePolicy",
                "backoffLimitPerIndex",
                "managedBy",
                "successPolicy")) {
            checks.fixed(spec.path(field), before.path(field), "spec." + field);
        }
        if (!before.path("suspend").booleanValue(false)) {
            checks.fixed(spec.path("template"), before.path("template"), "spec.template");
        }
    }

    /** What is wrong with the spec of a job, also of one to be. */
    static void ofSpec(JsonNode spec, String path, Checks checks) {
        for (String field : List.of("parallelism", "completions", "backoffLimit", "ttlSecondsAfterFinished")) {
            checks.atLeast(spec, field, path, 0);
        }
        checks.atLeast(spec, "activeDeadlineSeconds", path, 0);
        checks.oneOf(spec, "completionMode", path, List.of("NonIndexed", "Indexed"));
        if (Json.string(spec, "completionMode").equals("Indexed") && !spec.has("completions")) {
            checks.add(Cause.required(path + ".completions", "when completion mode is Indexed"));
        }
        JsonNode pod = spec.path("template").path("spec");
        PodSpecs.check(pod, path + ".template.spec", checks);
        String restart = Json.string(pod, "restartPolicy");
        if (!restart.equals("OnFailure") && !restart.equals("Never")) {
            checks.add(Cause.required(path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\""));
        }
    }
}
