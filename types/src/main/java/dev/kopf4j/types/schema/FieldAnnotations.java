package dev.kopf4j.types.schema;

import dev.kopf4j.json.CompiledClass;
import java.lang.classfile.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The annotations of a field that its class file alone has: reflection does not see those that are not kept at run
 * time, such as IntelliJ's, which Kotlin's compiler writes, too. Immutable.
 *
 * @param names their names without packages
 * @param ofKotlin true if Kotlin's compiler has written the class
 */
record FieldAnnotations(Set<String> names, boolean ofKotlin) {
    private static final String KOTLIN = "Lkotlin/Metadata;";

    FieldAnnotations {
        names = Set.copyOf(names);
    }

    /** Nothing of a class whose file is not at hand. */
    static FieldAnnotations of(Class<?> type, String field) {
        return CompiledClass.of(type)
                .map(compiled -> of(compiled, field))
                .orElseGet(() -> new FieldAnnotations(Set.of(), false));
    }

    private static FieldAnnotations of(ClassModel type, String field) {
        boolean ofKotlin = type.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream())
                .anyMatch(each -> each.className().equalsString(KOTLIN));
        return new FieldAnnotations(
                type.fields().stream()
                        .filter(each -> each.fieldName().equalsString(field))
                        .flatMap(FieldAnnotations::unseen)
                        .map(FieldAnnotations::name)
                        .collect(Collectors.toSet()),
                ofKotlin);
    }

    /** Those of its type, too, but not those of what the type holds. */
    private static Stream<Annotation> unseen(FieldModel field) {
        return Stream.concat(
                field.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                        .flatMap(attribute -> attribute.annotations().stream()),
                field.findAttribute(Attributes.runtimeInvisibleTypeAnnotations()).stream()
                        .flatMap(attribute -> attribute.annotations().stream())
                        .filter(each -> each.targetPath().isEmpty())
                        .map(each -> each.annotation()));
    }

    /** {@code Nullable} of {@code La/b/Nullable;}. */
    private static String name(Annotation annotation) {
        String descriptor = annotation.className().stringValue();
        int start = Math.max(descriptor.lastIndexOf('/'), descriptor.lastIndexOf('$'));
        return descriptor.substring(Math.max(start, 0) + 1, descriptor.length() - 1);
    }
}
