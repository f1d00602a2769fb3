package dev.kopf4j.json;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.introspect.BeanPropertyDefinition;

/**
 * Annotations of another databind of Jackson than the one here: that of Jackson 2, or the copy of Jackson 3 that an
 * operator brings for itself. Jackson here does not see them, and would read and write as if they were not there. Pure.
 */
public final class UnseenAnnotations {
    private static final String PACKAGE = ".jackson.databind.annotation";
    private static final Set<String> OF_WRITING = Set.of("JsonSerialize", "JsonAppend");

    /** They say how to find the same fields, or matter to other annotations alone. */
    private static final Set<String> HARMLESS = Set.of("JsonPOJOBuilder", "JacksonStdImpl");

    /** A builder sets the fields of its class; without it, these are set as in classes that have none. */
    private static final Set<String> HARMLESS_ELEMENTS = Set.of("builder", "typing", "include");

    private static final String WAY_OUT = "say it by the annotations of com.fasterxml.jackson.annotation, such as"
            + " @JsonProperty, @JsonCreator and @JsonValue, or take a type that is read and written as it is to be";

    private UnseenAnnotations() {}

    /** True if the annotation asks for another form of values, and nobody here follows it. */
    public static boolean isOtherForm(Annotation annotation) {
        Class<?> type = annotation.annotationType();
        return isUnseen(type)
                && !HARMLESS.contains(type.getSimpleName())
                && Arrays.stream(type.getDeclaredMethods())
                        .filter(element -> !HARMLESS_ELEMENTS.contains(element.getName()))
                        .anyMatch(element -> says(annotation, element));
    }

    private static boolean isUnseen(Class<?> type) {
        return type.getPackageName().endsWith(PACKAGE)
                && !JsonDeserialize.class.getPackage().equals(type.getPackage());
    }

    private static boolean says(Annotation annotation, Method element) {
        try {
            return !Objects.deepEquals(element.invoke(annotation), element.getDefaultValue());
        } catch (ReflectiveOperationException e) {
            return true; // a class that is not there
        }
    }

    /**
     * Refuses a type whose values would be read, or written, in another form than its annotations say.
     *
     * @throws MisreadTypeException if there is such an annotation
     */
    static void refuse(BeanDescription description, boolean written) {
        refuse(description.getClassInfo().annotations(), "", description.getBeanClass(), written);
        for (BeanPropertyDefinition property : description.findProperties()) {
            if (property.getPrimaryMember() != null) {
                refuse(
                        property.getPrimaryMember().annotations(),
                        "'" + property.getName() + "' of ",
                        description.getBeanClass(),
                        written);
            }
        }
    }

    private static void refuse(Stream<Annotation> annotations, String member, Class<?> type, boolean written) {
        List<Annotation> all = annotations.toList();
        all.stream()
                .filter(UnseenAnnotations::isOtherForm)
                .filter(each -> !isSaidHere(each, all))
                .filter(each -> OF_WRITING.contains(each.annotationType().getSimpleName()) == written
                        || each.annotationType().getSimpleName().endsWith("Naming"))
                .findFirst()
                .ifPresent(each -> {
                    throw new MisreadTypeException("@" + each.annotationType().getSimpleName() + " of " + member
                            + type.getSimpleName() + " would not be followed: " + reason(each) + "; " + WAY_OUT);
                });
    }

    /** True if the same is said by an annotation that is followed, as by libraries that are for both Jacksons. */
    private static boolean isSaidHere(Annotation annotation, List<Annotation> all) {
        return all.stream()
                .map(Annotation::annotationType)
                .anyMatch(type -> !isUnseen(type)
                        && type.getSimpleName()
                                .equals(annotation.annotationType().getSimpleName()));
    }

    /** Why an annotation is not seen, in words for people. */
    public static String reason(Annotation annotation) {
        return annotation.annotationType().getName().startsWith("tools.")
                ? "it is one of the operator's own copy of Jackson, which the kopf4j program, that has another one, does"
                        + " not see (an operator that is started by its main has one only)"
                : annotation.annotationType().getPackageName() + " is of another Jackson than kopf4j's, which is"
                        + " Jackson 3";
    }
}
