package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
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
        return webhooks(MUTATING, operation).stream()
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
        return objectStore.list(objectStore.bucket(bucket), "").objects().stream()
                .flatMap(configuration -> configuration.tree().path("webhooks").valueStream())
                .map(AdmissionWebhook::new)
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
        ObjectNode review = AdmissionReviews.review(versioned, uid);
        if (!selectors.conditionsMatch(webhook, operation, review)) {
            return object;
        }
        try {
            JsonNode response = client.call(webhook, review, uid);
            ObjectNode seen = versioned.object();
            ObjectNode answered = AdmissionVerdict.apply(webhook, operation, seen, response);
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
}
