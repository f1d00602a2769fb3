package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.cel.MatchConditions;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
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

/** Asks the webhooks that want to see an operation. Thread-safe. */
public final class AdmissionWebhooks {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionWebhooks.class);
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String MUTATING = GROUP + "/mutatingwebhookconfigurations";
    private static final String VALIDATING = GROUP + "/validatingwebhookconfigurations";
    private final ObjectStore objectStore;
    private final ServedResources servedResources;
    private final WebhookCaller caller;
    private final Supplier<String> uids;
    private final ServiceResolver ports;

    /** Finds a local port for a service that a webhook names. */
    @FunctionalInterface
    public interface ServiceResolver {
        /** The URL without path at which a service is reached; none when nobody told. */
        Optional<String> url(String namespace, String name, int port);
    }

    /** Hooks from that store. */
    public AdmissionWebhooks(
            ObjectStore objectStore,
            ServedResources servedResources,
            WebhookCaller caller,
            Supplier<String> uids,
            ServiceResolver ports) {
        this.objectStore = objectStore;
        this.servedResources = servedResources;
        this.caller = caller;
        this.uids = uids;
        this.ports = ports;
    }

    /** Whether any mutating hook may want to see the operation. */
    public boolean mutates(AdmissionAttributes admissionAttributes) {
        return hooks(MUTATING, admissionAttributes).stream()
                .anyMatch(admissionWebhook -> admissionWebhook
                        .wanted(admissionAttributes, servedResources)
                        .isPresent());
    }

    /** The object as the mutating hooks want it; the given one when nobody changed it. */
    public @Nullable ObjectNode mutate(AdmissionAttributes admissionAttributes, @Nullable ObjectNode object) {
        List<AdmissionWebhook> hooks = hooks(MUTATING, admissionAttributes);
        ObjectNode current = object;
        Set<AdmissionWebhook> again = new LinkedHashSet<>();
        List<AdmissionWebhook> seen = new ArrayList<>();
        for (AdmissionWebhook admissionWebhook : hooks) {
            ObjectNode next = ask(admissionWebhook, admissionAttributes, current);
            if (next != null && current != null && !JsonEquality.same(next, current)) {
                seen.stream().filter(AdmissionWebhook::reinvoked).forEach(again::add);
                current = next;
            }
            seen.add(admissionWebhook);
        }
        for (AdmissionWebhook admissionWebhook : again) {
            current = ask(admissionWebhook, admissionAttributes, current);
        }
        return current;
    }

    /** Refuses what a validating hook does not want. */
    public void validate(AdmissionAttributes admissionAttributes, @Nullable ObjectNode object) {
        for (AdmissionWebhook admissionWebhook : hooks(VALIDATING, admissionAttributes)) {
            ask(admissionWebhook, admissionAttributes, object);
        }
    }

    private List<AdmissionWebhook> hooks(String bucket, AdmissionAttributes admissionAttributes) {
        if (admissionAttributes.resource().group().equals(GROUP)) {
            return List.of(); // hooks on hooks could lock everybody out
        }
        List<StoredObject> configurations =
                objectStore.list(objectStore.bucket(bucket), "").objects();
        if (configurations.isEmpty()) {
            return List.of();
        }
        return configurations.stream()
                .flatMap(configuration -> configuration.tree().path("webhooks").valueStream())
                .map(AdmissionWebhook::new)
                .toList();
    }

    private @Nullable ObjectNode ask(
            AdmissionWebhook admissionWebhook, AdmissionAttributes admissionAttributes, @Nullable ObjectNode object) {
        Optional<Resource> wanted = admissionWebhook.wanted(admissionAttributes, servedResources);
        if (wanted.isEmpty() || !selects(admissionWebhook, admissionAttributes, object)) {
            return object;
        }
        String uid = uids.get();
        ObjectNode review = AdmissionReviews.review(admissionAttributes, wanted.get(), object, uid);
        if (!conditionsHold(admissionWebhook, admissionAttributes, review)) {
            return object;
        }
        try {
            return judge(admissionWebhook, admissionAttributes, object, response(admissionWebhook, review, uid));
        } catch (IOException e) {
            if (admissionWebhook.ignoresFailures()) {
                LOG.atDebug()
                        .setCause(e)
                        .addKeyValue("webhook", admissionWebhook.name())
                        .log("a failing webhook is ignored");
                return object;
            }
            throw ApiException.internal(
                    "failed calling webhook \"" + admissionWebhook.name() + "\": " + e.getMessage());
        }
    }

    private boolean selects(
            AdmissionWebhook admissionWebhook, AdmissionAttributes admissionAttributes, @Nullable ObjectNode object) {
        ObjectNode before = admissionAttributes.before();
        boolean objectFits = (object != null && labelsFit(admissionWebhook, object))
                || (before != null && labelsFit(admissionWebhook, before));
        return objectFits && admissionWebhook.namespaceSelector().matches(namespaceLabels(admissionAttributes, object));
    }

    private static boolean labelsFit(AdmissionWebhook admissionWebhook, JsonNode object) {
        return admissionWebhook.objectSelector().matches(object.path("metadata").path("labels"));
    }

    private JsonNode namespaceLabels(AdmissionAttributes admissionAttributes, @Nullable ObjectNode object) {
        if (admissionAttributes.resource().isNamespace()) {
            ObjectNode namespace = object != null ? object : admissionAttributes.before();
            return namespace == null
                    ? Json.missing()
                    : namespace.path("metadata").path("labels");
        }
        StoredObject namespace = objectStore.bucket("namespaces").get("", admissionAttributes.namespace());
        return namespace == null
                ? Json.missing()
                : namespace.tree().path("metadata").path("labels");
    }

    private static boolean conditionsHold(
            AdmissionWebhook admissionWebhook, AdmissionAttributes admissionAttributes, ObjectNode review) {
        if (admissionWebhook.conditions().isEmpty()) {
            return true;
        }
        try {
            return MatchConditions.hold(admissionWebhook.conditions(), (ObjectNode) review.get("request"));
        } catch (MatchConditions.Failed e) {
            if (admissionWebhook.ignoresFailures()) {
                return false;
            }
            throw ApiException.forbidden(
                    admissionAttributes.resource().subject(admissionAttributes.name()),
                    String.valueOf(e.getMessage()),
                    List.of(),
                    "");
        }
    }

    private JsonNode response(AdmissionWebhook admissionWebhook, ObjectNode review, String uid) throws IOException {
        String url =
                url(admissionWebhook) + "?timeout=" + admissionWebhook.timeout().toSeconds() + "s";
        byte[] answer;
        try {
            answer = caller.call(url, admissionWebhook.authorities(), Json.bytes(review), admissionWebhook.timeout());
        } catch (IOException e) {
            throw new IOException("failed to call webhook: " + e.getMessage(), e);
        }
        JsonNode parsed = parse(answer);
        JsonNode response = parsed.path("response");
        if (!response.isObject()) {
            throw new IOException("received invalid webhook response: webhook response was absent");
        }
        if (!Json.string(response, "uid").equals(uid)) {
            throw new IOException("received invalid webhook response: expected response.uid=\"" + uid + "\", got \""
                    + Json.string(response, "uid") + "\"");
        }
        return response;
    }

    private static JsonNode parse(byte[] answer) throws IOException {
        try {
            return Json.parse(answer);
        } catch (JacksonException e) {
            throw new IOException(
                    "failed to call webhook: couldn't get version/kind; json parse error: " + e.getOriginalMessage(),
                    e);
        }
    }

    private String url(AdmissionWebhook admissionWebhook) throws IOException {
        JsonNode client = admissionWebhook.node().path("clientConfig");
        String url = Json.string(client, "url");
        if (!url.isEmpty()) {
            return url;
        }
        JsonNode service = client.path("service");
        String namespace = Json.string(service, "namespace");
        String name = Json.string(service, "name");
        int port = service.path("port").intValue(443);
        String base = ports.url(namespace, name, port)
                .orElseThrow(() -> new IOException("failed to call webhook: service \"" + name + "\" not found"));
        String path = Json.string(service, "path");
        return base + (path.startsWith("/") ? path : "/" + path);
    }

    private static @Nullable ObjectNode judge(
            AdmissionWebhook admissionWebhook,
            AdmissionAttributes admissionAttributes,
            @Nullable ObjectNode object,
            JsonNode response)
            throws IOException {
        response.path("warnings")
                .forEach(warning -> admissionAttributes.warnings().add(warning.asString()));
        if (!response.path("allowed").booleanValue(false)) {
            throw denied(admissionWebhook, response.path("status"));
        }
        String patch = Json.string(response, "patch");
        if (patch.isEmpty() || object == null) {
            return object;
        }
        try {
            JsonNode operations = Json.parse(Base64.getDecoder().decode(patch));
            return (ObjectNode) JsonPatch.apply(object, (ArrayNode) operations);
        } catch (JsonPatch.Failed | ClassCastException | JacksonException | IllegalArgumentException e) {
            throw ApiException.internal(String.valueOf(e.getMessage()));
        }
    }

    private static ApiException denied(AdmissionWebhook admissionWebhook, JsonNode status) {
        String message = Json.string(status, "message");
        String reason = Json.string(status, "reason");
        String why = message.isEmpty() ? reason : message;
        String words = "admission webhook \"" + admissionWebhook.name() + "\" denied the request"
                + (why.isEmpty() ? " without explanation" : ": " + why);
        int code = status.path("code").intValue(400);
        JsonNode details = status.path("details");
        return ApiException.of(
                code,
                reason,
                words,
                details instanceof ObjectNode given ? given.deepCopy() : Json.object(),
                details.isObject());
    }
}
