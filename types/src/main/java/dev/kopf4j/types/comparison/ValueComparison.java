package dev.kopf4j.types.comparison;

import dev.kopf4j.types.schema.PlainTypes;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what two schemas allow as values: of one type, or of a type and a wider one.
 *
 * @param changes gets what has changed
 * @param at the field, for messages
 */
record ValueComparison(Changes changes, String at) {
    private static final List<String> LEAST = List.of("minimum", "minLength", "minItems", "minProperties");
    /** Of these, nothing has less than none. */
    private static final Set<String> SIZES = Set.of("minLength", "minItems", "minProperties");

    private static final List<String> GREATEST = List.of("maximum", "maxLength", "maxItems", "maxProperties");

    /** A format, and one that allows all its values. */
    private static final List<List<String>> WIDER = List.of(List.of("int32", "int64"), List.of("float", "double"));

    private static final List<Map<String, String>> INTEGER_OR_STRING =
            List.of(Map.of("type", "integer"), Map.of("type", "string"));

    void compare(Tree old, Tree fresh) {
        String format = old.text("format");
        // Records for definitions have a String where the format is this one.
        Map<String, Object> readable = format.equals("uri") ? Map.of() : PlainTypes.readable(format);
        LEAST.forEach(key -> bound(key, old.get(key), fresh.get(key), readable.get(key), 1));
        GREATEST.forEach(key -> bound(key, old.get(key), fresh.get(key), readable.get(key), -1));
        for (String key : List.of("exclusiveMinimum", "exclusiveMaximum", "uniqueItems")) {
            flag(key, old.flag(key), fresh.flag(key));
        }
        boolean fractions =
                old.text("type").equals("integer") && fresh.text("type").equals("number");
        formats(old.text("format"), fresh.text("format"), fractions);
        pattern(old.get("pattern"), fresh.get("pattern"), readable.get("pattern"));
        for (String key : List.of("multipleOf", "allOf", "anyOf", "oneOf", "not")) {
            restriction(key, restriction(key, old), restriction(key, fresh));
        }
        enums(old, fresh);
        if (fresh.has("type") || fresh.flag("x-kubernetes-int-or-string")) {
            // Where any type is allowed, null is allowed, too.
            nullability(old.flag("nullable"), fresh.flag("nullable"));
        }
        flag(
                "x-kubernetes-embedded-resource",
                old.flag("x-kubernetes-embedded-resource"),
                fresh.flag("x-kubernetes-embedded-resource"));
        defaults(old.get("default"), fresh.get("default"));
        rules(old, fresh);
    }

    /**
     * A limit of a number or a size.
     *
     * @param readable beyond it, no handler could read what the old schema allowed
     */
    private void bound(
            String key, @Nullable Object before, @Nullable Object after, @Nullable Object readable, int stricter) {
        if (same(before, after)) {
            return;
        }
        Object given = before == null ? readable : before;
        Object least = given == null && SIZES.contains(key) ? (Object) 0 : given;
        boolean tightened = after != null
                && (least == null || Integer.signum(decimal(after).compareTo(decimal(least))) == stricter);
        tell(tightened, key, before, after);
    }

    private static boolean same(@Nullable Object before, @Nullable Object after) {
        return (before instanceof Number && after instanceof Number)
                ? decimal(before).compareTo(decimal(after)) == 0
                : Objects.equals(before, after);
    }

    private static BigDecimal decimal(Object number) {
        return new BigDecimal(number.toString());
    }

    private void flag(String key, boolean before, boolean after) {
        if (before != after) {
            tell(after, key, before, after);
        }
    }

    private void nullability(boolean before, boolean after) {
        if (before != after) {
            tell(before, "nullable", before, after);
        }
    }

    /** Each format of numbers with fractions has all integers in its range. */
    private void formats(String before, String after, boolean fractions) {
        if (!before.equals(after)) {
            tell(
                    !after.isEmpty() && !fractions && !WIDER.contains(List.of(before, after)),
                    "format",
                    orNothing(before),
                    orNothing(after));
        }
    }

    private static @Nullable Object orNothing(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Many definitions say once more, by {@code anyOf}, what {@code x-kubernetes-int-or-string} says. */
    private static @Nullable Object restriction(String key, Tree schema) {
        Object value = schema.get(key);
        return schema.flag("x-kubernetes-int-or-string") && INTEGER_OR_STRING.equals(value) ? null : value;
    }

    /** What had no pattern may get the one that all have whom a handler could read. */
    private void pattern(@Nullable Object before, @Nullable Object after, @Nullable Object readable) {
        if (!same(before, after)) {
            tell(after != null && !(before == null && after.equals(readable)), "pattern", before, after);
        }
    }

    private void restriction(String key, @Nullable Object before, @Nullable Object after) {
        if (!same(before, after)) {
            tell(after != null, key, before, after);
        }
    }

    private void enums(Tree old, Tree fresh) {
        List<?> before = old.list("enum");
        List<?> after = fresh.list("enum");
        if (before.isEmpty() && !after.isEmpty()) {
            changes.breaking(at, "only " + after + " would be allowed");
        } else if (!after.isEmpty()) {
            before.stream()
                    .filter(value -> !after.contains(value))
                    .forEach(value -> changes.breaking(at, "the value " + value + " is not allowed any more"));
            after.stream()
                    .filter(value -> !before.contains(value))
                    .forEach(value -> changes.harmless(at, "the value " + value + " is allowed, too"));
        } else if (!before.isEmpty()) {
            changes.harmless(at, "other values than " + before + " are allowed");
        }
    }

    private void defaults(@Nullable Object before, @Nullable Object after) {
        if (!same(before, after)) {
            tell(before != null && after == null, "default", before, after);
        }
    }

    private void rules(Tree old, Tree fresh) {
        var before = old.byKey("x-kubernetes-validations", "rule").keySet();
        var after = fresh.byKey("x-kubernetes-validations", "rule").keySet();
        after.stream()
                .filter(rule -> !before.contains(rule))
                .forEach(rule -> changes.breaking(at, "the rule is new: " + rule));
        before.stream()
                .filter(rule -> !after.contains(rule))
                .forEach(rule -> changes.harmless(at, "the rule is gone: " + rule));
    }

    private void tell(boolean breaking, String key, @Nullable Object before, @Nullable Object after) {
        String what = key
                + (before == null ? " was not there" : " was " + before)
                + (after == null ? ", and would be gone" : ", and would be " + after);
        if (breaking) {
            changes.breaking(at, what);
        } else {
            changes.harmless(at, what);
        }
    }
}
