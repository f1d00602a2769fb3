package dev.kopf4j.types.schema;

import dev.kopf4j.crd.Schema;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the schemas of the fields of one custom resource, and notes which of them are columns. Used once. */
public final class SchemaGenerator {
    private static final String OPEN = "@Schema(preserveUnknownFields = true)";

    private final Comments comments;
    private final FieldNotes notes = new FieldNotes();

    /** A generator that takes comments from there, where annotations give none. */
    public SchemaGenerator(Comments comments) {
        this.comments = comments;
    }

    /** What was found about fields, beside their schemas. */
    public FieldNotes notes() {
        return notes;
    }

    /** The schema of a class: an object with its fields. */
    public Map<String, Object> ofClass(Class<?> type, Place place) {
        Schema schema = type.getAnnotation(Schema.class);
        return KeyOrder.sorted(annotated(plainClass(type, place.with(schema)), schema, place));
    }

    /** The schema of a type in the place where it is used, with the annotations there. */
    Map<String, Object> of(AnnotatedType type, @Nullable Schema annotation, Place place) {
        Schema schema = annotation == null ? type.getAnnotation(Schema.class) : annotation;
        Place inner = place.with(schema);
        Map<String, Object> base = schema != null && isOpen(schema) ? open(type, schema, inner) : base(type, inner);
        return KeyOrder.sorted(annotated(base, schema, place));
    }

    /** The schema of what no type describes, with the annotation there. */
    static Map<String, Object> anything(@Nullable Schema annotation, Place place) {
        return KeyOrder.sorted(annotated(new LinkedHashMap<>(), annotation, place));
    }

    private static Map<String, Object> annotated(Map<String, Object> base, @Nullable Schema schema, Place place) {
        return schema == null ? base : new SchemaAttributes(schema, place).over(base);
    }

    private static boolean isOpen(Schema schema) {
        return schema.preserveUnknownFields() || schema.intOrString() || schema.embeddedResource();
    }

    /** Where anything is allowed, the type may say nothing, too much, or contain itself. */
    private Map<String, Object> open(AnnotatedType type, Schema schema, Place place) {
        Class<?> raw = raw(type.getType(), place);
        boolean single = raw.isEnum() || raw.isArray() || PlainTypes.of(raw).isPresent();
        if (schema.intOrString() || raw == Object.class || (!single && !isAbstract(raw) && Members.isOpaque(raw))) {
            return new LinkedHashMap<>();
        }
        boolean known = !Map.class.isAssignableFrom(raw) && !place.enclosing().contains(raw) && !isAbstract(raw);
        if (known) {
            return base(type, place);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", "object");
        if (Map.class.isAssignableFrom(raw)
                && type instanceof AnnotatedParameterizedType map
                && map.getAnnotatedActualTypeArguments()[1].getType() != Object.class) {
            return base(type, place);
        }
        return object;
    }

    private Map<String, Object> base(AnnotatedType type, Place place) {
        Class<?> raw = raw(type.getType(), place);
        Optional<Map<String, Object>> plain = PlainTypes.of(raw);
        if (plain.isPresent()) {
            return plain.get();
        }
        if (raw == Optional.class) {
            return new LinkedHashMap<>(of(argument(type, 0, place), null, place));
        }
        if (type instanceof AnnotatedArrayType array) {
            return list(array.getAnnotatedGenericComponentType(), place);
        }
        if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
            Map<String, Object> list = list(argument(type, 0, place), place);
            return Set.class.isAssignableFrom(raw) ? set(list, place) : list;
        }
        if (Map.class.isAssignableFrom(raw)) {
            return mapping(type, place);
        }
        return new LinkedHashMap<>(ofClass(raw, place));
    }

