package dev.kopf4j.testing.environment;

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.types.CustomResourceDefinitions;
import dev.kopf4j.types.Descriptions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The definitions of the types with {@link CustomResource} that handlers take, or are written with. Pure. */
public final class TypeDefinitions {
    private TypeDefinitions() {}

    /** The definitions for the handlers of these classes, as YAML; none if there are no such types. */
    public static List<String> of(Class<?>... handlers) {
        List<Class<?>> types = Arrays.stream(handlers)
                .flatMap(each -> Stream.concat(nested(each), HandlerTypes.of(each)))
                .filter(each -> each.isAnnotationPresent(CustomResource.class))
                .distinct()
                .toList();
        return types.isEmpty()
                ? List.of()
                : List.of(CustomResourceDefinitions.yaml(CustomResourceDefinitions.of(types, Descriptions.none())));
    }

    private static Stream<Class<?>> nested(Class<?> type) {
        return Arrays.stream(type.getDeclaredClasses()).flatMap(each -> Stream.concat(Stream.of(each), nested(each)));
    }
}
