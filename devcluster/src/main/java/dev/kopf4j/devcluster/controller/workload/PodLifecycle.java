package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulates scheduler and kubelet: a pod gets a node, runs and is ready, completes if a job owns it, and ends when it
 * is deleted.
 */
final class PodLifecycle implements WorkloadController {
    private final ControllerActions actions;
    private final Duration delay;

    /** The uids of pods whose next step is scheduled. */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    PodLifecycle(ControllerActions actions, Duration delay) {
        this.actions = actions;
        this.delay = delay;
    }

    /** The next state of a pod. */
    @FunctionalInterface
    private interface Step {
        void take(StoredObject object, ObjectNode pod, String now);
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode pod = object.tree();
        if (object.deleting()) {
            terminate(object, pod);
        } else if (PodTemplate.phase(pod).equals("Pending") && !PodImages.isPullBackOff(pod)) {
            if (Json.string(pod, "spec", "nodeName").isEmpty()) {
                PodProgress.schedule(pod, actions.now());
                actions.replace(WorkloadKind.POD, object, pod);
            } else {
                later(object, PodImages.canBePulled(pod) ? started(pod) : PodProgress::lackImage);
            }
        } else if (PodFate.of(pod).isPresent()) {
            PodFate.of(pod)
                    .filter(fate -> !fate.isFulfilled(pod) && !PodTemplate.hasEnded(pod))
                    .ifPresent(fate -> later(object, fate::fulfill));
        } else if (PodTemplate.phase(pod).equals("Running") && actions.isOwnedBy(WorkloadKind.JOB, object)) {
            later(object, PodProgress::complete);
        }
    }

    private static Step started(ObjectNode pod) {
        return PodFate.of(pod).map(fate -> (Step) fate::fulfill).orElse(PodProgress::run);
    }

    private void later(StoredObject object, Step step) {
        if (waiting.add(object.uid())) {
            actions.state().taskScheduler().later(delay, () -> {
                waiting.remove(object.uid());
                actions.find(WorkloadKind.POD, object.namespace(), object.name())
                        .filter(current -> current.uid().equals(object.uid()) && !current.deleting())
                        .ifPresent(current -> take(step, current));
            });
        }
    }

    private void take(Step step, StoredObject current) {
        ObjectNode pod = current.tree();
        step.take(current, pod, actions.now());
        actions.replace(WorkloadKind.POD, current, pod);
    }

    /** Ends a pod at once, because no container has to shut down. */
    private void terminate(StoredObject object, ObjectNode pod) {
        ObjectNode metadata = Json.child(pod, "metadata");
        if (metadata.path("finalizers").isEmpty()) {
            actions.remove(WorkloadKind.POD, object);
        } else if (metadata.path("deletionGracePeriodSeconds").longValue(0) > 0) {
            metadata.put("deletionGracePeriodSeconds", 0);
            actions.replace(WorkloadKind.POD, object, pod);
        }
    }
}