    private Map<String, Object> list(AnnotatedType element, Place place) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "array");
        schema.put("items", nullable(element, of(element, null, place.elements())));
        return schema;
    }

    private static Map<String, Object> set(Map<String, Object> list, Place place) {
        if (list.get("items") instanceof Map<?, ?> items
                && ("object".equals(items.get("type")) || "array".equals(items.get("type")))) {
            throw place.error("a set holds single values in Kubernetes; take a List, and name the fields that tell its"
                    + " elements apart: @Schema(listMapKeys = \"name\")");
        }
        list.put("x-kubernetes-list-type", "set");
        return list;
    }

    private Map<String, Object> mapping(AnnotatedType type, Place place) {
        AnnotatedType key = argument(type, 0, place);
        if (key.getType() != String.class && !(key.getType() instanceof Class<?> keys && keys.isEnum())) {
            throw place.error("the keys of a mapping are text in JSON, but here "
                    + key.getType().getTypeName() + "; take Map<String, ...>");
        }
        AnnotatedType value = argument(type, 1, place);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        Map<String, Object> each = nullable(value, of(value, null, place.values()));
        if (key.getType() instanceof Class<?> keys && keys.isEnum() && EnumNames.areKeys(keys, place)) {
            // Other keys could not be read, and no keyword and no cheap rule refuses them: as fields, they are dropped.
            // A default would add all constants.
            Map<String, Object> field = new LinkedHashMap<>(each);
            field.remove("default");
            Map<String, Object> fields = new LinkedHashMap<>();
            EnumNames.of(keys, place).forEach(name -> fields.put(name, field));
            schema.put("properties", fields);
        } else {
            schema.put("additionalProperties", each);
        }
        return schema;
    }

    private static Map<String, Object> nullable(AnnotatedType type, Map<String, Object> schema) {
        if (!Member.isNullable(type)) {
            return schema;
        }
        Map<String, Object> more = new LinkedHashMap<>(schema);
        more.put("nullable", true);
        return KeyOrder.sorted(more);
    }

    private Map<String, Object> plainClass(Class<?> type, Place place) {
        if (type.isEnum()) {
            return described(EnumNames.schema(type, place), comments.of(type));
        }
        if (place.isOpen() && !place.isWhole() && Members.isOpaque(type)) {
            return described(new LinkedHashMap<>(), comments.of(type));
        }
        refuse(type, place);
        return described(new ObjectSchema(this, comments).of(type, place.inside(type)), comments.of(type));
    }

    private static Map<String, Object> described(Map<String, Object> schema, String description) {
        if (!description.isEmpty()) {
            schema.put("description", description);
        }
        return schema;
    }

    private static void refuse(Class<?> type, Place place) {
        if (type == Object.class) {
            throw place.error(
                    "java.lang.Object says nothing of its content; give it a record, or keep whatever is there by "
                            + OPEN);
        }
        if (place.enclosing().contains(type)) {
            throw place.error(type.getSimpleName()
                    + " contains itself, but schemas of Kubernetes cannot be recursive; end" + " it here by " + OPEN);
        }
        if (isAbstract(type) || type.getName().startsWith("java.")) {
            throw place.error(
                    type.getName() + " has no fields that a schema could have; take a record, a text, a number"
                            + " or a time, or keep whatever is there by " + OPEN);
        }
        if (type.getTypeParameters().length > 0) {
            throw place.error("the generic type " + type.getName()
                    + " has no schema of its own; write a record for this" + " use of it");
        }
    }

    private static boolean isAbstract(Class<?> type) {
        return type.isInterface() || Modifier.isAbstract(type.getModifiers());
    }

    private static AnnotatedType argument(AnnotatedType type, int index, Place place) {
        if (type instanceof AnnotatedParameterizedType generic
                && generic.getAnnotatedActualTypeArguments().length > index) {
            AnnotatedType argument = generic.getAnnotatedActualTypeArguments()[index];
            return argument instanceof AnnotatedWildcardType wildcard
                    ? wildcard.getAnnotatedUpperBounds()[0]
                    : argument;
        }
        throw place.error(
                "the type " + type.getType().getTypeName()
                        + " does not say what it holds; write it with its arguments, as in List<String> or Map<String, Integer>");
    }

    private static Class<?> raw(Type type, Place place) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> raw(generic.getRawType(), place);
            case java.lang.reflect.GenericArrayType array -> Object[].class;
            default ->
                throw place.error("the type variable " + type.getTypeName()
                        + " has no schema; write a record for this use of the generic type");
        };
    }
}
