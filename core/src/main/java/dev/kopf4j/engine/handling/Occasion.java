package dev.kopf4j.engine.handling;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.json.FieldPath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Why handlers are called: a change, or a raw event. Immutable. */
public sealed interface Occasion {
    /** What happened. */
    Reason reason();

    /** The value at the field before; null if it was absent or is not known. */
    @Nullable JsonNode oldValue(FieldPath field);

    /** The value at the field now; null if it is absent. */
    @Nullable JsonNode newValue(FieldPath field);

    /**
     * A change of what matters.
     *
     * @param cause what happened
     */
    record Changed(Cause.Handleable cause) implements Occasion {
        @Override
        public Reason reason() {
            return cause.reason();
        }

        /** What has changed. */
        public Change change() {
            return cause.change();
        }

        @Override
        public @Nullable JsonNode oldValue(FieldPath field) {
            ObjectNode old = change().oldEssence();
            return old == null ? null : field.resolve(old);
        }

        @Override
        public @Nullable JsonNode newValue(FieldPath field) {
            return field.resolve(change().newEssence());
        }
    }

    /**
     * A raw event.
     *
     * @param event the event
     */
    record Noticed(RawEvent event) implements Occasion {
        @Override
        public Reason reason() {
            return Reason.NOOP;
        }

        @Override
        public @Nullable JsonNode oldValue(FieldPath field) {
            return null;
        }

        @Override
        public @Nullable JsonNode newValue(FieldPath field) {
            return field.resolve(event.body());
        }
    }

    /**
     * A change that no handler is called for; filters may be asked about it all the same.
     *
     * @param reason what happened
     * @param change what has changed
     */
    record Informed(Reason reason, Change change) implements Occasion {
        @Override
        public @Nullable JsonNode oldValue(FieldPath field) {
            ObjectNode old = change.oldEssence();
            return old == null ? null : field.resolve(old);
        }

        @Override
        public @Nullable JsonNode newValue(FieldPath field) {
            return field.resolve(change.newEssence());
        }
    }
}
