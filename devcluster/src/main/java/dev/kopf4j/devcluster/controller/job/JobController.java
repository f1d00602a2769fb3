package dev.kopf4j.devcluster.controller.job;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls jobs: creates pods until enough have succeeded, or too many have failed, or the time is over; deletes jobs
 * when their time to live has passed after that. See {@code pkg/controller/job/job_controller.go} and
 * {@code pkg/controller/ttlafterfinished/ttlafterfinished_controller.go}, v1.33.
 */
public final class JobController implements WorkloadController {
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public JobController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode job = object.tree();
        Optional<Instant> end = JobProgress.endTime(job);
        if (end.isEmpty()) {
            proceed(object, job);
        } else if (job.path("spec").has("ttlSecondsAfterFinished")) {
            expire(
                    object,
                    end.get()
                            .plusSeconds(job.at("/spec/ttlSecondsAfterFinished").longValue(0)));
        }
    }

    private void expire(StoredObject object, Instant time) {
        if (time.isAfter(actions.instant())) {
            actions.syncAt(WorkloadKind.JOB, object, time);
        } else {
            actions.deleteForeground(WorkloadKind.JOB, object);
        }
    }

    private void proceed(StoredObject object, ObjectNode job) {
        JsonNode spec = job.path("spec");
        List<JsonNode> pods = actions.owned(WorkloadKind.POD, object).stream()
                .filter(pod -> !pod.deleting())
                .<JsonNode>map(StoredObject::tree)
                .toList();
        JobProgress.set(job, pods, actions.now());
        actions.replace(WorkloadKind.JOB, object, job);
        JobProgress.deadline(job).ifPresent(time -> actions.syncAt(WorkloadKind.JOB, object, time));
        if (JobProgress.isSuspended(spec) || StatusConditions.isTrue(job.path("status"), "Failed")) {
            actions.owned(WorkloadKind.POD, object).stream()
                    .filter(pod -> !PodTemplate.hasEnded(pod.tree()))
                    .forEach(pod -> actions.delete(WorkloadKind.POD, pod));
            return;
        }
        for (long missing = JobProgress.missingPods(spec, pods); missing > 0; missing--) {
            ObjectNode pod = PodTemplate.instantiate(spec.path("template"), object.name());
            actions.create(WorkloadKind.POD, object, WorkloadKind.JOB, pod);
        }
    }
}
