package dev.kopf4j.devcluster.control;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.rest.ResourceApi;
import dev.kopf4j.devcluster.rest.ServerState;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Bucket;
import dev.kopf4j.devcluster.store.Change;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Gives each namespace the service account {@code default}, and the ConfigMap {@code kube-root-ca.crt} if wanted. */
public final class NamespaceContent {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceContent.class);
    private static final String NAMESPACES = "namespaces";
    private final ServerState state;
    private final ResourceApi api;
    private final Optional<String> authority;

    /**
     * A controller; {@link #start} lets it work.
     *
     * @param authority the certificate for the ConfigMap as PEM; without, there is no ConfigMap
     */
    public NamespaceContent(ServerState state, ResourceApi api, Optional<String> authority) {
        this.state = state;
        this.api = api;
        this.authority = authority;
    }

    /** Begins to follow the changes. */
    public void start() {
        state.store().observe(this::changed);
        state.store()
                .list(state.store().bucket(NAMESPACES), "")
                .objects()
                .forEach(namespace -> state.tasks().run(() -> fill(namespace.name())));
    }

    private void changed(Bucket bucket, Change change) {
        StoredObject object = change.object();
        if (bucket.id().equals(NAMESPACES) && change.after() != null) {
            state.tasks().run(() -> fill(object.name()));
        } else if (change.after() == null
                && (bucket.id().equals("serviceaccounts") || bucket.id().equals("configmaps"))) {
            state.tasks().run(() -> fill(object.namespace()));
        }
    }

    private void fill(String namespace) {
        StoredObject current = state.store().bucket(NAMESPACES).get("", namespace);
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
        Resource resource = state.resources().find("", "v1", plural).orElseThrow();
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
