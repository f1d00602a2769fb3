package dev.kopf4j.types.source;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;

/** Makes names of Java from names in JSON. Pure. */
final class JavaNames {
    /** What a nested type of the same name would hide. */
    private static final Set<String> USED = Set.of(
            "BigDecimal",
            "Boolean",
            "Condition",
            "CustomResource",
            "Double",
            "Enum",
            "Float",
            "Instant",
            "Integer",
            "JsonAutoDetect",
            "JsonProperty",
            "List",
            "ListType",
            "LocalDate",
            "Long",
            "Map",
            "MapType",
            "Nullable",
            "Object",
            "Override",
            "PrinterColumn",
            "Record",
            "Rule",
            "Scale",
            "Schema",
            "Scope",
            "Set",
            "String",
            "UUID");

    /** Methods that every object has. */
    private static final Set<String> NO_COMPONENTS =
            Set.of("clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait");

    private JavaNames() {}

    /** True if a component or constant can be called so. */
    static boolean isPlain(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]*") && SourceVersion.isName(name) && !NO_COMPONENTS.contains(name);
    }

    /** The name of a component. */
    static String component(String name, Collection<String> taken) {
        String plain = name;
        if (!isPlain(name)) {
            String words = type(name);
            plain = words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
            plain = isPlain(plain) ? plain : plain + "Value";
        }
        return unique(plain, taken);
    }

    /** The name of a constant of an enum. */
    static String constant(String text, Collection<String> taken) {
        if (isPlain(text)) {
            return unique(text, taken);
        }
        String words =
                text.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "").toUpperCase(Locale.ROOT);
        String name = words.isEmpty() ? (text.isEmpty() ? "EMPTY" : "OTHER") : words;
        return unique(Character.isDigit(name.charAt(0)) ? "_" + name : name, taken);
    }

    /** The name of a type for a field, other than those that are taken. */
    static String type(String field, Collection<String> taken) {
        String name = type(field);
        return unique(USED.contains(name) ? name + "Value" : name, taken);
    }

    private static String type(String field) {
        String name = Arrays.stream(field.split("[^A-Za-z0-9]+", -1))
                .filter(word -> !word.isEmpty())
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
        return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "Value" + name : name;
    }

    /** The name of one of several. */
    static String singular(String field) {
        if (field.matches(".*[^aeiou]ies")) {
            return field.substring(0, field.length() - 3) + "y";
        }
        return field.matches("..+[^s]s") ? field.substring(0, field.length() - 1) : field;
    }

    private static String unique(String name, Collection<String> taken) {
        String free = name;
        for (int number = 2; taken.contains(free); number++) {
            free = name + number;
        }
        return free;
    }
}
