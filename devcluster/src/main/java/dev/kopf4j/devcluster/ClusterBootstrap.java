package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.authorization.BootstrapRoles;
import dev.kopf4j.devcluster.controller.DefaultServiceAccountController;
import dev.kopf4j.devcluster.controller.GarbageCollector;
import dev.kopf4j.devcluster.controller.NamespaceController;
import dev.kopf4j.devcluster.controller.RootCertificatePublisher;
import dev.kopf4j.devcluster.controller.VolumeProtectionController;
import dev.kopf4j.devcluster.controller.apiextensions.CrdController;
import dev.kopf4j.devcluster.controller.quota.ResourceQuotaController;
import dev.kopf4j.devcluster.controller.workload.WorkloadSimulation;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Creates what each cluster begins with: controllers, namespaces, roles. */
final class ClusterBootstrap {
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private final ServerContext state;
    private final ControllerClient client;

    ClusterBootstrap(ServerContext state, ControllerClient client) {
        this.state = state;
        this.client = client;
    }

    /**
     * Starts the controllers, and creates what is missing.
     *
     * @param authority the certificate, as PEM, of the authority that clients trust
     */
    void start(Options options, String authority) {
        new CrdController(state).start();
        new NamespaceController(state).start();
        new GarbageCollector(state).start();
        new VolumeProtectionController(state).start();
        NAMESPACES.forEach(this::installNamespace);
        installPriorityClass(
                "system-node-critical",
                2_000_001_000,
                "Used for system critical pods that must not be moved from their current node.");
        installPriorityClass(
                "system-cluster-critical",
                2_000_000_000,
                "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.");
        new SystemObjects(state).install();
        if (options.rbac()) {
            BootstrapRoles.load().forEach(this::install);
        }
        options.workloads().ifPresent(delay -> {
            new WorkloadSimulation(state, client, delay).start();
            new ResourceQuotaController(state).start();
        });
        new DefaultServiceAccountController(state, client).start();
        if (options.rootCertificate()) {
            new RootCertificatePublisher(state, client, authority).start();
        }
    }

    private void installNamespace(String name) {
        ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", name);
        install(namespace);
    }

    /** {@code SystemPriorityClasses} in {@code pkg/apis/scheduling/v1/helpers.go}, v1.33. */
    private void installPriorityClass(String name, int value, String description) {
        ObjectNode priorityClass =
                Json.object().put("apiVersion", "scheduling.k8s.io/v1").put("kind", "PriorityClass");
        priorityClass.putObject("metadata").put("name", name);
        install(priorityClass.put("value", value).put("description", description));
    }

    private void install(ObjectNode object) {
        Resource resource = state.servedResources()
                .findKind(Json.string(object, "apiVersion"), Json.string(object, "kind"))
                .orElseThrow();
        if (state.bucket(resource).get("", Json.string(object, "metadata", "name")) == null) {
            client.install(resource, object);
        }
    }
}
