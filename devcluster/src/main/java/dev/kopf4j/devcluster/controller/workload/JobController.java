package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs: pods until enough have succeeded. Pods never fail here. */
final class JobController implements WorkloadSimulation.Controller {
    private static final String REACHED = "Reached expected number of succeeded pods";
    private final ControllerActions controllerActions;

    JobController(ControllerActions controllerActions) {
        this.controllerActions = controllerActions;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode job = object.tree();
        if (object.deleting() || StatusConditions.isTrue(job.path("status"), "Complete")) {
            return;
        }
        JsonNode spec = job.path("spec");
        List<ObjectNode> pods = controllerActions.owned(WorkloadKind.POD, object).stream()
                .filter(pod -> !pod.deleting())
                .map(StoredObject::tree)
                .toList();
        long succeeded = pods.stream()
                .filter(pod -> ControllerActions.phase(pod).equals("Succeeded"))
                .count();
        long parallelism = spec.path("parallelism").longValue(1);
        long wanted = spec.path("completions").longValue(parallelism);
        long active = pods.size() - succeeded;
        boolean suspended = spec.path("suspend").booleanValue(false);
        status(object, job, pods, succeeded, succeeded >= wanted, suspended);
        if (suspended) {
            controllerActions.owned(WorkloadKind.POD, object).stream()
                    .filter(pod -> !ControllerActions.phase(pod.tree()).equals("Succeeded"))
                    .forEach(pod -> controllerActions.delete(WorkloadKind.POD, pod));
            return;
        }
        for (long more = Math.min(parallelism - active, wanted - succeeded - active); more > 0; more--) {
            controllerActions.create(
                    WorkloadKind.POD,
                    object,
                    WorkloadKind.JOB,
                    ControllerActions.pod(spec.path("template"), object.name()));
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
        String now = controllerActions.state().now();
        if (!suspended && !status.has("startTime")) {
            status.put("startTime", now);
        }
        ReplicaSetController.number(status, "active", pods.size() - succeeded);
        ReplicaSetController.number(status, "succeeded", succeeded);
        status.put("ready", pods.stream().filter(ControllerActions::isReady).count());
        status.put("terminating", 0);
        if (suspended || StatusConditions.find(status, "Suspended").isPresent()) {
            StatusConditions.set(
                    status,
                    "Suspended",
                    suspended,
                    suspended ? "JobSuspended" : "JobResumed",
                    suspended ? "Job suspended" : "Job resumed",
                    now);
        }
        if (complete) {
            status.put("completionTime", now);
            StatusConditions.set(status, "SuccessCriteriaMet", true, "CompletionsReached", REACHED, now);
            StatusConditions.set(status, "Complete", true, "CompletionsReached", REACHED, now);
        }
        controllerActions.replace(WorkloadKind.JOB, object, job);
    }
}
