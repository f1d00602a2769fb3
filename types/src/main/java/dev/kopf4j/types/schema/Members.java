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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** Finds the fields that JSON has of a type, as Jackson would bind them. Pure. */
final class Members {
    /** Annotations of Jackson's that change the fields in ways that are not followed here. */
    private static final Set<String> UNKNOWN = Set.of("JsonNaming", "JsonUnwrapped", "JsonTypeInfo", "JsonValue");

    private Members() {}

    /** In the order of the source; superclasses first. */
    static List<Member> of(Class<?> type, Place place) {
        refuseUnknown(type, place);
        Set<String> ignored = ignored(type);
        List<Member> members = type.isRecord() ? components(type) : fields(type, place);
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

    private static List<Member> fields(Class<?> type, Place place) {
        List<Class<?>> line = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            line.add(each);
        }
        Collections.reverse(line);
        Bean bean = Bean.of(type);
        return line.stream()
                .flatMap(each -> Arrays.stream(each.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers())
                        && !Modifier.isTransient(field.getModifiers())
                        && !field.isSynthetic())
                .filter(field -> !bean.ignores(field))
                .map(field -> bean.member(field, place))
                .toList();
    }

    /**
     * What Jackson makes of a class by its fields, getters and setters. Immutable.
     *
     * @param properties those that it reads, and those that it writes
     * @param ignored what it neither reads nor writes
     */
    private record Bean(List<BeanPropertyDefinition> properties, Set<String> ignored) {
        static Bean of(Class<?> type) {
            JsonMapper mapper = JsonMapper.shared();
            JavaType java = mapper.constructType(type);
            ClassIntrospector reader = mapper.deserializationConfig().classIntrospectorInstance();
            ClassIntrospector writer = mapper.serializationConfig().classIntrospectorInstance();
            BeanDescription read = reader.introspectForDeserialization(java, reader.introspectClassAnnotations(java));
            BeanDescription written = writer.introspectForSerialization(java, writer.introspectClassAnnotations(java));
            Set<String> ignored = new HashSet<>(read.getIgnoredPropertyNames());
            ignored.retainAll(written.getIgnoredPropertyNames());
            return new Bean(
                    Stream.concat(read.findProperties().stream(), written.findProperties().stream())
                            .toList(),
                    ignored);
        }

        /** The annotation may be at the field, or at a getter or setter. */
        boolean ignores(Field field) {
            JsonIgnore own = field.getAnnotation(JsonIgnore.class);
            return (own != null && own.value()) || ignored.contains(field.getName());
        }

        Member member(Field field, Place place) {
            BeanPropertyDefinition property = property(field).orElseThrow(() -> unknown(field, place));
            Stream<AnnotatedElement> accessors = Stream.of(
                            property.getGetter(), property.getSetter(), property.getConstructorParameter())
                    .flatMap(Stream::ofNullable)
                    .map(AnnotatedMember::getAnnotated)
                    .flatMap(Stream::ofNullable);
            return new Member(
                    property.getName(),
                    field.getName(),
                    field.getDeclaringClass(),
                    field.getAnnotatedType(),
                    Stream.concat(Stream.of(field), accessors).toList());
        }

        /** A field {@code isActive} is {@code active} to Jackson, by the getter that has the field's name. */
        private Optional<BeanPropertyDefinition> property(Field field) {
            return properties.stream()
                    .filter(each -> each.getInternalName().equals(field.getName())
                            || (each.getField() != null
                                    && field.equals(each.getField().getAnnotated())))
                    .findFirst()
                    .or(() -> properties.stream()
                            .filter(each -> each.getGetter() != null
                                    && each.getGetter().getName().equals(field.getName()))
                            .findFirst());
        }

        private UnfitException unknown(Field field, Place place) {
            String known = properties.stream()
                    .map(BeanPropertyDefinition::getName)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
            return place.error("Jackson neither reads nor writes the field '" + field.getName() + "' of class "
                    + field.getDeclaringClass().getSimpleName() + " (of this class, it knows: " + known
                    + "); annotate it with @JsonProperty, or with @JsonIgnore if objects do not have it");
        }
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
