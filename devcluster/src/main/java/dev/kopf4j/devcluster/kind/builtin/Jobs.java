package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.status.Cause;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: how often and how many at a time, and the selector that the server makes. */
final class Jobs {
    private Jobs() {}

    static void prepare(Draft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        ObjectNode template = Json.child(spec, "template");
        PodSpecs.prepare(Json.child(template, "spec"));
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1).put("parallelism", 1);
        } else if (!spec.has("parallelism")) {
            spec.put("parallelism", 1);
        }
        if (draft.isNew() && !spec.path("manualSelector").booleanValue(false)) {
            select(draft.next(), spec, template);
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

    static void check(JsonNode spec, String path, Checks checks) {
        checks.atLeast(spec, "parallelism", path, 0);
        checks.atLeast(spec, "completions", path, 0);
        checks.atLeast(spec, "backoffLimit", path, 0);
        checks.atLeast(spec, "ttlSecondsAfterFinished", path, 0);
        JsonNode pod = spec.path("template").path("spec");
        PodSpecs.check(pod, path + ".template.spec", checks);
        String restart = Json.string(pod, "restartPolicy");
        if (!restart.equals("OnFailure") && !restart.equals("Never")) {
            checks.add(Cause.required(path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\""));
        }
    }
}
