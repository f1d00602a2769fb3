package dev.kopf4j.types.definition;

import dev.kopf4j.types.schema.Comments;
import dev.kopf4j.types.text.UnfitException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the definitions of types: one for each group and kind, with a version for each type. Pure. */
public final class DefinitionBuilder {
    private DefinitionBuilder() {}

    /**
     * The definitions, in the order of the types.
     *
     * @throws UnfitException if a type has no schema, or versions contradict each other
     */
    public static List<Map<String, Object>> definitions(List<Class<?>> types, Comments comments) {
        Map<String, List<Class<?>>> kinds = types.stream()
                .collect(Collectors.groupingBy(
                        each -> ResourceNames.of(each).kind() + "."
                                + ResourceNames.of(each).group(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return kinds.values().stream()
                .map(versions -> definition(versions, comments))
                .toList();
    }

    private static Map<String, Object> definition(List<Class<?>> types, Comments comments) {
        List<ResourceVersion> versions =
                types.stream().map(each -> ResourceVersion.of(each, comments)).toList();
        ResourceVersion stored = stored(versions);
        ResourceNames names = ResourceNames.of(stored.type());
        types.forEach(each -> refuseContradiction(names, stored.type(), each));
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (!names.annotations().isEmpty()) {
            metadata.put("annotations", names.annotations());
        }
        metadata.put("name", names.definition());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("group", names.group());
        spec.put("names", names.names());
        spec.put("scope", names.scope());
        spec.put("versions", versions(versions, stored));
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("apiVersion", "apiextensions.k8s.io/v1");
        definition.put("kind", "CustomResourceDefinition");
        definition.put("metadata", metadata);
        definition.put("spec", spec);
        return definition;
    }

    private static List<Map<String, Object>> versions(List<ResourceVersion> versions, ResourceVersion stored) {
        List<Map<String, Object>> made = new ArrayList<>();
        for (ResourceVersion version : versions) {
            if (versions.stream()
                            .filter(each -> each.name().equals(version.name()))
                            .count()
                    > 1) {
                throw new UnfitException(version.type().getSimpleName() + ": another type is the version "
                        + version.name() + " of "
                        + ResourceNames.of(version.type()).kind()
                        + ", too; give each type a version of its own");
            }
            made.add(version.definition(version.equals(stored)));
        }
        return made;
    }

    private static ResourceVersion stored(List<ResourceVersion> versions) {
        List<ResourceVersion> stored = versions.size() == 1
                ? versions
                : versions.stream().filter(each -> each.resource().storage()).toList();
        if (stored.size() == 1) {
            return stored.getFirst();
        }
        String kind = ResourceNames.of(versions.getFirst().type()).kind();
        throw new UnfitException(kind + " has the versions "
                + versions.stream().map(ResourceVersion::name).collect(Collectors.joining(", ")) + ", of which "
                + stored.size() + " are to be stored; exactly one must have storage = true");
    }

    private static void refuseContradiction(ResourceNames names, Class<?> stored, Class<?> other) {
        ResourceNames others = ResourceNames.of(other);
        boolean same = names.names().equals(others.names()) && names.scope().equals(others.scope());
        if (!same) {
            throw new UnfitException(other.getSimpleName() + " and " + stored.getSimpleName()
                    + " are versions of one resource, but differ in its names or scope: " + others.names() + " "
                    + others.scope() + " and " + names.names() + " " + names.scope() + "; give both the same");
        }
    }
}
