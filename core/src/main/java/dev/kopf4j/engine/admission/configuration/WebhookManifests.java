package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.client.api.ApiDiscovery;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationContent.WebhookAddress;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.json.Json;
import dev.kopf4j.text.ApiVersionOrder;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The webhook configurations for people who write them by hand: as the operator would write them, but without asking a
 * cluster which resources there are. Immutable.
 *
 * @param objects the configurations; none of a kind without handlers
 * @param remarks what only the cluster knows, in words for people
 */
public record WebhookManifests(List<ObjectNode> objects, List<String> remarks) {
    private static final String ANY = "*";
    /** Copies the lists. */
    public WebhookManifests {
        objects = List.copyOf(objects);
        remarks = List.copyOf(remarks);
    }

    /**
     * The configurations of some handlers.
     *
     * @param name of both
     * @param namespaces the only ones whose objects the operator is for; empty for any
     * @param defined the resources whose definitions are at hand
     * @param where the webhooks are reached
     * @throws HandlerDeclarationException if two webhooks would have one name
     */
    public static WebhookManifests of(
            String name,
            List<RegisteredHandler> handlers,
            List<String> namespaces,
            Collection<Resource> defined,
            WebhookClientConfig where) {
        WebhookName.checkDistinct(handlers);
        Set<Resource> resources = new LinkedHashSet<>(defined);
        Set<String> remarks = new LinkedHashSet<>();
        for (RegisteredHandler handler : handlers) {
            ResourceSelector selector = handler.declaration().selector();
            if (defined.stream().noneMatch(selector::matches)) {
                resources.add(declared(selector));
                remarks.add(remark(handler.id(), selector));
            }
        }
        WebhookName.checkDistinct(handlers, resources);
        List<ObjectNode> objects = new ArrayList<>();
        for (HandlerKind kind : List.of(HandlerKind.VALIDATE, HandlerKind.MUTATE)) {
            if (handlers.stream().anyMatch(handler -> handler.kind() == kind)) {
                objects.add(configuration(
                        new WebhookConfigurationContent(name, kind, namespaces), handlers, resources, where));
            }
        }
        return new WebhookManifests(objects, new ArrayList<>(remarks));
    }

    private static ObjectNode configuration(
            WebhookConfigurationContent content,
            List<RegisteredHandler> handlers,
            Set<Resource> resources,
            WebhookClientConfig where) {
        ObjectNode object = Json.object().put("apiVersion", "admissionregistration.k8s.io/v1");
        object.put(
                "kind",
                content.kind() == HandlerKind.VALIDATE
                        ? "ValidatingWebhookConfiguration"
                        : "MutatingWebhookConfiguration");
        ObjectNode metadata = object.putObject("metadata").put("name", content.name());
        where.caInjectedFrom()
                .ifPresent(from -> metadata.putObject("annotations").put(WebhookAddress.CA_INJECTION, from));
        object.set("webhooks", content.webhooks(handlers, resources, where));
        return object;
    }

    /** A resource that has all that the selector says, and anything for what it does not say. */
    private static Resource declared(ResourceSelector selector) {
        String name = name(selector);
        return new Resource(
                selector.group().orElse(ANY),
                selector.version().orElse(ANY),
                new Resource.Names(name, name, name, Set.of(name), Set.of()),
                Set.of(),
                true,
                true,
                Set.of());
    }

    /** What comes before version and group. */
    private static String name(ResourceSelector selector) {
        return selector.toString().split("\\.", 2)[0];
    }

    private static String remark(String handler, ResourceSelector selector) {
        if (!selector.isSpecific() && !name(selector).equals(ResourceSelector.EVERYTHING)) {
            return "Which resources '" + handler + "' is for (" + selector
                    + "), only the cluster knows: complete its rules.";
        }
        return "No definition of '" + selector + "' was given: its rules are as '" + handler
                + "' declares them. They need the plural name; `kubectl api-resources` has it, and the group and version.";
    }

    /**
     * The resource of each served version of a custom resource definition; none of other objects. The one that a server
     * would prefer is preferred.
     */
    public static List<Resource> defined(JsonNode object) {
        if (!object.path("kind").asString("").equals("CustomResourceDefinition")) {
            return List.of();
        }
        JsonNode spec = object.path("spec");
        List<String> served = spec.path("versions")
                .valueStream()
                .filter(version -> version.path("served").asBoolean(false))
                .map(version -> version.path("name").asString(""))
                .sorted(ApiVersionOrder.PREFERRED_FIRST)
                .toList();
        List<Resource> resources = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            String name = version.path("name").asString("");
            if (served.contains(name)) {
                resources.add(ApiDiscovery.ofDefinition(spec, version, name.equals(served.getFirst())));
            }
        }
        return resources;
    }
}
