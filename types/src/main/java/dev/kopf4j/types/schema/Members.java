package dev.kopf4j.types.schema;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kopf4j.crd.Schema;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.KotlinDefaults;
import dev.kopf4j.types.text.UnfitException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Executable;
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
import tools.jackson.databind.introspect.PotentialCreator;
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
        Bean bean = told(type, place, () -> Bean.of(type));
        Set<String> ignored = bean.ignoredByClass();
        List<Member> members = (type.isRecord() ? components(type, bean) : fields(type, bean, place))
                .stream()
                        .filter(member -> !ignored.contains(member.name()))
                        .filter(member -> member.annotation(JsonIgnore.class)
                                .map(each -> !each.value())
                                .orElse(true))
                        .toList();
        if (place.isOpen()) {
            return members.stream()
                    .filter(member -> otherForm(member).isEmpty() && bean.uses(member, place))
                    .toList();
        }
        members.forEach(member -> refuseOtherForm(member, place));
        if (!place.isInStatus()) { // that may be only written, which loses nothing
            KotlinDefaults.lost(bean.read()).ifPresent(problem -> {
                throw place.error(problem);
            });
            bean.refuseUnmakeable(place);
        }
        members.forEach(member -> bean.refuseUnused(member, place));
        if (place.isInStatus()) {
            bean.refuseMoreThan(members, unwritten(type, ignored, place), place);
        } else {
            bean.refuseMoreParameters(members, ignored, place);
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
        JsonMapper mapper = Json.mapper();
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
        if (bean.getClassAnnotations().has(JsonTypeInfo.class)) {
            return Optional.of("JsonTypeInfo");
        }
        return otherForm((AnnotatedElement) type)
                .or(() -> !type.isEnum() && Bean.of(type).isReadFromOneValue()
                        ? Optional.of("JsonCreator")
                        : Optional.empty());
    }

    /** True if nothing but its values stands for the constants of an enum where these are keys. */
    static boolean hasOnlyKeysOfValues(Class<?> type) {
        JsonMapper mapper = Json.mapper();
        return Bean.written(mapper.constructType(type), mapper).findJsonKeyAccessor() == null
                && Stream.of(type.getFields(), type.getDeclaredMethods())
                        .flatMap(Arrays::stream)
                        .flatMap(Member::annotations)
                        .noneMatch(each -> each instanceof JsonAlias || each instanceof JsonCreator);
    }

    private static Optional<String> otherForm(AnnotatedElement element) {
        return Member.annotations(element)
                .filter(Members::isOtherForm)
                .map(each -> each.annotationType().getSimpleName())
                .findFirst();
    }

    private static boolean isOtherForm(Annotation annotation) {
        return switch (annotation) {
            case JsonSerialize written -> written.using() != ValueSerializer.None.class;
            case JsonDeserialize read -> read.using() != ValueDeserializer.None.class;
            default ->
                UNKNOWN.contains(annotation.annotationType().getSimpleName()) || ModelBinding.isUnseenForm(annotation);
        };
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

    /** Those of superclasses and interfaces, and of the place, too. */
    private static Set<String> unwritten(Class<?> type, Set<String> ignored, Place place) {
        JsonMapper mapper = Json.mapper();
        BeanDescription bean = Bean.written(mapper.constructType(type), mapper);
        Set<String> names = new HashSet<>(ignored);
        names.addAll(place.unwritten());
        names.addAll(mapper.serializationConfig()
                .getDefaultPropertyIgnorals(type, bean.getClassInfo())
                .findIgnoredForSerialization());
        return names;
    }

    private static List<Member> components(Class<?> type, Bean bean) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> {
                    Field field = field(type, component);
                    Optional<BeanPropertyDefinition> property = bean.property(field);
                    return new Member(
                            property.map(BeanPropertyDefinition::getName).orElse(component.getName()),
                            component.getName(),
                            type,
                            component.getAnnotatedType(),
                            Stream.concat(
                                            Stream.of(component, field, component.getAccessor()),
                                            property.flatMap(Bean::parameter).stream())
                                    .toList());
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
     * What Jackson makes of a class by its constructors, fields, getters and setters. Immutable.
     *
     * @param read how it reads objects of the class
     * @param written how it writes them
     */
    private record Bean(BeanDescription read, BeanDescription written) {
        static Bean of(Class<?> type) {
            JsonMapper mapper = Json.mapper();
            JavaType java = mapper.constructType(type);
            ClassIntrospector reader = mapper.deserializationConfig().classIntrospectorInstance();
            BeanDescription read = reader.introspectForDeserialization(java, reader.introspectClassAnnotations(java));
            Bean bean = new Bean(read, written(java, mapper));
            bean.properties();
            return bean;
        }

        static BeanDescription written(JavaType type, JsonMapper mapper) {
            ClassIntrospector writer = mapper.serializationConfig().classIntrospectorInstance();
            return writer.introspectForSerialization(type, writer.introspectClassAnnotations(type));
        }

        /** Those that it reads, and those that it writes. */
        private List<BeanPropertyDefinition> properties() {
            return Stream.concat(read.findProperties().stream(), written.findProperties().stream())
                    .toList();
        }

        /** Also of superclasses, and by annotations that stand for others. */
        Set<String> ignoredByClass() {
            JsonIgnoreProperties ignore = read.getClassAnnotations().get(JsonIgnoreProperties.class);
            return ignore == null ? Set.of() : Set.copyOf(Arrays.asList(ignore.value()));
        }

        /**
         * True if a creator takes the whole value, and not its fields. One that takes a text may stand beside another
         * way to read objects.
         */
        boolean isReadFromOneValue() {
            List<PotentialCreator> delegating = read.getPotentialCreators().getExplicitDelegating();
            return !delegating.isEmpty()
                    && (!isMakeable()
                            || delegating.stream()
                                    .anyMatch(each -> each.param(0).getRawType() != String.class));
        }

        private boolean isMakeable() {
            return read.findDefaultConstructor() != null
                    || read.getPotentialCreators().hasPropertiesBased();
        }

        /** Every object would fail. */
        void refuseUnmakeable(Place place) {
            Class<?> type = read.getBeanClass();
            if (isReadByOther() || isMakeable()) {
                return;
            }
            boolean inner = type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
            throw place.error("Jackson cannot make objects of class " + type.getSimpleName()
                    + (inner
                            ? ", as it is an inner class; make it static, or a record"
                            : ": "
                                    + KotlinDefaults.unmakeable(type)
                                            .orElse("it needs a constructor without arguments, or one with @JsonCreator"
                                                    + " and @JsonProperty at each argument; or make it a record")));
        }

        /** A builder or another class may read what this one does not. */
        private boolean isReadByOther() {
            return read.getClassAnnotations().has(JsonDeserialize.class);
        }

        /** True if Jackson writes the member of a status, or reads that of anything else. */
        boolean uses(Member member, Place place) {
            return place.isInStatus()
                    ? written.findProperties().stream()
                            .anyMatch(each ->
                                    each.getName().equals(member.name()) && (each.hasGetter() || each.hasField()))
                    : isReadByOther()
                            || read.findProperties().stream()
                                    .anyMatch(each -> each.getName().equals(member.name())
                                            && (each.hasConstructorParameter() || each.hasSetter() || each.hasField()));
        }

        /** The definition would ask for what no handler ever sees, or would tell of what is never there. */
        void refuseUnused(Member member, Place place) {
            if (uses(member, place)) {
                return;
            }
            String problem = place.isInStatus()
                    ? "Jackson never writes " + member.title() + "; give it a getter, and leave access = WRITE_ONLY out"
                    : "Jackson never reads " + member.title() + "; give it a setter, or its @JsonCreator a parameter of"
                            + " this name, and leave access = READ_ONLY and final out";
            throw place.error(
                    problem + ", or annotate it with @JsonIgnore if objects do not have it; if the class is not"
                            + " yours, keep whatever is there by @Schema(preserveUnknownFields = true) where it is used");
        }

        /** What the schema does not have is dropped by the server, so that the parameter is always absent. */
        void refuseMoreParameters(List<Member> members, Set<String> ignored, Place place) {
            read.findProperties().stream()
                    .filter(each -> each.hasConstructorParameter()
                            && !ignored.contains(each.getName())
                            && !read.getIgnoredPropertyNames().contains(each.getName()))
                    .filter(each ->
                            members.stream().noneMatch(member -> member.name().equals(each.getName())))
                    .findFirst()
                    .ifPresent(each -> {
                        throw place.error("Jackson reads '" + each.getName() + "', too, as the creator of "
                                + read.getBeanClass().getSimpleName() + " has such a parameter, but the schema has no"
                                + " such field; make it a field, or leave it out; if the class is not yours, keep"
                                + " whatever is there by @Schema(preserveUnknownFields = true) where it is used");
                    });
        }

        /** What is written into a status, and not in its schema, would be dropped by the server each time. */
        void refuseMoreThan(List<Member> members, Set<String> unwritten, Place place) {
            properties().stream()
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
            return (own != null && own.value())
                    || (read.getIgnoredPropertyNames().contains(field.getName())
                            && written.getIgnoredPropertyNames().contains(field.getName()));
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
                    Stream.concat(Stream.ofNullable(property.getGetter()), setter(property).stream())
                            .map(AnnotatedMember::getAnnotated)
                            .flatMap(Stream::ofNullable),
                    parameter(property).stream());
            return new Member(
                    property.getName(),
                    field.getName(),
                    field.getDeclaringClass(),
                    field.getAnnotatedType(),
                    Stream.concat(Stream.of(field), accessors).toList());
        }

        static Optional<AnnotatedElement> parameter(BeanPropertyDefinition property) {
            return Optional.ofNullable(property.getConstructorParameter())
                    .map(each -> ((Executable) each.getMember()).getParameters()[each.getIndex()]);
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
            return properties().stream()
                    .filter(each -> each.getInternalName().equals(field.getName())
                            || (each.getField() != null
                                    && field.equals(each.getField().getAnnotated())))
                    .findFirst()
                    .or(() -> properties().stream()
                            .filter(each -> each.getGetter() != null
                                    && each.getGetter().getName().equals(field.getName()))
                            .findFirst());
        }

        private UnfitException unknown(Field field, Place place) {
            String known = properties().stream()
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
}
