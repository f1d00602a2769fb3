package dev.kopf4j.types.source;

import dev.kopf4j.types.definition.EnglishPlural;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the annotation that says which resource a record is.
 *
 * @param spec the definition's spec
 * @param version one of its versions
 * @param imports gets what is used
 */
record ResourceAnnotation(Map<?, ?> spec, Map<?, ?> version, Imports imports) {
    String text(String record, boolean several, Map<String, Object> root) {
        imports.add("dev.kopf4j.crd.CustomResource");
        List<String> attributes = new ArrayList<>();
        String kind = text(names().get("kind"));
        attributes.add("group = " + JavaText.literal(text(spec.get("group"))));
        attributes.add("version = " + JavaText.literal(text(version.get("name"))));
        unless(attributes, "kind", kind, record);
        unless(attributes, "listKind", text(names().get("listKind")), kind + "List");
        unless(attributes, "plural", text(names().get("plural")), EnglishPlural.of(kind));
        unless(attributes, "singular", text(names().get("singular")), kind.toLowerCase(Locale.ROOT));
        texts(attributes, "shortNames", names().get("shortNames"));
        texts(attributes, "categories", names().get("categories"));
        if ("Cluster".equals(spec.get("scope"))) {
            imports.add("dev.kopf4j.crd.Scope");
            attributes.add("scope = Scope.CLUSTER");
        }
        state(attributes, several);
        subresources(attributes, root);
        columns(attributes);
        selectable(attributes);
        return "@CustomResource(\n        " + String.join(",\n        ", attributes) + ")";
    }

    private Map<?, ?> names() {
        return map(spec.get("names"));
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static void unless(List<String> attributes, String key, String value, String byDefault) {
        if (!value.isEmpty() && !value.equals(byDefault)) {
            attributes.add(key + " = " + JavaText.literal(value));
        }
    }

    private static void texts(List<String> attributes, String key, @Nullable Object value) {
        if (value instanceof List<?> list && !list.isEmpty()) {
            attributes.add(key + " = " + JavaText.literals(list));
        }
    }

    private void state(List<String> attributes, boolean several) {
        if (!Boolean.TRUE.equals(version.get("served"))) {
            attributes.add("served = false");
        }
        if (several && Boolean.TRUE.equals(version.get("storage"))) {
            attributes.add("storage = true");
        }
        if (Boolean.TRUE.equals(version.get("deprecated"))) {
            attributes.add("deprecated = true");
        }
        unless(attributes, "deprecationWarning", text(version.get("deprecationWarning")), "");
    }

    private void subresources(List<String> attributes, Map<String, Object> root) {
        Map<?, ?> subresources = map(version.get("subresources"));
        boolean hasSubresource = subresources.containsKey("status");
        boolean hasStatus = map(root.get("properties")).containsKey("status");
        if (!hasStatus || !hasSubresource) {
            attributes.add("statusSubresource = " + hasSubresource);
        }
        if (subresources.get("scale") instanceof Map<?, ?> scale) {
            imports.add("dev.kopf4j.crd.Scale");
            List<String> paths = new ArrayList<>();
            paths.add("spec = " + JavaText.literal(text(scale.get("specReplicasPath"))));
            unless(paths, "status", text(scale.get("statusReplicasPath")), ".status.replicas");
            unless(paths, "selector", text(scale.get("labelSelectorPath")), "");
            attributes.add("scale = @Scale(" + String.join(", ", paths) + ")");
        }
    }

    private void columns(List<String> attributes) {
        if (version.get("additionalPrinterColumns") instanceof List<?> columns && !columns.isEmpty()) {
            imports.add("dev.kopf4j.crd.PrinterColumn");
            attributes.add("columns = "
                    + columns.stream()
                            .map(each -> column(map(each)))
                            .collect(Collectors.joining(",\n            ", "{\n            ", "\n        }")));
        }
    }

    private static String column(Map<?, ?> column) {
        List<String> parts = new ArrayList<>();
        parts.add("name = " + JavaText.literal(text(column.get("name"))));
        parts.add("path = " + JavaText.literal(text(column.get("jsonPath"))));
        unless(parts, "type", text(column.get("type")), "string");
        unless(parts, "format", text(column.get("format")), "");
        unless(parts, "description", text(column.get("description")), "");
        if (column.get("priority") instanceof Integer priority && priority != 0) {
            parts.add("priority = " + priority);
        }
        return "@PrinterColumn(" + String.join(", ", parts) + ")";
    }

    private void selectable(List<String> attributes) {
        if (version.get("selectableFields") instanceof List<?> fields) {
            texts(
                    attributes,
                    "selectableFields",
                    fields.stream().map(each -> text(map(each).get("jsonPath"))).toList());
        }
    }
}
