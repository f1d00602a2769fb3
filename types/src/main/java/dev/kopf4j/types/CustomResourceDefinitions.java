package dev.kopf4j.types;

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.types.definition.DefinitionBuilder;
import dev.kopf4j.types.schema.Comments;
import dev.kopf4j.types.text.YamlWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The custom resource definitions of types with {@link CustomResource}. Pure. */
public final class CustomResourceDefinitions {
    private CustomResourceDefinitions() {}

    /**
     * The definitions as plain maps and lists: one for each group and kind, in the order of the types.
     *
     * @param types types with {@link CustomResource}
     * @param descriptions what sources say of them
     * @throws TypeException if a type has no schema, or versions contradict each other
     */
    public static List<Map<String, Object>> of(List<Class<?>> types, Descriptions descriptions) {
        for (Class<?> type : types) {
            if (!type.isAnnotationPresent(CustomResource.class)) {
                throw new TypeException(type.getName() + " does not say which resource it is; annotate it with"
                        + " @CustomResource(group = \"example.com\", version = \"v1\")");
            }
        }
        return TypeException.unless(() -> DefinitionBuilder.definitions(types, new Comments(descriptions.texts())));
    }

    /** The definitions of types without descriptions from sources. */
    public static List<Map<String, Object>> of(Class<?>... types) {
        return of(List.of(types), Descriptions.none());
    }

    /** Definitions as YAML; the same ones give the same text. */
    public static String yaml(List<Map<String, Object>> definitions) {
        return definitions.stream().map(YamlWriter::text).collect(Collectors.joining("---\n"));
    }
}
