package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Registers the node of simulated pods, as a kubelet does: ready, with room for all. Stateless. */
final class NodeRegistration {
    private NodeRegistration() {}

    /** Creates the node unless it is there. */
    static void register(ServerContext state) {
        ResourceBucket nodes = state.objectStore().bucket("nodes");
        if (nodes.get("", SimulatedNode.NAME) == null) {
            state.objectStore().create(nodes, StoredObject.of(node(state)));
        }
    }

    private static ObjectNode node(ServerContext state) {
        ObjectNode node = Json.object();
        ObjectNode metadata = node.putObject("metadata").put("name", SimulatedNode.NAME);
        metadata.put("uid", state.nameGenerator().uid()).put("creationTimestamp", state.now());
        metadata.putObject("labels")
                .put("kubernetes.io/arch", "amd64")
                .put("kubernetes.io/hostname", SimulatedNode.NAME)
                .put("kubernetes.io/os", "linux");
        node.putObject("spec")
                .put("podCIDR", "10.244.0.0/16")
                .putArray("podCIDRs")
                .add("10.244.0.0/16");
        ObjectNode status = node.putObject("status");
        for (String amounts : List.of("capacity", "allocatable")) {
            status.putObject(amounts)
                    .put("cpu", "64")
                    .put("ephemeral-storage", "1Ti")
                    .put("memory", "256Gi")
                    .put("pods", "10k");
        }
        StatusConditions.set(status, "Ready", true, "KubeletReady", "pods are simulated", state.now());
        status.putArray("addresses").addObject().put("type", "InternalIP").put("address", SimulatedNode.ADDRESS);
        status.putObject("nodeInfo")
                .put("machineID", "")
                .put("systemUUID", "")
                .put("bootID", "")
                .put("kernelVersion", "")
                .put("osImage", "simulated")
                .put("containerRuntimeVersion", "simulated://1")
                .put("kubeletVersion", "v1.33.1")
                .put("kubeProxyVersion", "")
                .put("operatingSystem", "linux")
                .put("architecture", "amd64");
        return node;
    }
}
