package dev.kopf4j.types.schema;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kopf4j.types.text.UnfitException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the fields that JSON has of a type, as Jackson would bind them. Pure. */
final class Members {
    /** Annotations of Jackson's that change the fields in ways that are not followed here. */
    private static final Set<String> UNKNOWN = Set.of("JsonNaming", "JsonUnwrapped", "JsonTypeInfo", "JsonValue");

    private Members() {}

    /** In the order of the source; superclasses first. */
    static List<Member> of(Class<?> type, Place place) {
        refuseUnknown(type, place);
        Set<String> ignored = ignored(type);
        List<Member> members = type.isRecord() ? components(type) : fields(type);
        members.forEach(member -> {
            member.elements().forEach(each -> refuseUnknown(each, place));
            member.annotation(JsonFormat.class).ifPresent(format -> refuseOtherForm(member, format, place));
        });
        return members.stream()
                .filter(member -> !ignored.contains(member.name()))
                .filter(member -> member.annotation(JsonIgnore.class)
                        .map(each -> !each.value())
                        .orElse(true))
                .toList();
    }

    private static void refuseUnknown(AnnotatedElement element, Place place) {
        Arrays.stream(element.getAnnotations())
                .map(each -> each.annotationType().getSimpleName())
                .filter(UNKNOWN::contains)
                .findFirst()
                .ifPresent(name -> {
                    throw unknown(name, element, place);
                });
    }

    /** Times are texts in any case. */
    private static void refuseOtherForm(Member member, JsonFormat format, Place place) {
        boolean text = format.shape() == JsonFormat.Shape.STRING
                && member.type().getType().getTypeName().startsWith("java.time.");
        if (format.shape() != JsonFormat.Shape.ANY && !text) {
            throw unknown("JsonFormat", member.title(), place);
        }
    }

    private static UnfitException unknown(String annotation, Object where, Place place) {
        return place.error("@" + annotation + " of " + where
                + " is not followed here; name the fields by @JsonProperty, or describe the value by"
                + " @Schema(preserveUnknownFields = true) and rules");
    }

    private static Set<String> ignored(Class<?> type) {
        JsonIgnoreProperties ignore = type.getAnnotation(JsonIgnoreProperties.class);
        return ignore == null ? Set.of() : Set.copyOf(Arrays.asList(ignore.value()));
    }

    private static List<Member> components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> {
                    List<AnnotatedElement> elements =
                            List.of(component, field(type, component), component.getAccessor());
                    String name = component.getName();
                    return new Member(jsonName(elements, name), name, type, component.getAnnotatedType(), elements);
                })
                .toList();
    }

    private static Field field(Class<?> type, RecordComponent component) {
        try {
            return type.getDeclaredField(component.getName());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("records have a field for each component", e);
        }
    }

    private static List<Member> fields(Class<?> type) {
        List<Class<?>> line = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            line.add(each);
        }
        Collections.reverse(line);
        return line.stream()
                .flatMap(each -> Arrays.stream(each.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers())
                        && !Modifier.isTransient(field.getModifiers())
                        && !field.isSynthetic())
                .map(field -> new Member(
                        jsonName(List.of(field), field.getName()),
                        field.getName(),
                        field.getDeclaringClass(),
                        field.getAnnotatedType(),
                        List.of(field)))
                .toList();
    }

    private static String jsonName(List<? extends AnnotatedElement> elements, String declared) {
        return elements.stream()
                .map(element -> element.getAnnotation(JsonProperty.class))
                .flatMap(Stream::ofNullable)
                .map(JsonProperty::value)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(declared);
    }
}
