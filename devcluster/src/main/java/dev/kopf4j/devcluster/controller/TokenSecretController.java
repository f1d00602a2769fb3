package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.endpoints.ControllerClient;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fills the Secrets of the type {@code kubernetes.io/service-account-token} with a token of the account that their
 * annotation names, and lets them go with it: {@code pkg/controller/serviceaccount/tokens_controller.go}, v1.33.
 */
public final class TokenSecretController {
    private static final String TYPE = "kubernetes.io/service-account-token";
    private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
    private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";

    private static final UserInfo USER = UserInfo.user("system:kube-controller-manager");
    private final ServerContext state;
    private final ControllerDeletion deletion;
    private final ServiceAccountTokens tokens;
    private final Supplier<String> authority;

    /**
     * A controller over a store; {@link #start} lets it work.
     *
     * @param tokens issues them
     * @param authority gives the certificate of the authority that clients trust as PEM, empty for none; it may take a
     *     while, and is asked for no earlier than it is needed
     */
    public TokenSecretController(
            ServerContext state, ControllerClient client, ServiceAccountTokens tokens, Supplier<String> authority) {
        this.state = state;
        this.deletion = client.deletion();
        this.tokens = tokens;
        this.authority = authority;
    }

    /** Begins to follow the changes. */
    public void start() {
        state.objectStore().observe(this::changed);
        state.follow(Buckets.SECRETS, this::schedule);
    }

    private ResourceBucket bucket(String name) {
        return state.objectStore().bucket(name);
    }

    private void changed(ResourceBucket bucket, ObjectChange change) {
        StoredObject object = change.object();
        if (bucket.id().equals(Buckets.SERVICE_ACCOUNTS)) {
            state.objectStore().list(bucket(Buckets.SECRETS), object.namespace()).objects().stream()
                    .filter(secret -> annotation(secret, ACCOUNT_NAME).equals(object.name()))
                    .forEach(this::schedule);
        }
    }

    private void schedule(StoredObject secret) {
        if (isToken(secret)) {
            state.taskScheduler().run(() -> sync(secret.namespace(), secret.name()));
        }
    }

    private static boolean isToken(StoredObject secret) {
        return Json.string(secret.tree(), "type").equals(TYPE)
                && !annotation(secret, ACCOUNT_NAME).isEmpty();
    }

    private static String annotation(StoredObject object, String key) {
        return Json.string(object.tree(), "metadata", "annotations", key);
    }

    private void sync(String namespace, String name) {
        StoredObject secret = bucket(Buckets.SECRETS).get(namespace, name);
        if (secret == null || secret.deleting() || !isToken(secret)) {
            return;
        }
        StoredObject account = account(secret);
        if (account == null) {
            state.servedResources()
                    .findBucket(Buckets.SECRETS)
                    .ifPresent(resource -> deletion.delete(
                            new ControllerDeletion.Wanted(USER, resource, secret, "Background", Json.object()),
                            () -> sync(namespace, name)));
            return;
        }
        ObjectNode filled = filled(secret, account);
        if (!filled.equals(secret.tree())) {
            // Another write in between is looked at by itself.
            state.objectStore().replace(bucket(Buckets.SECRETS), secret, secret.changedTo(filled));
        }
    }

    private @Nullable StoredObject account(StoredObject secret) {
        StoredObject found = bucket(Buckets.SERVICE_ACCOUNTS).get(secret.namespace(), annotation(secret, ACCOUNT_NAME));
        String uid = annotation(secret, ACCOUNT_UID);
        return found != null && (uid.isEmpty() || uid.equals(found.uid())) ? found : null;
    }

    private ObjectNode filled(StoredObject secret, StoredObject account) {
        ObjectNode tree = secret.tree().deepCopy();
        ObjectNode data = tree.get("data") instanceof ObjectNode there ? there : tree.putObject("data");
        String certificate = authority.get();
        if (!certificate.isEmpty()) {
            data.put("ca.crt", encoded(certificate));
        }
        if (!data.has("namespace")) {
            data.put("namespace", encoded(secret.namespace()));
        }
        if (data.path("token").asString("").isEmpty()) {
            data.put(
                    "token",
                    encoded(tokens.issueForSecret(secret.namespace(), secret.name(), account.name(), account.uid())));
        }
        JsonNode annotations = tree.path("metadata").path("annotations");
        if (annotations instanceof ObjectNode named) {
            named.put(ACCOUNT_NAME, account.name()).put(ACCOUNT_UID, account.uid());
        }
        return tree;
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
