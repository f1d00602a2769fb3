package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.WebhookCaller;
import dev.kopf4j.devcluster.cel.MatchConditions;
import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.Resources;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.store.Store;
import dev.kopf4j.devcluster.store.StoredObject;
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
public final class Admission {
    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String MUTATING = GROUP + "/mutatingwebhookconfigurations";
    private static final String VALIDATING = GROUP + "/validatingwebhookconfigurations";
    private final Store store;
    private final Resources resources;
    private final WebhookCaller caller;
    private final Supplier<String> uids;
    private final ServicePorts ports;

    /** Finds a local port for a service that a webhook names. */
    @FunctionalInterface
    public interface ServicePorts {
        /** The URL without path at which a service is reached; none when nobody told. */
        Optional<String> url(String namespace, String name, int port);
    }

    /** Hooks from that store. */
    public Admission(
            Store store, Resources resources, WebhookCaller caller, Supplier<String> uids, ServicePorts ports) {
        this.store = store;
        this.resources = resources;
        this.caller = caller;
        this.uids = uids;
        this.ports = ports;
    }

    /** Whether any mutating hook may want to see the operation. */
    public boolean mutates(Operation operation) {
        return hooks(MUTATING, operation).stream()
                .anyMatch(hook -> hook.wanted(operation, resources).isPresent());
    }

    /** The object as the mutating hooks want it; the given one when nobody changed it. */
    public @Nullable ObjectNode mutate(Operation operation, @Nullable ObjectNode object) {
        List<Hook> hooks = hooks(MUTATING, operation);
        ObjectNode current = object;
        Set<Hook> again = new LinkedHashSet<>();
        List<Hook> seen = new ArrayList<>();
        for (Hook hook : hooks) {
            ObjectNode next = ask(hook, operation, current);
            if (next != null && current != null && !Equality.same(next, current)) {
                seen.stream().filter(Hook::reinvoked).forEach(again::add);
                current = next;
            }
            seen.add(hook);
        }
        for (Hook hook : again) {
            current = ask(hook, operation, current);
        }
        return current;
    }

    /** Refuses what a validating hook does not want. */
    public void validate(Operation operation, @Nullable ObjectNode object) {
        for (Hook hook : hooks(VALIDATING, operation)) {
            ask(hook, operation, object);
        }
    }

    private List<Hook> hooks(String bucket, Operation operation) {
        if (operation.resource().group().equals(GROUP)) {
            return List.of(); // hooks on hooks could lock everybody out
        }
        List<StoredObject> configurations = store.list(store.bucket(bucket), "").objects();
        if (configurations.isEmpty()) {
            return List.of();
        }
        return configurations.stream()
                .flatMap(configuration -> configuration.tree().path("webhooks").valueStream())
                .map(Hook::new)
                .toList();
    }

    private @Nullable ObjectNode ask(Hook hook, Operation operation, @Nullable ObjectNode object) {
        Optional<Resource> wanted = hook.wanted(operation, resources);
        if (wanted.isEmpty() || !selects(hook, operation, object)) {
            return object;
        }
        String uid = uids.get();
        ObjectNode review = Reviews.review(operation, wanted.get(), object, uid);
        if (!conditionsHold(hook, operation, review)) {
            return object;
        }
        try {
            return judge(hook, operation, object, response(hook, review, uid));
        } catch (IOException e) {
            if (hook.ignoresFailures()) {
                LOG.atDebug().setCause(e).addKeyValue("webhook", hook.name()).log("a failing webhook is ignored");
                return object;
            }
            throw ApiException.internal("failed calling webhook \"" + hook.name() + "\": " + e.getMessage());
        }
    }

    private boolean selects(Hook hook, Operation operation, @Nullable ObjectNode object) {
        ObjectNode before = operation.before();
        boolean objectFits = (object != null && labelsFit(hook, object)) || (before != null && labelsFit(hook, before));
        return objectFits && hook.namespaceSelector().matches(namespaceLabels(operation, object));
    }

    private static boolean labelsFit(Hook hook, JsonNode object) {
        return hook.objectSelector().matches(object.path("metadata").path("labels"));
    }

    private JsonNode namespaceLabels(Operation operation, @Nullable ObjectNode object) {
        if (operation.resource().bucket().equals("namespaces")) {
            ObjectNode namespace = object != null ? object : operation.before();
            return namespace == null
                    ? Json.missing()
                    : namespace.path("metadata").path("labels");
        }
        StoredObject namespace = store.bucket("namespaces").get("", operation.namespace());
        return namespace == null
                ? Json.missing()
                : namespace.tree().path("metadata").path("labels");
    }

    private static boolean conditionsHold(Hook hook, Operation operation, ObjectNode review) {
        if (hook.conditions().isEmpty()) {
            return true;
        }
        try {
            return MatchConditions.hold(hook.conditions(), (ObjectNode) review.get("request"));
        } catch (MatchConditions.Failed e) {
            if (hook.ignoresFailures()) {
                return false;
            }
            throw ApiException.forbidden(
                    operation.resource().subject(operation.name()), String.valueOf(e.getMessage()), List.of(), "");
        }
    }

    private JsonNode response(Hook hook, ObjectNode review, String uid) throws IOException {
        String url = url(hook) + "?timeout=" + hook.timeout().toSeconds() + "s";
        byte[] answer;
        try {
            answer = caller.call(url, hook.authorities(), Json.bytes(review), hook.timeout());
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

    private String url(Hook hook) throws IOException {
        JsonNode client = hook.node().path("clientConfig");
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
            Hook hook, Operation operation, @Nullable ObjectNode object, JsonNode response) throws IOException {
        response.path("warnings").forEach(warning -> operation.warnings().add(warning.asString()));
        if (!response.path("allowed").booleanValue(false)) {
            throw denied(hook, response.path("status"));
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

    private static ApiException denied(Hook hook, JsonNode status) {
        String message = Json.string(status, "message");
        String reason = Json.string(status, "reason");
        String why = message.isEmpty() ? reason : message;
        String words = "admission webhook \"" + hook.name() + "\" denied the request"
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
