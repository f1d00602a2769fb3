package dev.kopf4j.types.schema;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A component of a record, or a field of another class. Immutable.
 *
 * @param name its name in JSON
 * @param declared its name in Java
 * @param owner the class that declares it
 * @param type its type
 * @param elements what can have annotations for it
 */
record Member(String name, String declared, Class<?> owner, AnnotatedType type, List<AnnotatedElement> elements) {
    Member {
        elements = List.copyOf(elements);
    }

    <A extends Annotation> Optional<A> annotation(Class<A> annotation) {
        return elements.stream()
                .flatMap(Member::annotations)
                .filter(annotation::isInstance)
                .map(annotation::cast)
                .findFirst();
    }

    /** The annotations of an element, with those that one of them stands for ({@code @JacksonAnnotationsInside}). */
    static Stream<Annotation> annotations(AnnotatedElement element) {
        Map<Class<?>, Annotation> found = new LinkedHashMap<>();
        collect(element, found);
        return found.values().stream();
    }

    private static void collect(AnnotatedElement element, Map<Class<?>, Annotation> found) {
        for (Annotation each : element.getAnnotations()) {
            Class<?> type = each.annotationType();
            if (found.putIfAbsent(type, each) == null && type.isAnnotationPresent(JacksonAnnotationsInside.class)) {
                collect(type, found);
            }
        }
    }

    /** True if an annotation called {@code Nullable} is there, of whatever package, and kept at run time or not. */
    boolean isNullable() {
        return isNullable(type)
                || elements.stream().anyMatch(Member::isNullable)
                || FieldAnnotations.of(owner, declared).names().contains("Nullable");
    }

    /** True if the constructor of a class of Kotlin refuses null for it. */
    boolean isNotNullInKotlin() {
        if (elements.stream().noneMatch(Parameter.class::isInstance)) {
            return false; // as with all of large models, whose class files need not be read
        }
        FieldAnnotations unseen = FieldAnnotations.of(owner, declared);
        return unseen.ofKotlin() && unseen.names().contains("NotNull");
    }

    static boolean isNullable(AnnotatedElement element) {
        for (Annotation each : element.getAnnotations()) {
            if (each.annotationType().getSimpleName().equals("Nullable")) {
                return true;
            }
        }
        return false;
    }

    /** Fields of its value that Jackson does not write, as the member says so. */
    Set<String> unwritten() {
        return JsonIgnoreProperties.Value.from(
                        annotation(JsonIgnoreProperties.class).orElse(null))
                .findIgnoredForSerialization();
    }

    /** For messages. */
    String title() {
        return owner.isRecord()
                ? "component '" + declared + "' of record " + owner.getSimpleName()
                : "field '" + declared + "' of class " + owner.getSimpleName();
    }
}
