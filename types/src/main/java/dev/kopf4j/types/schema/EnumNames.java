package dev.kopf4j.types.schema;

import dev.kopf4j.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The texts that stand for the constants of an enum in JSON: those that handlers write. Pure. */
final class EnumNames {
    private EnumNames() {}

    static Map<String, Object> schema(Class<?> type, Place place) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "string");
        schema.put("enum", of(type, place));
        return schema;
    }

    static List<String> of(Class<?> type, Place place) {
        Members.told(type, place, () -> Members.otherForm(type));
        List<String> names = new ArrayList<>();
        for (Object constant : type.getEnumConstants()) {
            names.add(name(constant, place));
        }
        if (names.isEmpty()) {
            throw place.error(
                    "the enum " + type.getSimpleName() + " has no constants, so that no value could be given");
        }
        return names;
    }

    /** True if these are all keys that a mapping by the enum is read by and written with. */
    static boolean areKeys(Class<?> type, Place place) {
        return Members.told(type, place, () -> Members.hasOnlyKeysOfValues(type));
    }

    private static String name(Object constant, Place place) {
        Object name = View.of(Map.of("constant", constant)).get("constant").orElse("");
        if (name instanceof String text) {
            return text;
        }
        throw place.error("the constant " + constant + " is written as " + name + ", but constants are text here; take"
                + " a number, or an enum whose constants are written by their names");
    }
}
