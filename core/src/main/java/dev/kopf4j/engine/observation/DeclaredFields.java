package dev.kopf4j.engine.observation;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.ApiDiscovery;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.text.NearestWord;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Compares the fields that handlers are for with the definitions of their resources: who is for a field that no object
 * can have is never called, and would never know. Confined to the stream of definitions.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/">which
 *     fields are pruned</a>
 */
public final class DeclaredFields {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");

    /** What each object has, whatever its schema says. */
    private static final Set<String> OF_EACH_OBJECT = Set.of("apiVersion", "kind", "metadata");

    private final List<RegisteredHandler> handlers;
    private final Set<String> warned = new HashSet<>();

    /** Those of the registered handlers that name their resource. */
    public DeclaredFields(HandlerRegistry registry) {
        this.handlers = registry.handlers().stream()
                .filter(handler -> !handler.options().field().isEmpty()
                        && handler.declaration().selector().isSpecific())
                .toList();
    }

    /** Warns of each field that the definition does not have in a version that the handler is for; once of each. */
    void compareWith(JsonNode definition) {
        for (RegisteredHandler handler : handlers) {
            for (JsonNode version : definition.path("spec").path("versions")) {
                Resource resource = ApiDiscovery.ofDefinition(definition.path("spec"), version, true);
                if (version.path("served").asBoolean(false) && isOf(handler, resource)) {
                    unknown(handler, version.path("schema").path("openAPIV3Schema"))
                            .map(unknown -> "Handler '" + handler.id() + "' is for the field " + handler.field()
                                    + ", but "
                                    + resource + " has no " + unknown + "; objects never have it, unless its definition"
                                    + " changes.")
                            .filter(warned::add)
                            .ifPresent(log::warn);
                }
            }
        }
    }

    /** True if the field is one of the resource's: with {@code @OnChild}, it is the child's. */
    private static boolean isOf(RegisteredHandler handler, Resource resource) {
        return handler.kind() == HandlerKind.CHILD
                ? handler.declaration().concernsChildren(resource)
                : handler.declaration().selector().matches(resource);
    }

    private static Optional<String> unknown(RegisteredHandler handler, JsonNode schema) {
        List<String> keys = handler.field().keys();
        JsonNode at = schema;
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            if (isOpen(at) || (i == 0 && OF_EACH_OBJECT.contains(key))) {
                return Optional.empty();
            }
            JsonNode properties = at.path("properties");
            if (!properties.has(key)) {
                FieldPath unknown = new FieldPath(keys.subList(0, i + 1));
                return Optional.of(unknown
                        + NearestWord.likely(key, Set.copyOf(properties.propertyNames()))
                                .map(near -> " (did you mean "
                                        + new FieldPath(keys.subList(
                                                        0, unknown.keys().size() - 1))
                                                .append(near) + "?)")
                                .orElse(""));
            }
            at = properties.path(key);
        }
        return Optional.empty();
    }

    /** True if fields may be there that the schema does not name. Lists and plain values have none. */
    private static boolean isOpen(JsonNode schema) {
        return schema.isMissingNode()
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
                || schema.path("x-kubernetes-embedded-resource").asBoolean(false)
                || schema.has("additionalProperties")
                || (!schema.has("properties")
                        && schema.path("type").asString("").isEmpty());
    }
}
