package dev.kopf4j.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A version of a custom resource. Immutable.
 *
 * @param definition the name of the definition
 * @param group its API group
 * @param kind the kind of its objects
 * @param namespaced true if they are in namespaces
 * @param name the version
 * @param schema the structural schema; empty if there is none
 */
record DefinedVersion(String definition, String group, String kind, boolean namespaced, String name, Map<?, ?> schema) {
    /** The versions that the definitions in YAML documents serve or store. */
    static List<DefinedVersion> read(String manifests) {
        List<DefinedVersion> versions = new ArrayList<>();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(manifests)) {
            if (document instanceof Map<?, ?> object && "CustomResourceDefinition".equals(object.get("kind"))) {
                read(mapping(object, "spec"), versions);
            }
        }
        return versions;
    }

    private static void read(Map<?, ?> spec, List<DefinedVersion> versions) {
        String group = String.valueOf(spec.get("group"));
        Map<?, ?> names = mapping(spec, "names");
        for (Object each : spec.get("versions") instanceof List<?> list ? list : List.of()) {
            Map<?, ?> version = (Map<?, ?>) each;
            if (Boolean.TRUE.equals(version.get("served")) || Boolean.TRUE.equals(version.get("storage"))) {
                versions.add(new DefinedVersion(
                        names.get("plural") + "." + group,
                        group,
                        String.valueOf(names.get("kind")),
                        "Namespaced".equals(spec.get("scope")),
                        String.valueOf(version.get("name")),
                        mapping(mapping(version, "schema"), "openAPIV3Schema")));
            }
        }
    }

    String apiVersion() {
        return group + "/" + name;
    }

    /** The object with the defaults of the schema, as the API server fills them in. */
    Map<String, @Nullable Object> defaulted(Map<String, @Nullable Object> object) {
        Map<String, @Nullable Object> filled = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(defaulted(schema, object)))
                .forEach((key, value) -> filled.put(String.valueOf(key), value));
        return filled;
    }

    private static @Nullable Object defaulted(Map<?, ?> schema, @Nullable Object value) {
        if (value == null) {
            boolean stays = Boolean.TRUE.equals(schema.get("nullable")) || schema.get("default") == null;
            return stays ? null : defaulted(schema, schema.get("default"));
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> filled = new ArrayList<>();
            list.forEach(each -> filled.add(defaulted(mapping(schema, "items"), each)));
            return filled;
        }
        if (!(value instanceof Map<?, ?> object)) {
            return value;
        }
        Map<?, ?> properties = mapping(schema, "properties");
        Map<Object, @Nullable Object> filled = new LinkedHashMap<>();
        object.forEach((key, each) -> {
            boolean named = properties.containsKey(key);
            Map<?, ?> below =
                    named ? mapping(properties, String.valueOf(key)) : mapping(schema, "additionalProperties");
            filled.put(key, defaulted(below, each));
        });
        properties.forEach((key, each) -> {
            Map<?, ?> below = (Map<?, ?>) each;
            if (!object.containsKey(key) && below.get("default") != null) {
                filled.put(key, defaulted(below, below.get("default")));
            }
        });
        return filled;
    }

    static Map<?, ?> mapping(Map<?, ?> parent, String key) {
        return parent.get(key) instanceof Map<?, ?> mapping ? mapping : Map.of();
    }
}
