package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Buckets;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives each namespace the ConfigMap {@code kube-root-ca.crt}:
 * {@code pkg/controller/certificates/rootcacertpublisher/publisher.go}, v1.33.
 */
public final class RootCertificatePublisher {
    private final ObjectPerNamespace maps;

    /**
     * A controller over a store; {@link #start} lets it work.
     *
     * @param authority the certificate as PEM
     */
    public RootCertificatePublisher(ServerContext state, ControllerClient client, String authority) {
        ObjectNode content = Json.object();
        content.putObject("data").put("ca.crt", authority);
        this.maps = new ObjectPerNamespace(state, client, Buckets.CONFIG_MAPS, "kube-root-ca.crt", content);
    }

    /** Begins to follow the changes. */
    public void start() {
        maps.start();
    }
}
