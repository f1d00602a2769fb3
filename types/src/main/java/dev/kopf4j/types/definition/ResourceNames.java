package dev.kopf4j.types.definition;

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.Scope;
import dev.kopf4j.integration.CustomTypes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What all versions of a resource share. Immutable.
 *
 * @param group the API group
 * @param names the names as definitions have them
 * @param scope the scope as definitions have it
 * @param annotations the annotations of the definition
 */
record ResourceNames(String group, Map<String, Object> names, String scope, Map<String, String> annotations) {
    static ResourceNames of(Class<?> type) {
        CustomResource resource = type.getAnnotation(CustomResource.class);
        String kind = CustomTypes.kind(type, resource);
        Map<String, Object> names = new LinkedHashMap<>();
        if (resource.categories().length > 0) {
            names.put("categories", List.of(resource.categories()));
        }
        names.put("kind", kind);
        names.put("listKind", given(resource.listKind(), kind + "List"));
        names.put("plural", given(resource.plural(), EnglishPlural.of(kind)));
        if (resource.shortNames().length > 0) {
            names.put("shortNames", List.of(resource.shortNames()));
        }
        names.put("singular", given(resource.singular(), kind.toLowerCase(Locale.ROOT)));
        return new ResourceNames(
                resource.group(),
                names,
                resource.scope() == Scope.NAMESPACED ? "Namespaced" : "Cluster",
                annotations(resource));
    }

    private static Map<String, String> annotations(CustomResource resource) {
        Map<String, String> annotations = new LinkedHashMap<>();
        Arrays.stream(resource.annotations())
                .map(each -> each.split("=", 2))
                .forEach(parts -> annotations.put(parts[0], parts.length > 1 ? parts[1] : ""));
        return annotations;
    }

    private static String given(String given, String otherwise) {
        return given.isEmpty() ? otherwise : given;
    }

    String kind() {
        return String.valueOf(names.get("kind"));
    }

    /** The name of the definition. */
    String definition() {
        return names.get("plural") + "." + group;
    }
}
