package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Controls jobs: creates pods until enough have succeeded, or too many have failed. */
final class JobController implements WorkloadSimulation.Controller {
    private final ControllerActions actions;

    JobController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode job = object.tree();
        if (object.deleting()
                || StatusConditions.isTrue(job.path("status"), "Complete")
                || StatusConditions.isTrue(job.path("status"), "Failed")) {
            return;
        }
        JsonNode spec = job.path("spec");
        List<JsonNode> pods = actions.owned(WorkloadKind.POD, object).stream()
                .filter(pod -> !pod.deleting())
                .<JsonNode>map(StoredObject::tree)
                .toList();
        JobProgress.set(job, pods, actions.now());
        actions.replace(WorkloadKind.JOB, object, job);
        if (StatusConditions.isTrue(job.path("status"), "Failed")) {
            return;
        }
        if (JobProgress.isSuspended(spec)) {
            actions.owned(WorkloadKind.POD, object).stream()
                    .filter(pod -> !PodTemplate.phase(pod.tree()).equals("Succeeded"))
                    .forEach(pod -> actions.delete(WorkloadKind.POD, pod));
            return;
        }
        for (long missing = JobProgress.missingPods(spec, pods); missing > 0; missing--) {
            ObjectNode pod = PodTemplate.instantiate(spec.path("template"), object.name());
            actions.create(WorkloadKind.POD, object, WorkloadKind.JOB, pod);
        }
    }
}
