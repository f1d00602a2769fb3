package dev.kopf4j.testing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes values that fit a structural schema: types, required fields, enums, limits, formats, items that differ.
 * Patterns are hit by chance, or by the user's generators; what relates fields to each other (rules, {@code oneOf}) is
 * not looked at. Confined.
 */
final class SchemaValues {
    private static final int TRIES = 1_000;
    private static final int FEW_TRIES = 10;
    private static final int LIST_MAX = 3;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private final Random random;
    private final String version;
    private final SchemaNumbers numbers;
    private final Map<String, Function<Random, ?>> generators;

    /**
     * Makes values.
     *
     * @param version of the objects, for messages
     * @param generators for single fields, by their paths: {@code spec.ports[].name}
     */
    SchemaValues(Random random, String version, Map<String, Function<Random, ?>> generators) {
        this.random = random;
        this.version = version;
        this.numbers = new SchemaNumbers(random, version);
        this.generators = generators;
    }

    /** The value of a field; null if it is nullable. */
    @Nullable Object make(Map<?, ?> schema, String path) {
        Function<Random, ?> generator = generators.get(path);
        if (generator != null) {
            return generator.apply(random);
        }
        if (Boolean.TRUE.equals(schema.get("nullable")) && random.nextInt(8) == 0) {
            return null;
        }
        if (schema.get("enum") instanceof List<?> choices && !choices.isEmpty()) {
            return choices.get(random.nextInt(choices.size()));
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
            return random.nextBoolean() ? (Object) random.nextInt(100) : text(schema, path);
        }
        return switch (String.valueOf(schema.get("type"))) {
            case "object" -> object(schema, path);
            case "array" -> list(schema, path);
            case "string" -> text(schema, path);
            case "integer" -> numbers.integer(schema, path);
            case "number" -> numbers.number(schema, path);
            case "boolean" -> random.nextBoolean();
            default -> Map.of("any" + word(1, 3), random.nextInt(100));
        };
    }

    /** Optional fields are there more often than not. */
    Map<String, @Nullable Object> object(Map<?, ?> schema, String path) {
        Map<String, @Nullable Object> made = new LinkedHashMap<>();
        List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
        DefinedVersion.mapping(schema, "properties").forEach((key, value) -> {
            String below = path.isEmpty() ? String.valueOf(key) : path + "." + key;
            if (required.contains(key) || generators.containsKey(below) || random.nextInt(4) > 0) {
                made.put(String.valueOf(key), make((Map<?, ?>) value, below));
            }
        });
        if (schema.get("additionalProperties") instanceof Map<?, ?> values) {
            for (int i = random.nextInt(LIST_MAX); i > 0; i--) {
                made.put(word(1, 8), make(values, path + "[]"));
            }
        }
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
            made.put("any" + word(1, 3), random.nextInt(100));
        }
        return made;
    }

    private List<@Nullable Object> list(Map<?, ?> schema, String path) {
        int least = SchemaNumbers.size(schema, "minItems", 0);
        int most = SchemaNumbers.size(schema, "maxItems", least + LIST_MAX);
        int wanted = least + random.nextInt(Math.clamp(most - least, 0, LIST_MAX) + 1);
        Map<?, ?> items = DefinedVersion.mapping(schema, "items");
        List<@Nullable Object> made = new ArrayList<>();
        Set<@Nullable Object> identities = new HashSet<>();
        int equal = 0;
        // What must be there is tried for long, what may be there is not: lists may be within lists.
        while (made.size() < wanted && equal <= (made.size() < least ? TRIES : FEW_TRIES)) {
            Object item = make(items, path + "[]");
            if (!isDistinct(schema) || identities.add(identity(item, schema, items))) {
                made.add(item);
            } else {
                equal++;
            }
        }
        if (made.size() < least) {
            throw new IllegalStateException("no " + least + " different values for " + path
                    + " were found; say how they are made, as in .value(\"" + version + "\", \"" + path
                    + "\", random ->"
                    + " List.of(...))");
        }
        return made;
    }

    /** True if no two items may be equal, or have equal keys. */
    private static boolean isDistinct(Map<?, ?> schema) {
        return Boolean.TRUE.equals(schema.get("uniqueItems"))
                || List.of("set", "map").contains(String.valueOf(schema.get("x-kubernetes-list-type")));
    }

    private static @Nullable Object identity(@Nullable Object item, Map<?, ?> schema, Map<?, ?> items) {
        if (item instanceof Number number) {
            return new BigDecimal(number.toString()).stripTrailingZeros();
        }
        if (!(item instanceof Map<?, ?> fields)
                || !(schema.get("x-kubernetes-list-map-keys") instanceof List<?> keys)) {
            return item;
        }
        Map<?, ?> properties = DefinedVersion.mapping(items, "properties");
        List<@Nullable Object> values = new ArrayList<>();
        for (Object key : keys) {
            Object absent =
                    DefinedVersion.mapping(properties, String.valueOf(key)).get("default");
            values.add(fields.containsKey(key) ? fields.get(key) : absent);
        }
        return values;
    }

    private String text(Map<?, ?> schema, String path) {
        Object pattern = schema.get("pattern");
        if (pattern == null) {
            return formatted(schema);
        }
        Pattern wanted = Pattern.compile(pattern.toString());
        for (int tries = 0; tries < TRIES; tries++) {
            String made = formatted(schema);
            if (wanted.matcher(made).find()) {
                return made;
            }
        }
        throw new IllegalStateException("no value for " + path + " was found that has the pattern " + pattern
                + "; say how one is made, as in .value(\"" + version + "\", \"" + path
                + "\", random -> \"a\" + random.nextInt(9))");
    }

    private String formatted(Map<?, ?> schema) {
        return switch (String.valueOf(schema.get("format"))) {
            case "date-time" -> String.format(Locale.ROOT, "2026-01-02T03:04:%02dZ", random.nextInt(60));
            case "date" -> String.format(Locale.ROOT, "2026-01-%02d", 1 + random.nextInt(28));
            case "duration" -> random.nextInt(100) + "s";
            case "byte" -> "YWJj";
            case "uuid" -> String.format(Locale.ROOT, "123e4567-e89b-42d3-a456-4266141740%02d", random.nextInt(100));
            case "ipv4" -> "10.0.0." + random.nextInt(256);
            case "uri" -> "https://example.com/" + word(1, 8);
            case "email" -> word(1, 8) + "@example.com";
            default -> {
                int least = SchemaNumbers.size(schema, "minLength", 1);
                yield word(least, Math.min(SchemaNumbers.size(schema, "maxLength", least + 8), least + 8));
            }
        };
    }

    private String word(int least, int most) {
        StringBuilder made = new StringBuilder();
        for (int i = least + random.nextInt(Math.max(most - least, 0) + 1); i > 0; i--) {
            made.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return made.toString();
    }
}
