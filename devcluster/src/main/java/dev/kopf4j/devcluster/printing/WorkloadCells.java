package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.NONE;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Cells of workloads, jobs, and their templates: {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
final class WorkloadCells {
    private WorkloadCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.ofEntries(
                Map.entry("deploymentReady", TableCells.text(WorkloadCells::ready)),
                Map.entry("containers", TableCells.text(object -> TableCells.containers(template(object), "name"))),
                Map.entry("images", TableCells.text(object -> TableCells.containers(template(object), "image"))),
                Map.entry(
                        "nodeSelector",
                        TableCells.text(
                                object -> TableCells.labels(template(object).path("nodeSelector")))),
                Map.entry(
                        "templateContainers",
                        TableCells.text(object -> TableCells.containers(ofTemplate(object), "name"))),
                Map.entry(
                        "templateImages",
                        TableCells.text(object -> TableCells.containers(ofTemplate(object), "image"))),
                Map.entry(
                        "templateLabels",
                        TableCells.text(object -> TableCells.labels(
                                object.path("template").path("metadata").path("labels")))),
                Map.entry("controller", TableCells.text(WorkloadCells::controller)),
                Map.entry("jobStatus", TableCells.text(WorkloadCells::jobStatus)),
                Map.entry("jobCompletions", TableCells.text(WorkloadCells::jobCompletions)),
                Map.entry("jobDuration", WorkloadCells::jobDuration),
                Map.entry("timezone", TableCells.text(object -> or(Json.string(object, "spec", "timeZone"), NONE))),
                Map.entry("suspended", TableCells.text(WorkloadCells::suspended)),
                Map.entry(
                        "activeCount",
                        TableCells.number(
                                object -> object.path("status").path("active").size())),
                Map.entry("lastSchedule", WorkloadCells::lastSchedule),
                Map.entry(
                        "jobContainers", TableCells.text(object -> TableCells.containers(jobTemplate(object), "name"))),
                Map.entry("jobImages", TableCells.text(object -> TableCells.containers(jobTemplate(object), "image"))),
                Map.entry(
                        "jobSelector",
                        TableCells.text(
                                object -> TableCells.selector(job(object).path("selector")))));
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
        return TableCells.each(revision.path("metadata").path("ownerReferences"))
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
            if (StatusConditions.isTrue(job.path("status"), type)) {
                return type;
            }
        }
        if (TableCells.isBeingDeleted(job)) {
            return "Terminating";
        }
        for (String type : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
            if (StatusConditions.isTrue(job.path("status"), type)) {
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
            return TableColumns.text("");
        }
        return TableColumns.text(HumanDuration.of(start, end.isEmpty() ? now : Instant.parse(end)));
    }

    private static String suspended(JsonNode cronJob) {
        JsonNode suspend = cronJob.path("spec").path("suspend");
        return !suspend.isBoolean() ? TableCells.UNSET : suspend.booleanValue() ? "True" : "False";
    }

    private static JsonNode lastSchedule(JsonNode cronJob, Instant now) {
        String time = Json.string(cronJob, "status", "lastScheduleTime");
        return TableColumns.text(time.isEmpty() ? NONE : HumanDuration.of(time, now));
    }
}
