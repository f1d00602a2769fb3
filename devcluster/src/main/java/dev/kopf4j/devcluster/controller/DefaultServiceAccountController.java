package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Buckets;

/**
 * Gives each namespace the service account {@code default}:
 * {@code pkg/controller/serviceaccount/serviceaccounts_controller.go}, v1.33.
 */
public final class DefaultServiceAccountController {
    private final ObjectPerNamespace accounts;

    /** A controller over a store; {@link #start} lets it work. */
    public DefaultServiceAccountController(ServerContext state, ControllerClient client) {
        this.accounts = new ObjectPerNamespace(state, client, Buckets.SERVICE_ACCOUNTS, "default", Json.object());
    }

    /** Begins to follow the changes. */
    public void start() {
        accounts.start();
    }
}
