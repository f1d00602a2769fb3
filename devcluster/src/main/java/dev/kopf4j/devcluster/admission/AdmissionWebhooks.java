package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.JsonPatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the webhooks that want to see an operation: {@code pkg/admission/plugin/webhook} of the apiserver library,
 * v1.33. Thread-safe.
 */
public final class AdmissionWebhooks {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionWebhooks.class);

    /** Webhooks are not called for their own configurations: {@code IsExemptAdmissionConfigurationResource}. */
    private static final String GROUP = "admissionregistration.k8s.io";

    private static final String MUTATING = GROUP + "/mutatingwebhookconfigurations";
    private static final String VALIDATING = GROUP + "/validatingwebhookconfigurations";
    private final ObjectStore objectStore;
    private final ServedResources servedResources;
    private final Supplier<String> uids;
    private final WebhookSelectors selectors;
    private final WebhookClient client;

    /** Finds webhooks in the configurations of a store. */
    public AdmissionWebhooks(
            ObjectStore objectStore,
            ServedResources servedResources,
            AccessControl accessControl,
            WebhookClientManager clients,
            Supplier<String> uids) {
        this.objectStore = objectStore;
        this.servedResources = servedResources;
        this.uids = uids;
        this.selectors = new WebhookSelectors(objectStore, accessControl);
        this.client = new WebhookClient(clients);
    }

    /** Whether a mutating webhook may want to see an operation. */
    public boolean mutates(AdmissionAttributes operation) {
        return wanted(MUTATING, operation);
    }

    /** Whether any webhook may want to see an operation. */
    public boolean asksAbout(AdmissionAttributes operation) {
        return wanted(MUTATING, operation) || wanted(VALIDATING, operation);
    }

    private boolean wanted(String bucket, AdmissionAttributes operation) {
        return webhooks(bucket, operation).stream()
                .anyMatch(webhook -> webhook.wanted(operation, servedResources).isPresent());
    }

    /** The object with the patches of the mutating webhooks; the given one if there are none. */
    public @Nullable ObjectNode mutate(AdmissionAttributes operation, @Nullable ObjectNode object) {
        ObjectNode current = object;
        Set<AdmissionWebhook> again = new LinkedHashSet<>();
        List<AdmissionWebhook> asked = new ArrayList<>();
        for (AdmissionWebhook webhook : webhooks(MUTATING, operation)) {
            ObjectNode next = ask(webhook, operation, current);
            if (next != null && current != null && !JsonEquality.same(next, current)) {
                asked.stream().filter(AdmissionWebhook::reinvoked).forEach(again::add);
                current = next;
            }
            asked.add(webhook);
        }
        for (AdmissionWebhook webhook : again) {
            current = ask(webhook, operation, current);
        }
        return current;
    }

    /** Refuses an operation that a validating webhook denies. */
    public void validate(AdmissionAttributes operation, @Nullable ObjectNode object) {
        for (AdmissionWebhook webhook : webhooks(VALIDATING, operation)) {
            ask(webhook, operation, object);
        }
    }

    private List<AdmissionWebhook> webhooks(String bucket, AdmissionAttributes operation) {
        if (operation.resource().group().equals(GROUP)) {
            return List.of();
        }
        boolean mutating = bucket.equals(MUTATING);
        return objectStore.list(objectStore.bucket(bucket), "").objects().stream()
                .flatMap(configuration -> Json.items(configuration.tree(), "webhooks"))
                .map(node -> new AdmissionWebhook(node, mutating))
                .toList();
    }

    private @Nullable ObjectNode ask(
            AdmissionWebhook webhook, AdmissionAttributes operation, @Nullable ObjectNode object) {
        Optional<Resource> wanted = webhook.wanted(operation, servedResources);
        if (wanted.isEmpty() || !selectors.match(webhook.node(), operation, object)) {
            return object;
        }
        String uid = uids.get();
        VersionedOperation versioned = VersionedOperation.of(operation, wanted.get(), object);
        ObjectNode review = AdmissionReviews.review(versioned, uid, webhook.reviewVersion());
        if (!selectors.conditionsMatch(webhook, operation, review)) {
            return object;
        }
        try {
            JsonNode response = client.call(webhook, review);
            ObjectNode seen = versioned.object();
            ObjectNode answered = applyVerdict(webhook, operation, seen, response);
            return seen == null || answered == null || JsonEquality.same(seen, answered)
                    ? object
                    : versioned.restored(answered);
        } catch (IOException e) {
            if (webhook.ignoresFailures()) {
                LOG.atDebug().setCause(e).addKeyValue("webhook", webhook.name()).log("a failing webhook is ignored");
                return object;
            }
            throw ApiException.internal("failed calling webhook \"" + webhook.name() + "\": " + e.getMessage());
        }
    }

    /**
     * The object with the webhook's patch; {@link ApiException} if the webhook denies the operation:
     * {@code callAttrMutatingHook} in {@code pkg/admission/plugin/webhook/mutating/dispatcher.go} and
     * {@code ToStatusErr} in {@code pkg/admission/plugin/webhook/errors/statuserror.go} of the apiserver library,
     * v1.33.
     */
    private static @Nullable ObjectNode applyVerdict(
            AdmissionWebhook webhook, AdmissionAttributes operation, @Nullable ObjectNode object, JsonNode response)
            throws IOException {
        response.path("warnings").forEach(warning -> operation.warnings().add(warning.asString()));
        if (!response.path("allowed").booleanValue(false)) {
            throw denied(webhook, response.path("status"));
        }
        String patch = Json.string(response, "patch");
        return patch.isEmpty() || !webhook.mutating() ? object : patched(webhook, object, response, patch);
    }

    private static @Nullable ObjectNode patched(
            AdmissionWebhook webhook, @Nullable ObjectNode object, JsonNode response, String patch) throws IOException {
        try {
            ArrayNode operations = (ArrayNode) Json.parse(Base64.getDecoder().decode(patch));
            if (operations.isEmpty()) {
                return object;
            }
            if (object == null) {
                throw ApiException.internal("admission webhook \"" + webhook.name()
                        + "\" attempted to modify the object, which is not supported for this operation");
            }
            String type = Json.string(response, "patchType");
            if (!type.equals("JSONPatch") && webhook.reviewVersion().equals("v1")) {
                throw new IOException("unsupported patch type \"" + type + "\"");
            }
            return (ObjectNode) JsonPatch.apply(object, operations, Json::kept);
        } catch (JsonPatch.Failed | ClassCastException | JacksonException e) {
            throw ApiException.internal(String.valueOf(e.getMessage()));
        }
    }

    private static ApiException denied(AdmissionWebhook webhook, JsonNode status) {
        String message = Json.string(status, "message");
        String reason = Json.string(status, "reason");
        String why = message.isEmpty() ? reason : message;
        String words = "admission webhook \"" + webhook.name() + "\" denied the request"
                + (why.isEmpty() ? " without explanation" : ": " + why);
        JsonNode details = status.path("details");
        return ApiException.of(
                Math.max(status.path("code").intValue(400), 400),
                reason,
                words,
                details instanceof ObjectNode given ? given.deepCopy() : Json.object(),
                details.isObject());
    }

    /** Sends reviews to webhooks, and reads their responses. Thread-safe. */
    private static final class WebhookClient {
        private final WebhookClientManager clients;

        WebhookClient(WebhookClientManager clients) {
            this.clients = clients;
        }

        /** The response to a review; IOException if there is none, or it is unusable. */
        JsonNode call(AdmissionWebhook webhook, ObjectNode review) throws IOException {
            return AdmissionResponses.verified(webhook, parse(send(webhook, review)), review);
        }

        private byte[] send(AdmissionWebhook webhook, ObjectNode review) throws IOException {
            try {
                return clients.post(webhook.node().path("clientConfig"), review, webhook.timeout());
            } catch (IOException e) {
                throw new IOException("failed to call webhook: " + e.getMessage(), e);
            }
        }

        private static JsonNode parse(byte[] answer) throws IOException {
            try {
                return Json.parse(answer);
            } catch (JacksonException e) {
                throw new IOException(
                        "failed to call webhook: couldn't get version/kind; json parse error: "
                                + e.getOriginalMessage(),
                        e);
            }
        }
    }
}
