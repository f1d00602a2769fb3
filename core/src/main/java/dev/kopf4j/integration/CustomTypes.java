package dev.kopf4j.integration;

import dev.kopf4j.ResourceSelector;
import dev.kopf4j.crd.CustomResource;
import java.util.Optional;

/** Knows the custom resources that records and classes stand for by {@link CustomResource}. Pure. */
public final class CustomTypes {
    private CustomTypes() {}

    /** True if the type is that of whole objects, or of their spec. */
    public static boolean isCustomResource(Class<?> type) {
        return type.isAnnotationPresent(CustomResource.class);
    }

    /** True if it is the type of the spec alone. */
    public static boolean isSpec(Class<?> type) {
        CustomResource resource = type.getAnnotation(CustomResource.class);
        return resource != null && resource.status() != void.class;
    }

    /** The resource that a type stands for; empty if it does not say. */
    public static Optional<ResourceSelector> selector(Class<?> type) {
        return Optional.ofNullable(type.getAnnotation(CustomResource.class))
                .map(resource -> ResourceSelector.ofKind(kind(type, resource))
                        .inGroup(resource.group())
                        .inVersion(resource.version()));
    }

    /** The kind of a type's objects. */
    public static String kind(Class<?> type, CustomResource resource) {
        if (!resource.kind().isEmpty()) {
            return resource.kind();
        }
        String name = type.getSimpleName();
        boolean named = resource.status() != void.class && name.endsWith("Spec") && name.length() > "Spec".length();
        return named ? name.substring(0, name.length() - "Spec".length()) : name;
    }
}
