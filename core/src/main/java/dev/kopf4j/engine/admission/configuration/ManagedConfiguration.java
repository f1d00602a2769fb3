package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.PatchType;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ConflictException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One webhook configuration that the operator writes. Confined to one task at a time. */
final class ManagedConfiguration {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private final KubernetesApi api;
    private final Resource resource;
    private final String word;
    private final List<RegisteredHandler> handlers;
    private final WebhookConfigurationContent content;
    private @Nullable Collection<Resource> resources;
    private @Nullable WebhookClientConfig clientConfig;
    private @Nullable ArrayNode known;

    private ManagedConfiguration(
            KubernetesApi api, Resource resource, HandlerKind kind, String name, List<RegisteredHandler> handlers) {
        this.api = api;
        this.resource = resource;
        this.word = kind == HandlerKind.VALIDATE ? "validating" : "mutating";
        this.handlers = handlers;
        this.content = new WebhookConfigurationContent(name, kind);
    }

    /** That of the validating handlers. */
    static ManagedConfiguration validating(KubernetesApi api, String name, List<RegisteredHandler> handlers) {
        return new ManagedConfiguration(
                api, WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS, HandlerKind.VALIDATE, name, handlers);
    }

    /** That of the mutating handlers. */
    static ManagedConfiguration mutating(KubernetesApi api, String name, List<RegisteredHandler> handlers) {
        return new ManagedConfiguration(
                api, WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS, HandlerKind.MUTATE, name, handlers);
    }

    /** Writes the webhooks, unless they stand there already. */
    void write(Collection<Resource> current, WebhookClientConfig where) throws InterruptedException {
        resources = List.copyOf(current);
        clientConfig = where;
        ArrayNode wanted = content.webhooks(handlers, current, where);
        ArrayNode stored = stored();
        if (stored != null && WebhookConfigurationContent.isMetBy(each(wanted), stored)) {
            return;
        }
        log.info("Reconfiguring the {} webhook {}.", word, content.name());
        patch(wanted);
    }

    /** Leaves only the webhooks that are to outlive the operator, if any were written. */
    void cleanUp() throws InterruptedException {
        Collection<Resource> last = resources;
        WebhookClientConfig where = clientConfig;
        if (last == null || where == null) {
            return;
        }
        log.info("Cleaning up the admission webhook {}.", content.name());
        List<RegisteredHandler> persistent = handlers.stream()
                .filter(handler -> handler.declaration().admission().persistent())
                .toList();
        patch(content.webhooks(persistent, last, where));
    }

    private static List<ObjectNode> each(ArrayNode webhooks) {
        List<ObjectNode> each = new ArrayList<>();
        webhooks.forEach(webhook -> each.add((ObjectNode) webhook));
        return each;
    }

    /** The webhooks as they stand there, none if the configuration was missing; null if they cannot be read. */
    private @Nullable ArrayNode stored() throws InterruptedException {
        if (known == null) {
            known = created();
        }
        return known;
    }

    private @Nullable ArrayNode created() throws InterruptedException {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", content.name());
        try {
            return webhooks(api.create(resource, null, object));
        } catch (ConflictException _) {
            return read();
        } catch (ForbiddenException e) {
            String problem = "Not enough RBAC permissions to create a " + resource + ".";
            log.error(problem);
            throw new OperatorException(
                    problem + " " + e.getMessage()
                            + " Grant that, or write the webhooks yourself and leave settings.admission().managed() unset.",
                    e);
        }
    }

    private @Nullable ArrayNode read() throws InterruptedException {
        try {
            return webhooks(api.with(api.settings().withErrorBackoffs()).get(resource, null, content.name()));
        } catch (ForbiddenException | NotFoundException _) {
            // Operators need not be allowed to read what they write.
            return null;
        }
    }

    private static ArrayNode webhooks(ObjectNode configuration) {
        return configuration.get("webhooks") instanceof ArrayNode webhooks
                ? webhooks
                : Json.mapper().createArrayNode();
    }

    private void patch(ArrayNode webhooks) throws InterruptedException {
        ObjectNode patch = Json.object();
        patch.set("webhooks", webhooks);
        known = webhooks(api.patch(resource, null, content.name(), null, PatchType.MERGE, patch));
    }
}
