package dev.kopf4j.types.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The texts that stand for the constants of an enum in JSON. Pure. */
final class EnumNames {
    private EnumNames() {}

    static Map<String, Object> schema(Class<?> type, Place place) {
        List<String> names = Arrays.stream(type.getFields())
                .filter(Field::isEnumConstant)
                .map(EnumNames::name)
                .toList();
        if (names.isEmpty()) {
            throw place.error(
                    "the enum " + type.getSimpleName() + " has no constants, so that no value could be given");
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "string");
        schema.put("enum", names);
        return schema;
    }

    private static String name(Field constant) {
        JsonProperty given = constant.getAnnotation(JsonProperty.class);
        return given == null || given.value().isEmpty() ? constant.getName() : given.value();
    }
}
