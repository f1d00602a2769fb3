package dev.kopf4j.types.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.crd.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the schemas of records and classes of their fields. Immutable.
 *
 * @param generator makes the schemas of the fields
 * @param comments what sources say of them
 */
record ObjectSchema(SchemaGenerator generator, Comments comments) {
    Map<String, Object> of(Class<?> type, Place place) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Member member : Members.of(type, place)) {
            Place at = place.field(member.name(), member.title()).without(member.unwritten());
            Map<String, Object> schema = field(member, at, Members.isAnything(member, place));
            properties.put(member.name(), schema);
            if (isRequired(member, schema, place)) {
                required.add(member.name());
            }
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", "object");
        if (!properties.isEmpty()) {
            object.put("properties", properties);
        }
        if (!required.isEmpty()) {
            object.put("required", required);
        }
        return object;
    }

    private Map<String, Object> field(Member member, Place at, boolean anything) {
        Schema annotation = member.annotation(Schema.class).orElse(null);
        Map<String, Object> schema =
                anything ? SchemaGenerator.anything(annotation, at) : generator.of(member.type(), annotation, at);
        String text = comments.of(member.owner(), member.declared());
        boolean own = annotation != null && !annotation.description().isEmpty();
        if (!text.isEmpty() && !own) {
            schema.put("description", text);
            schema = KeyOrder.sorted(schema);
        }
        Map<String, Object> made = schema;
        member.annotation(PrinterColumn.class)
                .ifPresent(column -> generator.notes().column(column, made, at));
        if (annotation != null && annotation.selectable()) {
            generator.notes().selectable(at);
        }
        return schema;
    }

    /** Records, and classes of Kotlin, say what they need; the fields of other classes can all be left out. */
    private static boolean isRequired(Member member, Map<String, Object> schema, Place object) {
        boolean asked = member.annotation(Schema.class).filter(Schema::required).isPresent()
                || member.annotation(JsonProperty.class)
                        .filter(each -> each.required())
                        .isPresent();
        boolean optional = !(member.owner().isRecord() || member.isNotNullInKotlin())
                || object.isDirectlyInStatus()
                || (object.isWhole() && member.name().equals("status"))
                || member.isNullable()
                || schema.containsKey("default")
                || raw(member).getName().startsWith("java.util.Optional");
        return asked || !optional;
    }

    private static Class<?> raw(Member member) {
        return member.type().getType() instanceof java.lang.reflect.ParameterizedType generic
                ? (Class<?>) generic.getRawType()
                : member.type().getType() instanceof Class<?> plain ? plain : Object.class;
    }
}
