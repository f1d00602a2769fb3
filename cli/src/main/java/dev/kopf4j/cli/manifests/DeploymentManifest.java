package dev.kopf4j.cli.manifests;

import static dev.kopf4j.cli.manifests.Pieces.list;
import static dev.kopf4j.cli.manifests.Pieces.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Deployment of an operator: probes, resources, and as few privileges as the pod security standard
 * {@code restricted} asks for.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Pod security standards</a>
 */
record DeploymentManifest(Names names, Deployed deployed) {
    private static final int PROBES = 8080;

    Map<String, Object> object() {
        Map<String, Object> object = Pieces.object("apps/v1", "Deployment", Pieces.metadata(names));
        object.put(
                "spec",
                map(
                        "replicas",
                        deployed.replicas().count(),
                        "strategy",
                        map("type", deployed.replicas().several() ? "RollingUpdate" : "Recreate"),
                        "selector",
                        map("matchLabels", Pieces.labels(names)),
                        "template",
                        map("metadata", map("labels", Pieces.labels(names), "annotations", scraped()), "spec", pod())));
        return object;
    }

    /** Says to Prometheus, where it looks for such annotations, that there are metrics. */
    static Map<String, Object> scraped() {
        return map(
                "prometheus.io/scrape", "true",
                "prometheus.io/port", Integer.toString(PROBES),
                "prometheus.io/path", "/metrics");
    }

    private Map<String, Object> pod() {
        Map<String, Object> pod = alone();
        if (deployed.replicas().several()) {
            // A node that is lost takes one pod of several, if there are other nodes.
            pod.put(
                    "topologySpreadConstraints",
                    list(map(
                            "maxSkew",
                            1,
                            "topologyKey",
                            "kubernetes.io/hostname",
                            "whenUnsatisfiable",
                            "ScheduleAnyway",
                            "labelSelector",
                            map("matchLabels", Pieces.labels(names)))));
        }
        return pod;
    }

    private Map<String, Object> alone() {
        return map(
                "serviceAccountName",
                names.name(),
                // Longer than daemons and cleanup handlers take: then the process is killed, and its work repeated.
                "terminationGracePeriodSeconds",
                60,
                "securityContext",
                map("runAsNonRoot", true, "seccompProfile", map("type", "RuntimeDefault")),
                "containers",
                list(container()),
                "volumes",
                writable().keySet().stream()
                        .map(name -> map("name", name, "emptyDir", map()))
                        .toList());
    }

    /** The volumes with the folders in which files can be written; the rest of the file system is read-only. */
    private Map<String, String> writable() {
        Map<String, String> folders = new LinkedHashMap<>();
        folders.put("tmp", "/tmp");
        if (deployed.recordFolder() != null) {
            // Without a limit of its size, at which the pod would be evicted: the operator deletes the oldest files.
            folders.put("record", deployed.recordFolder());
        }
        return folders;
    }

    private Map<String, Object> container() {
        Map<String, Object> container = map("name", "operator", "image", deployed.image());
        container.put("args", arguments());
        container.put("env", environment());
        container.put("ports", ports());
        container.put("startupProbe", probe("/healthz", 2, 60));
        container.put("livenessProbe", probe("/healthz", 20, 3));
        // What watches is not asked: objects cannot be listed before the Service has a pod that converts them.
        container.put("readinessProbe", probe(deployed.webhooks() ? "/ready/webhooks" : "/ready", 10, 3));
        container.put("resources", resources());
        container.put(
                "securityContext",
                map(
                        "allowPrivilegeEscalation",
                        false,
                        "readOnlyRootFilesystem",
                        true,
                        "capabilities",
                        map("drop", list("ALL"))));
        container.put(
                "volumeMounts",
                writable().entrySet().stream()
                        .map(folder -> map("name", folder.getKey(), "mountPath", folder.getValue()))
                        .toList());
        return container;
    }

    private List<Object> arguments() {
        List<Object> arguments = new ArrayList<>(deployed.arguments());
        arguments.addAll(
                1,
                List.of(
                        "--log-format=json",
                        "--liveness=http://0.0.0.0:" + PROBES + "/healthz",
                        "--readiness=http://0.0.0.0:" + PROBES + "/ready",
                        "--metrics=http://0.0.0.0:" + PROBES + "/metrics"));
        if (deployed.service() != null) {
            // The kubelet fills the variable in: others may put the objects into another namespace.
            arguments.add(2, "--set=admission.server=" + deployed.service().setting("$(POD_NAMESPACE)", names));
        }
        return arguments;
    }

    /** The variables of the container. */
    List<Object> environment() {
        List<Object> variables = new ArrayList<>();
        variables.add(field("POD_ID", "metadata.uid"));
        if (deployed.service() != null) {
            variables.add(field("POD_NAMESPACE", "metadata.namespace"));
        }
        deployed.environment().forEach((name, value) -> variables.add(map("name", name, "value", value)));
        return variables;
    }

    private static Map<String, Object> field(String name, String path) {
        return map("name", name, "valueFrom", map("fieldRef", map("fieldPath", path)));
    }

    private List<Object> ports() {
        List<Object> ports = new ArrayList<>(list(map("name", "http", "containerPort", PROBES)));
        if (deployed.service() != null) {
            ports.add(
                    map("name", "webhooks", "containerPort", deployed.service().listening()));
        }
        return ports;
    }

    private static Map<String, Object> probe(String path, int period, int failures) {
        return map(
                "httpGet",
                map("path", path, "port", "http"),
                "periodSeconds",
                period,
                "timeoutSeconds",
                5,
                "failureThreshold",
                failures);
    }

    /** Enough for some thousand objects. */
    static Map<String, Object> resources() {
        return map("requests", map("cpu", "50m", "memory", "192Mi"), "limits", map("memory", "256Mi"));
    }
}
