package dev.kopf4j.cli.manifests;

import static dev.kopf4j.cli.manifests.Pieces.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A job that makes the plan of an upgrade ({@code kopf4j plan}) by the image of the new version, before Helm changes
 * anything. It has the account of the version that runs, and only reads.
 *
 * @param operator how the operator itself is run
 */
record PlanJob(DeploymentManifest operator) {
    /** The option by which a plan with changes is no failure. */
    static final String FINE = "--changes-are-fine";

    /** The time of the job, and what it is called. By default it is more than Helm waits for a hook. */
    static final String TIME = "activeDeadlineSeconds";

    static final int SECONDS = 600;

    Map<String, Object> object() {
        Map<String, Object> metadata = Pieces.metadata(operator.names());
        metadata.put("name", operator.names().name() + "-plan");
        metadata.put(
                "annotations",
                map("helm.sh/hook", "pre-upgrade", "helm.sh/hook-delete-policy", "before-hook-creation"));
        Map<String, Object> job = Pieces.object("batch/v1", "Job", metadata);
        // Without its account, as at the first sync of Argo CD, no pod is ever made: the job must end all the same.
        job.put("spec", map("backoffLimit", 0, TIME, SECONDS, "template", map("spec", pod())));
        return job;
    }

    private Map<String, Object> pod() {
        Map<String, Object> pod = Pieces.part(operator.object(), "spec", "template", "spec");
        pod.remove("terminationGracePeriodSeconds");
        pod.put("restartPolicy", "Never");
        Map<String, Object> container = Pieces.part(pod, "containers");
        for (String ofServers : List.of("ports", "startupProbe", "livenessProbe", "readinessProbe")) {
            container.remove(ofServers);
        }
        container.put("name", "plan");
        List<Object> arguments = new ArrayList<>(operator.deployed().arguments());
        arguments.set(0, "plan");
        arguments.add(FINE);
        container.put("args", arguments);
        return pod;
    }
}
