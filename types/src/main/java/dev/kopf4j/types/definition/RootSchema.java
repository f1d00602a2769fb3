package dev.kopf4j.types.definition;

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.types.schema.Place;
import dev.kopf4j.types.schema.SchemaGenerator;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the schema of whole objects. Immutable.
 *
 * @param type the annotated type
 * @param resource its annotation
 * @param generator makes the schemas of the parts
 */
record RootSchema(Class<?> type, CustomResource resource, SchemaGenerator generator) {
    private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");

    /** What handlers return, and conditions, are written to a status that the type does not know. */
    private static final Map<String, Object> ANYTHING = anything();

    private static Map<String, Object> anything() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("x-kubernetes-preserve-unknown-fields", true);
        return Collections.unmodifiableMap(schema);
    }

    Map<String, Object> make() {
        Map<String, Object> made = resource.status() == void.class ? whole() : pair();
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("apiVersion", Map.of("type", "string"));
        properties.put("kind", Map.of("type", "string"));
        properties.put("metadata", Map.of("type", "object"));
        if (made.get("properties") instanceof Map<?, ?> own) {
            own.forEach((key, value) -> properties.put(own(String.valueOf(key)), value));
        }
        boolean[] given = resource.statusSubresource();
        if (given.length == 0 || given[0]) {
            properties.putIfAbsent("status", ANYTHING);
        }
        Map<String, Object> root = new LinkedHashMap<>();
        made.forEach((key, value) -> root.put(key, key.equals("properties") ? properties : value));
        root.putIfAbsent("properties", properties);
        return root;
    }

    private Map<String, Object> whole() {
        return generator.ofClass(type, Place.of(type));
    }

    private String own(String name) {
        if (COMMON.contains(name)) {
            throw Place.of(type)
                    .error("every object has " + name + "; leave the component out, and take Meta or Body as"
                            + " another parameter of the handler");
        }
        return name;
    }

    private Map<String, Object> pair() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("spec", generator.ofClass(type, at("spec")));
        properties.put("status", generator.ofClass(resource.status(), at("status")));
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("type", "object");
        made.put("properties", properties);
        made.put("required", List.of("spec"));
        return made;
    }

    private Place at(String stanza) {
        return Place.of(type).field(stanza, "the type itself");
    }
}
