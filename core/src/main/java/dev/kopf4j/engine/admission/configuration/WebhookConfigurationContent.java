package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.declaration.AdmissionDeclaration;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.WebhookName;
import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What stands in a ValidatingWebhookConfiguration or MutatingWebhookConfiguration: a webhook for each handler. Pure.
 *
 * @param name the name of the configuration
 * @param kind which handlers it is for
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/">the resources</a>
 */
record WebhookConfigurationContent(String name, HandlerKind kind) {
    /** The webhooks of all handlers of the kind. */
    ArrayNode webhooks(
            Collection<RegisteredHandler> handlers, Collection<Resource> resources, WebhookClientConfig clientConfig) {
        ArrayNode webhooks = Json.mapper().createArrayNode();
        handlers.stream()
                .filter(handler -> handler.kind() == kind)
                .forEach(handler -> webhooks.add(webhook(handler, resources, clientConfig)));
        return webhooks;
    }

    private ObjectNode webhook(
            RegisteredHandler handler, Collection<Resource> resources, WebhookClientConfig clientConfig) {
        AdmissionDeclaration admission = handler.declaration().admission();
        ObjectNode webhook = Json.object();
        webhook.put("name", WebhookName.of(handler.id(), name));
        webhook.put("sideEffects", admission.sideEffects() ? "NoneOnDryRun" : "None");
        webhook.put("failurePolicy", admission.ignoreFailures() ? "Ignore" : "Fail");
        webhook.put("matchPolicy", admission.matchPolicy() == MatchPolicy.EXACT ? "Exact" : "Equivalent");
        ArrayNode rules = webhook.putArray("rules");
        resources.stream()
                .filter(resource -> handler.declaration().selector().matches(resource))
                .forEach(resource -> rules.add(rule(admission, resource)));
        putUnlessNull(
                webhook,
                "objectSelector",
                WebhookFilters.labels(handler.declaration().labels()));
        putUnlessNull(webhook, "namespaceSelector", WebhookFilters.labels(admission.namespaceSelector()));
        ArrayNode conditions = WebhookFilters.conditions(handler.declaration());
        if (!conditions.isEmpty()) {
            webhook.set("matchConditions", conditions);
        }
        webhook.set("clientConfig", WebhookAddress.of(clientConfig.withPath(WebhookName.path(handler.id()))));
        webhook.put("timeoutSeconds", admission.timeoutSeconds());
        if (admission.reinvocationPolicy() == ReinvocationPolicy.IF_NEEDED) {
            webhook.put("reinvocationPolicy", "IfNeeded");
        }
        webhook.putArray("admissionReviewVersions").add("v1").add("v1beta1");
        return webhook;
    }

    private static void putUnlessNull(ObjectNode webhook, String key, @Nullable ObjectNode selector) {
        if (selector != null) {
            webhook.set(key, selector);
        }
    }

    private static ObjectNode rule(AdmissionDeclaration admission, Resource resource) {
        ObjectNode rule = Json.object();
        rule.putArray("apiGroups").add(resource.group());
        rule.putArray("apiVersions").add(resource.version());
        String subresource = admission.subresource();
        rule.putArray("resources").add(resource.plural() + (subresource.isEmpty() ? "" : "/" + subresource));
        if (subresource.equals(AdmissionDeclaration.ANY_SUBRESOURCE)) {
            rule.withArray("resources").add(resource.plural());
        }
        ArrayNode operations = rule.putArray("operations");
        if (admission.operations().isEmpty()) {
            operations.add("*");
        }
        admission.operations().stream().map(AdmissionOperation::name).forEach(operations::add);
        rule.put("scope", "*");
        return rule;
    }

    /**
     * What changes a stored configuration into the wanted one.
     *
     * @param stored as it was read; null if it is not known: whatever stands there is overwritten
     */
    static ObjectNode patch(@Nullable ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = Json.object();
        where.caInjectedFrom()
                .ifPresent(from -> metadata.putObject("annotations").put(WebhookAddress.CA_INJECTION, from));
        if (stored != null) {
            metadata.set("resourceVersion", stored.path("metadata").path("resourceVersion"));
        }
        if (!metadata.isEmpty()) {
            patch.set("metadata", metadata);
        }
        patch.set("webhooks", stored == null ? wanted : WebhookAddress.beside(stored, wanted, where));
        return patch;
    }

    /** True if the stored configuration says what is wanted; what the server has added itself does not count. */
    static boolean isMetBy(ObjectNode stored, ArrayNode wanted, WebhookClientConfig where) {
        Optional<String> from = where.caInjectedFrom();
        return (from.isEmpty() || WebhookAddress.isInjected(stored, from.get()))
                && isMetBy(stored, WebhookAddress.beside(stored, wanted, where));
    }

    private static boolean isMetBy(ObjectNode configuration, ArrayNode wanted) {
        JsonNode stored = configuration.path("webhooks");
        if (wanted.size() != stored.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            ObjectNode known = Json.object();
            for (String key : wanted.get(i).propertyNames()) {
                known.set(key, stored.get(i).get(key));
            }
            if (!known.equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }
}
