package dev.kopf4j.devcluster.workload;

import dev.kopf4j.devcluster.control.Conditions;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: pods until enough have succeeded. Pods never fail here. */
final class JobRuns implements Workloads.Controller {
    private static final String REACHED = "Reached expected number of succeeded pods";
    private final Actions actions;

    JobRuns(Actions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode job = object.tree();
        if (object.deleting() || Conditions.holds(job.path("status"), "Complete")) {
            return;
        }
        JsonNode spec = job.path("spec");
        List<ObjectNode> pods = actions.owned(Kind.POD, object).stream()
                .filter(pod -> !pod.deleting())
                .map(StoredObject::tree)
                .toList();
        long succeeded = pods.stream()
                .filter(pod -> Actions.phase(pod).equals("Succeeded"))
                .count();
        long parallelism = spec.path("parallelism").longValue(1);
        long wanted = spec.path("completions").longValue(parallelism);
        long active = pods.size() - succeeded;
        boolean suspended = spec.path("suspend").booleanValue(false);
        status(object, job, pods, succeeded, succeeded >= wanted, suspended);
        if (suspended) {
            actions.owned(Kind.POD, object).stream()
                    .filter(pod -> !Actions.phase(pod.tree()).equals("Succeeded"))
                    .forEach(pod -> actions.delete(Kind.POD, pod));
            return;
        }
        for (long more = Math.min(parallelism - active, wanted - succeeded - active); more > 0; more--) {
            actions.create(Kind.POD, object, Kind.JOB, Actions.pod(spec.path("template"), object.name()));
        }
    }

    private void status(
            StoredObject object,
            ObjectNode job,
            List<ObjectNode> pods,
            long succeeded,
            boolean complete,
            boolean suspended) {
        ObjectNode status = Json.child(job, "status");
        String now = actions.state().now();
        if (!suspended && !status.has("startTime")) {
            status.put("startTime", now);
        }
        ReplicaSets.number(status, "active", pods.size() - succeeded);
        ReplicaSets.number(status, "succeeded", succeeded);
        status.put("ready", pods.stream().filter(Actions::isReady).count());
        status.put("terminating", 0);
        if (suspended || Conditions.find(status, "Suspended").isPresent()) {
            Conditions.set(
                    status,
                    "Suspended",
                    suspended,
                    suspended ? "JobSuspended" : "JobResumed",
                    suspended ? "Job suspended" : "Job resumed",
                    now);
        }
        if (complete) {
            status.put("completionTime", now);
            Conditions.set(status, "SuccessCriteriaMet", true, "CompletionsReached", REACHED, now);
            Conditions.set(status, "Complete", true, "CompletionsReached", REACHED, now);
        }
        actions.replace(Kind.JOB, object, job);
    }
}
