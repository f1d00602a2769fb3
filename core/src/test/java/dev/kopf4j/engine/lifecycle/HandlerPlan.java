package dev.kopf4j.engine.lifecycle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One handler of a random operator: when it is called. Immutable.
 *
 * @param field the field that it is about; null for none
 * @param filter what else decides on its calls
 * @param retries its limit of attempts; null for none
 * @param children its sub-handlers; none if it is no parent
 * @param explicit true if it executes its sub-handlers itself, and has something to do behind that
 */
record HandlerPlan(
        Kind kind,
        String id,
        @Nullable String field,
        Filter filter,
        @Nullable Integer retries,
        List<HandlerPlan> children,
        boolean explicit) {
    enum Kind {
        CREATE,
        UPDATE,
        FIELD,
        RESUME,
        DELETE,
        DELETE_OPTIONAL,
        CHILD
    }

    enum Filter {
        NONE,
        LABEL,
        NO_LABEL,
        ANNOTATION,
        WHEN_STATUS,
        VALUE
    }

    /** The id with the field behind it, as it is stored. */
    String fullId() {
        return field == null || kind == Kind.CHILD ? id : id + "/" + field;
    }

    boolean isParent() {
        return !children.isEmpty();
    }
}
