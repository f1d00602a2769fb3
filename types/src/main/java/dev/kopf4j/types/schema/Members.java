package dev.kopf4j.types.schema;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kopf4j.crd.Schema;
import dev.kopf4j.types.text.UnfitException;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** Finds the fields that JSON has of a type, as Jackson would bind them. Pure. */
final class Members {
    /** Annotations of Jackson's that change the fields in ways that are not followed here. */
    private static final Set<String> UNKNOWN = Set.of(
            "JsonNaming",
            "JsonUnwrapped",
            "JsonTypeInfo",
            "JsonValue",
            "JsonIdentityInfo",
            "JsonAnyGetter",
            "JsonAnySetter",
            "JsonRawValue");

    /** Those by which the value is not in the field itself. */
    private static final Set<String> BESIDE = Set.of("JsonUnwrapped", "JsonAnyGetter", "JsonAnySetter");

    private Members() {}

    /** In the order of the source; superclasses first. What servers keep anyway is left out where it would be wrong. */
    static List<Member> of(Class<?> type, Place place) {
        told(type, place, () -> otherForm(type)).ifPresent(annotation -> {
            throw place.error("@" + annotation + " of " + type.getSimpleName()
                    + " is not followed here; name the fields by @JsonProperty, or describe the value by"
                    + " @Schema(preserveUnknownFields = true) and rules");
        });
        Set<String> ignored = ignored(type);
        Bean bean = told(type, place, () -> Bean.of(type));
        List<Member> members = (type.isRecord() ? components(type) : fields(type, bean, place))
                .stream()
                        .filter(member -> !ignored.contains(member.name()))
                        .filter(member -> member.annotation(JsonIgnore.class)
                                .map(each -> !each.value())
                                .orElse(true))
                        .toList();
        if (place.isOpen()) {
            return members.stream()
                    .filter(member -> otherForm(member).isEmpty())
                    .toList();
        }
        members.forEach(member -> refuseOtherForm(member, place));
        if (place.isInStatus()) {
            bean.refuseMoreThan(members, unwritten(type, ignored, place), place);
        }
        return members;
    }

    /** True if the fields of a type do not tell what Jackson reads or writes. */
    static boolean isOpaque(Class<?> type) {
        try {
            Bean.of(type);
            return otherForm(type).isPresent();
        } catch (IllegalArgumentException | JacksonException e) {
            return true;
        }
    }

