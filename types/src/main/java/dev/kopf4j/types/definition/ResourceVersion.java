package dev.kopf4j.types.definition;

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.types.schema.Comments;
import dev.kopf4j.types.schema.FieldNotes;
import dev.kopf4j.types.schema.Place;
import dev.kopf4j.types.schema.SchemaGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One version of a resource. Immutable.
 *
 * @param type the annotated type
 * @param resource its annotation
 * @param comments what sources say of types
 */
record ResourceVersion(Class<?> type, CustomResource resource, Comments comments) {
    static ResourceVersion of(Class<?> type, Comments comments) {
        return new ResourceVersion(type, type.getAnnotation(CustomResource.class), comments);
    }

    String name() {
        return resource.version();
    }

    /** The version as definitions have it. */
    Map<String, Object> definition(boolean storage) {
        SchemaGenerator generator = new SchemaGenerator(comments);
        Map<String, Object> schema = new RootSchema(type, resource, generator).make();
        Map<String, Object> version = new LinkedHashMap<>();
        version.put("name", resource.version());
        version.put("served", resource.served());
        version.put("storage", storage);
        if (resource.deprecated()) {
            version.put("deprecated", true);
        }
        if (!resource.deprecationWarning().isEmpty()) {
            version.put("deprecationWarning", resource.deprecationWarning());
        }
        putUnlessEmpty(version, "subresources", subresources(schema));
        putUnlessEmpty(version, "additionalPrinterColumns", columns(generator.notes()));
        putUnlessEmpty(version, "selectableFields", selectable(generator.notes()));
        version.put("schema", Map.of("openAPIV3Schema", schema));
        return version;
    }

    private static void putUnlessEmpty(Map<String, Object> version, String key, Object value) {
        if (!value.equals(List.of()) && !value.equals(Map.of())) {
            version.put(key, value);
        }
    }

    private Map<String, Object> subresources(Map<String, Object> schema) {
        Map<String, Object> subresources = new LinkedHashMap<>();
        if (!resource.scale().spec().isEmpty()) {
            subresources.put("scale", scale());
        }
        boolean hasStatus = schema.get("properties") instanceof Map<?, ?> fields && fields.containsKey("status");
        boolean[] given = resource.statusSubresource();
        if (given.length > 0 ? given[0] : hasStatus) {
            subresources.put("status", Map.of());
        }
        return subresources;
    }

    private Map<String, Object> scale() {
        Map<String, Object> scale = new LinkedHashMap<>();
        if (!resource.scale().selector().isEmpty()) {
            scale.put("labelSelectorPath", resource.scale().selector());
        }
        scale.put("specReplicasPath", resource.scale().spec());
        scale.put("statusReplicasPath", resource.scale().status());
        return scale;
    }

    private List<Map<String, Object>> columns(FieldNotes notes) {
        List<Map<String, Object>> columns = new ArrayList<>(notes.columns());
        for (PrinterColumn column : resource.columns()) {
            if (column.name().isEmpty() || column.path().isEmpty()) {
                throw Place.of(type)
                        .error(
                                "a printer column of the whole type needs a name and a path, as in"
                                        + " @PrinterColumn(name = \"Age\", path = \".metadata.creationTimestamp\", type = \"date\")");
            }
            columns.add(FieldNotes.column(column, "", "", "string"));
        }
        return columns;
    }

    private List<Map<String, String>> selectable(FieldNotes notes) {
        return Stream.concat(notes.selectable().stream(), Stream.of(resource.selectableFields()))
                .map(path -> Map.of("jsonPath", path))
                .toList();
    }
}
