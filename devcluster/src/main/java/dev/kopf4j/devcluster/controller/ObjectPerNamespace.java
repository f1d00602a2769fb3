package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps an object of the same name, with the same content, in each namespace. Its work runs as tasks of the server;
 * what is refused is tried again.
 */
public final class ObjectPerNamespace {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectPerNamespace.class);
    private final ServerContext state;
    private final ControllerClient client;
    private final Resource resource;
    private final String name;
    private final ObjectNode content;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    /**
     * The objects of a kind.
     *
     * @param plural a resource of {@code v1}: its bucket has the same name
     * @param content what the object has besides its kind, version and metadata
     */
    private ObjectPerNamespace(
            ServerContext state, ControllerClient client, String plural, String name, ObjectNode content) {
        this.state = state;
        this.client = client;
        this.resource = state.servedResources().find("", "v1", plural).orElseThrow();
        this.name = name;
        this.content = content;
    }

    /**
     * Gives each namespace the service account {@code default}:
     * {@code pkg/controller/serviceaccount/serviceaccounts_controller.go}, v1.33.
     */
    public static ObjectPerNamespace defaultServiceAccount(ServerContext state, ControllerClient client) {
        return new ObjectPerNamespace(state, client, Buckets.SERVICE_ACCOUNTS, "default", Json.object());
    }

    /**
     * Gives each namespace the ConfigMap {@code kube-root-ca.crt}:
     * {@code pkg/controller/certificates/rootcacertpublisher/publisher.go}, v1.33.
     *
     * @param authority the certificate as PEM
     */
    public static ObjectPerNamespace rootCertificate(ServerContext state, ControllerClient client, String authority) {
        ObjectNode content = Json.object();
        content.putObject("data").put("ca.crt", authority);
        return new ObjectPerNamespace(state, client, Buckets.CONFIG_MAPS, "kube-root-ca.crt", content);
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.follow(Buckets.NAMESPACES, namespace -> schedule(namespace.name()));
    }

    private ResourceBucket namespaces() {
        return state.objectStore().bucket(Buckets.NAMESPACES);
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject object = change.object();
        if (bucket.id().equals(resource.bucket()) && object.name().equals(name)) {
            schedule(object.namespace());
        }
    }

    private void schedule(String namespace) {
        state.taskScheduler().run(() -> ensure(namespace));
    }

    private void ensure(String namespace) {
        StoredObject current = namespaces().get("", namespace);
        if (current == null || current.deleting()) {
            refusals.remove(namespace);
            return;
        }
        StoredObject present = state.bucket(resource).get(namespace, name);
        if (present != null) {
            restore(present);
        } else if (pending.add(namespace)) {
            if (client.mayWait(resource, namespace)) {
                state.taskScheduler().runWaiting(() -> create(namespace));
            } else {
                create(namespace);
            }
        }
    }

    /** Sets back what somebody has changed; another write in between is looked at by itself. */
    private void restore(StoredObject present) {
        ObjectNode object = present.tree();
        boolean changed = content.properties().stream()
                .anyMatch(field -> !JsonEquality.same(object.get(field.getKey()), field.getValue()));
        if (changed && !present.deleting()) {
            ObjectNode next = object.deepCopy();
            next.setAll(content.deepCopy());
            state.objectStore().replace(state.bucket(resource), present, StoredObject.of(next));
        }
    }

    private void create(String namespace) {
        ObjectNode object = content.deepCopy();
        object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        try {
            client.create(resource, object, "kube-controller-manager");
            refusals.remove(namespace);
        } catch (ApiException e) {
            LOG.atDebug().setCause(e).log("{}/{} could not be created", namespace, name);
            Duration delay = ControllerDeletion.delay(refusals.merge(namespace, 1, Integer::sum));
            var _ = state.taskScheduler().later(delay, () -> ensure(namespace));
        } finally {
            pending.remove(namespace);
        }
    }
}