    /** What Jackson says of a type, unless it can make nothing of it. */
    static <T> T told(Class<?> type, Place place, Supplier<T> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException | JacksonException e) {
            throw place.error("Jackson can make nothing of " + type.getSimpleName() + ": "
                    + (e instanceof JacksonException own ? own.getOriginalMessage() : e.getMessage())
                    + "; let only one of them be, give each a name of its own by @JsonProperty, or keep whatever is there"
                    + " by @Schema(preserveUnknownFields = true)");
        }
    }

    /** The annotation by which Jackson reads or writes another form than the fields of a type; it may be inherited. */
    static Optional<String> otherForm(Class<?> type) {
        JsonMapper mapper = JsonMapper.shared();
        BeanDescription bean = Bean.written(mapper.constructType(type), mapper);
        if (bean.findJsonValueAccessor() != null) {
            return Optional.of("JsonValue");
        }
        JsonFormat format = bean.getClassAnnotations().get(JsonFormat.class);
        if (format != null
                && !Set.of(JsonFormat.Shape.ANY, JsonFormat.Shape.OBJECT, JsonFormat.Shape.POJO)
                        .contains(format.shape())) {
            return Optional.of("JsonFormat");
        }
        return bean.getClassAnnotations().has(JsonTypeInfo.class)
                ? Optional.of("JsonTypeInfo")
                : otherForm((AnnotatedElement) type);
    }

    private static Optional<String> otherForm(AnnotatedElement element) {
        JsonSerialize written = element.getAnnotation(JsonSerialize.class);
        if (written != null && written.using() != ValueSerializer.None.class) {
            return Optional.of("JsonSerialize");
        }
        JsonDeserialize read = element.getAnnotation(JsonDeserialize.class);
        if (read != null && read.using() != ValueDeserializer.None.class) {
            return Optional.of("JsonDeserialize");
        }
        return Arrays.stream(element.getAnnotations())
                .map(each -> each.annotationType().getSimpleName())
                .filter(UNKNOWN::contains)
                .findFirst();
    }

    private static Optional<String> otherForm(Member member) {
        return member.elements().stream()
                .map(Members::otherForm)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> member.annotation(JsonFormat.class)
                        .filter(format -> isOtherForm(member, format))
                        .map(format -> "JsonFormat"));
    }

    /** True if the annotation of a member keeps whatever is there, in a form that its type does not tell. */
    static boolean isAnything(Member member, Place place) {
        return otherForm(member).filter(form -> !BESIDE.contains(form)).isPresent()
                && member.annotation(Schema.class)
                        .filter(schema -> schema.intOrString()
                                || place.field(member.name(), member.title())
                                        .with(schema)
                                        .isOpen())
                        .isPresent();
    }

    private static void refuseOtherForm(Member member, Place place) {
        otherForm(member).filter(form -> !isAnything(member, place)).ifPresent(annotation -> {
            throw place.error("@" + annotation + " of " + member.title() + " is not followed here; take a type"
                    + " that is written as it is to be, or name the fields by @JsonProperty, or keep whatever is there by"
                    + " @Schema(preserveUnknownFields = true); the pattern of a"
                    + " time is kept where @Schema(format = ...) says what it makes of it, in a list as in"
                    + " List<@Schema(format = ...) LocalDate>");
        });
    }

    /** Times are texts in any case, also those in an Optional, a list or a mapping; a Duration has no pattern. */
    private static boolean isOtherForm(Member member, JsonFormat format) {
        AnnotatedType value = innermost(member.type());
        String type = value.getType().getTypeName();
        boolean time = type.startsWith("java.time.");
        boolean shape = format.shape() == JsonFormat.Shape.ANY || (time && format.shape() == JsonFormat.Shape.STRING);
        boolean pattern = time
                && !type.equals(Duration.class.getName())
                && !format.pattern().isEmpty();
        return !shape
                || (pattern
                        && !saysFormat(member, value)
                        && !makesIsoText(format.pattern(), type.equals(LocalDate.class.getName())));
    }

    /** Where the format of a time is said: with its type, or with the member, if that is the time or an Optional. */
    private static boolean saysFormat(Member member, AnnotatedType value) {
        Type type = member.type().getType();
        boolean single = type.equals(value.getType())
                || (type instanceof ParameterizedType generic
                        && generic.getRawType() == Optional.class
                        && generic.getActualTypeArguments()[0].equals(value.getType()));
        return Stream.concat(
                        Stream.ofNullable(value.getAnnotation(Schema.class)),
                        single ? member.annotation(Schema.class).stream() : Stream.empty())
                .anyMatch(schema -> !schema.format().isEmpty());
    }

    private static AnnotatedType innermost(AnnotatedType type) {
        return switch (type) {
            case AnnotatedParameterizedType generic -> {
                AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
                yield innermost(arguments[arguments.length - 1]);
            }
            case AnnotatedArrayType array -> innermost(array.getAnnotatedGenericComponentType());
            case AnnotatedWildcardType wildcard -> innermost(wildcard.getAnnotatedUpperBounds()[0]);
            default -> type;
        };
    }

    /** What the schema's format, date or date-time, wants; how exact it is does not matter. */
    private static boolean makesIsoText(String pattern, boolean date) {
        OffsetDateTime sample = OffsetDateTime.of(2001, 12, 30, 23, 45, 56, 0, ZoneOffset.UTC);
        try {
            String text = DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(sample);
            return date
                    ? LocalDate.parse(text).equals(sample.toLocalDate())
                    : OffsetDateTime.parse(text)
                            .truncatedTo(ChronoUnit.MINUTES)
                            .isEqual(sample.truncatedTo(ChronoUnit.MINUTES));
        } catch (DateTimeException | IllegalArgumentException e) {
            return false;
        }
    }

    private static Set<String> ignored(Class<?> type) {
        JsonIgnoreProperties ignore = type.getAnnotation(JsonIgnoreProperties.class);
        return ignore == null ? Set.of() : Set.copyOf(Arrays.asList(ignore.value()));
    }

    /** Those of superclasses and interfaces, and of the place, too. */
    private static Set<String> unwritten(Class<?> type, Set<String> ignored, Place place) {
        JsonMapper mapper = JsonMapper.shared();
        BeanDescription bean = Bean.written(mapper.constructType(type), mapper);
        Set<String> names = new HashSet<>(ignored);
        names.addAll(place.unwritten());
        names.addAll(mapper.serializationConfig()
                .getDefaultPropertyIgnorals(type, bean.getClassInfo())
                .findIgnoredForSerialization());
        return names;
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

    private static List<Member> fields(Class<?> type, Bean bean, Place place) {
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
                .filter(field -> !bean.ignores(field))
                .flatMap(field -> bean.member(field, place).stream())
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
            BeanDescription read = reader.introspectForDeserialization(java, reader.introspectClassAnnotations(java));
            BeanDescription written = written(java, mapper);
            Set<String> ignored = new HashSet<>(read.getIgnoredPropertyNames());
            ignored.retainAll(written.getIgnoredPropertyNames());
            return new Bean(
                    Stream.concat(read.findProperties().stream(), written.findProperties().stream())
                            .toList(),
                    ignored);
        }

        static BeanDescription written(JavaType type, JsonMapper mapper) {
            ClassIntrospector writer = mapper.serializationConfig().classIntrospectorInstance();
            return writer.introspectForSerialization(type, writer.introspectClassAnnotations(type));
        }

        /** What is written into a status, and not in its schema, would be dropped by the server each time. */
        void refuseMoreThan(List<Member> members, Set<String> unwritten, Place place) {
            properties.stream()
                    .filter(each -> each.getGetter() != null && !unwritten.contains(each.getName()))
                    .filter(each ->
                            members.stream().noneMatch(member -> member.name().equals(each.getName())))
                    .findFirst()
                    .ifPresent(each -> {
                        throw place.error("Jackson writes '" + each.getName() + "', too, as "
                                + each.getGetter().getDeclaringClass().getSimpleName() + " has the method "
                                + each.getGetter().getName()
                                + "(), but the schema has no such field; annotate the method"
                                + " with @JsonIgnore, or make it a field; if the class is not yours, keep whatever is there"
                                + " by @Schema(preserveUnknownFields = true) where it is used");
                    });
        }

        /** The annotation may be at the field, or at a getter or setter. */
        boolean ignores(Field field) {
            JsonIgnore own = field.getAnnotation(JsonIgnore.class);
            return (own != null && own.value()) || ignored.contains(field.getName());
        }

        /** Nothing, where the field may be unknown. */
        Optional<Member> member(Field field, Place place) {
            Optional<Member> member = property(field).map(property -> member(field, property));
            if (member.isEmpty() && !place.isOpen()) {
                throw unknown(field, place);
            }
            return member;
        }

        private static Member member(Field field, BeanPropertyDefinition property) {
            Stream<AnnotatedElement> accessors = Stream.concat(
                            Stream.of(property.getGetter(), property.getConstructorParameter())
                                    .flatMap(Stream::ofNullable),
                            setter(property).stream())
                    .map(AnnotatedMember::getAnnotated)
                    .flatMap(Stream::ofNullable);
            return new Member(
                    property.getName(),
                    field.getName(),
                    field.getDeclaringClass(),
                    field.getAnnotatedType(),
                    Stream.concat(Stream.of(field), accessors).toList());
        }

        /** Nothing of setters for several types: what has them can be written all the same. */
        private static Optional<AnnotatedMember> setter(BeanPropertyDefinition property) {
            try {
                return Optional.ofNullable(property.getSetter());
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
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
                    + "); annotate it with @JsonProperty, or with @JsonIgnore if objects do not have it; if the class is"
                    + " not yours, keep whatever is there by @Schema(preserveUnknownFields = true) where it is used");
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
