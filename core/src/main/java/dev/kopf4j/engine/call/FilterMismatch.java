package dev.kopf4j.engine.call;

import dev.kopf4j.engine.declaration.MetadataFilter;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.text.TextShortener;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A filter of a handler that does not let an object pass, and the value that it has seen. Immutable. */
public sealed interface FilterMismatch {
    /**
     * The filter and what it has seen, in words.
     *
     * @param showsValues false for objects whose values nobody may read, such as secrets
     */
    String describe(boolean showsValues);

    /**
     * A label or an annotation.
     *
     * @param what {@code label} or {@code annotation}
     * @param filter the filter
     * @param seen the value; null if it is absent
     */
    record OfMetadata(
            String what, MetadataFilter filter, @Nullable String seen) implements FilterMismatch {
        @Override
        public String describe(boolean showsValues) {
            return "the filter on the " + what + ", " + filter.toSelector() + ", does not match: "
                    + (seen == null ? "it is absent" : "it is " + shown(Json.fromJava(seen), showsValues));
        }
    }

    /**
     * The value of the field, which neither now nor before the change is a wanted one.
     *
     * @param seen the value now; null if it is absent
     */
    record OfValue(
            FieldPath field, ValueFilter filter, @Nullable JsonNode seen) implements FilterMismatch {
        @Override
        public String describe(boolean showsValues) {
            return filter instanceof ValueFilter.Present
                    ? "the object has no " + field
                    : "the filter on " + field + ", " + wanted(filter, showsValues) + ", does not match: it is "
                            + shown(seen, showsValues);
        }
    }

    /**
     * The field has not changed.
     *
     * @param seen its value; null if it is absent
     */
    record Unchanged(FieldPath field, @Nullable JsonNode seen) implements FilterMismatch {
        @Override
        public String describe(boolean showsValues) {
            return field + " has not changed: it is " + shown(seen, showsValues);
        }
    }

    /**
     * The old or the new value of a field that has changed.
     *
     * @param which which of both, in words
     * @param seen the value; null if it is absent
     */
    record OfChange(
            String which,
            FieldPath field,
            ValueFilter filter,
            @Nullable JsonNode seen) implements FilterMismatch {
        @Override
        public String describe(boolean showsValues) {
            return "the filter on " + which + " of " + field + ", " + wanted(filter, showsValues)
                    + ", does not match: it is " + shown(seen, showsValues);
        }
    }

    /** A condition in code, which has said no. */
    record OfCondition() implements FilterMismatch {
        @Override
        public String describe(boolean showsValues) {
            return "a condition in code says no";
        }
    }

    private static String wanted(ValueFilter filter, boolean showsValues) {
        return switch (filter) {
            case ValueFilter.Present _ -> "present";
            case ValueFilter.Absent _ -> "absent";
            case ValueFilter.Literal(JsonNode wanted) -> "= " + shown(wanted, showsValues);
            case ValueFilter.Callback _ -> "a test in code";
        };
    }

    /** A value as JSON, shortened. */
    private static String shown(@Nullable JsonNode value, boolean showsValues) {
        if (value == null || value.isMissingNode()) {
            return "absent";
        }
        return showsValues ? TextShortener.middle(Json.text(value), 120) : "(not shown)";
    }
}
