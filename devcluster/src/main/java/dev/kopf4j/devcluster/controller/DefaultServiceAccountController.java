package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.endpoints.ResourceEndpoints;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Gives each namespace the service account {@code default}, and the ConfigMap {@code kube-root-ca.crt} if wanted. */
public final class DefaultServiceAccountController {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultServiceAccountController.class);
    private static final String NAMESPACES = "namespaces";
    private final ServerContext state;
    private final ResourceEndpoints api;
    private final Optional<String> authority;

    /**
     * A controller; {@link #start} lets it work.
     *
     * @param authority the certificate for the ConfigMap as PEM; without, there is no ConfigMap
     */
    public DefaultServiceAccountController(ServerContext state, ResourceEndpoints api, Optional<String> authority) {
        this.state = state;
        this.api = api;
        this.authority = authority;
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.objectStore()
                .list(state.objectStore().bucket(NAMESPACES), "")
                .objects()
                .forEach(namespace -> state.taskScheduler().run(() -> fill(namespace.name())));
    }

    private void changed(ResourceBucket resourceBucket, ObjectChange objectChange) {
        StoredObject object = objectChange.object();
        if (resourceBucket.id().equals(NAMESPACES) && objectChange.after() != null) {
            state.taskScheduler().run(() -> fill(object.name()));
        } else if (objectChange.after() == null
                && (resourceBucket.id().equals("serviceaccounts")
                        || resourceBucket.id().equals("configmaps"))) {
            state.taskScheduler().run(() -> fill(object.namespace()));
        }
    }

    private void fill(String namespace) {
        StoredObject current = state.objectStore().bucket(NAMESPACES).get("", namespace);
        if (current == null || current.deleting()) {
            return;
        }
        ensure("serviceaccounts", "ServiceAccount", namespace, "default", Json.object());
        authority.ifPresent(certificate -> {
            ObjectNode map = Json.object();
            map.putObject("data").put("ca.crt", certificate);
            ensure("configmaps", "ConfigMap", namespace, "kube-root-ca.crt", map);
        });
    }

    private void ensure(String plural, String kind, String namespace, String name, ObjectNode object) {
        Resource resource = state.servedResources().find("", "v1", plural).orElseThrow();
        if (state.bucket(resource).get(namespace, name) != null) {
            return;
        }
        object.put("apiVersion", "v1").put("kind", kind);
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        try {
            api.create(resource, object, "kube-controller-manager");
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("{}/{} could not be created", namespace, name);
        }
    }
}
