package dev.kopf4j.devcluster.show;

import static dev.kopf4j.devcluster.show.Cells.NONE;
import static dev.kopf4j.devcluster.show.Cells.or;

import dev.kopf4j.devcluster.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What tables tell of deployments and the like, jobs, and their templates. Pure. */
final class WorkloadCells {
    private WorkloadCells() {}

    static Map<String, Cells.Cell> all() {
        return Map.ofEntries(
                Map.entry("deploymentReady", Cells.text(WorkloadCells::ready)),
                Map.entry("containers", Cells.text(object -> Cells.containers(template(object), "name"))),
                Map.entry("images", Cells.text(object -> Cells.containers(template(object), "image"))),
                Map.entry(
                        "nodeSelector",
                        Cells.text(object -> Cells.labels(template(object).path("nodeSelector")))),
                Map.entry("templateContainers", Cells.text(object -> Cells.containers(ofTemplate(object), "name"))),
                Map.entry("templateImages", Cells.text(object -> Cells.containers(ofTemplate(object), "image"))),
                Map.entry(
                        "templateLabels",
                        Cells.text(object -> Cells.labels(
                                object.path("template").path("metadata").path("labels")))),
                Map.entry("controller", Cells.text(WorkloadCells::controller)),
                Map.entry("jobStatus", Cells.text(WorkloadCells::jobStatus)),
                Map.entry("jobCompletions", Cells.text(WorkloadCells::jobCompletions)),
                Map.entry("jobDuration", WorkloadCells::jobDuration),
                Map.entry("timezone", Cells.text(object -> or(Json.string(object, "spec", "timeZone"), NONE))),
                Map.entry("suspended", Cells.text(WorkloadCells::suspended)),
                Map.entry(
                        "activeCount",
                        Cells.number(
                                object -> object.path("status").path("active").size())),
                Map.entry("lastSchedule", WorkloadCells::lastSchedule),
                Map.entry("jobContainers", Cells.text(object -> Cells.containers(jobTemplate(object), "name"))),
                Map.entry("jobImages", Cells.text(object -> Cells.containers(jobTemplate(object), "image"))),
                Map.entry(
                        "jobSelector",
                        Cells.text(object -> Cells.selector(job(object).path("selector")))));
    }

    private static JsonNode template(JsonNode object) {
        return object.path("spec").path("template").path("spec");
    }

    private static JsonNode ofTemplate(JsonNode object) {
        return object.path("template").path("spec");
    }

    private static JsonNode job(JsonNode cronJob) {
        return cronJob.path("spec").path("jobTemplate").path("spec");
    }

    private static JsonNode jobTemplate(JsonNode cronJob) {
        return job(cronJob).path("template").path("spec");
    }

    private static String ready(JsonNode object) {
        return object.path("status").path("readyReplicas").intValue(0) + "/"
                + object.path("spec").path("replicas").intValue(0);
    }

    private static String controller(JsonNode revision) {
        return Cells.each(revision.path("metadata").path("ownerReferences"))
                .filter(owner -> owner.path("controller").booleanValue(false))
                .map(WorkloadCells::owner)
                .findFirst()
                .orElse(NONE);
    }

    private static String owner(JsonNode owner) {
        String version = Json.string(owner, "apiVersion");
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : "." + version.substring(0, slash);
        return Json.string(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + Json.string(owner, "name");
    }

    private static String jobStatus(JsonNode job) {
        for (String type : List.of("Complete", "Failed")) {
            if (Cells.holds(job, type)) {
                return type;
            }
        }
        if (Cells.isBeingDeleted(job)) {
            return "Terminating";
        }
        for (String type : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
            if (Cells.holds(job, type)) {
                return type;
            }
        }
        return "Running";
    }

    private static String jobCompletions(JsonNode job) {
        int done = job.path("status").path("succeeded").intValue(0);
        JsonNode wanted = job.path("spec").path("completions");
        if (wanted.isNumber()) {
            return done + "/" + wanted.asString();
        }
        int parallel = job.path("spec").path("parallelism").intValue(0);
        return done + (parallel > 1 ? "/1 of " + parallel : "/1");
    }

    private static JsonNode jobDuration(JsonNode job, Instant now) {
        String start = Json.string(job, "status", "startTime");
        String end = Json.string(job, "status", "completionTime");
        if (start.isEmpty()) {
            return Tables.text("");
        }
        return Tables.text(Age.of(start, end.isEmpty() ? now : Instant.parse(end)));
    }

    private static String suspended(JsonNode cronJob) {
        JsonNode suspend = cronJob.path("spec").path("suspend");
        return !suspend.isBoolean() ? Cells.UNSET : suspend.booleanValue() ? "True" : "False";
    }

    private static JsonNode lastSchedule(JsonNode cronJob, Instant now) {
        String time = Json.string(cronJob, "status", "lastScheduleTime");
        return Tables.text(time.isEmpty() ? NONE : Age.of(time, now));
    }
}
