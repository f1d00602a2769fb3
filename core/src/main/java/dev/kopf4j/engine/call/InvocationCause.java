package dev.kopf4j.engine.call;

import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.Children;
import dev.kopf4j.Reason;
import dev.kopf4j.Stopped;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonDiff;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Why handlers are called: a change, a raw event, or nothing but the object itself. Immutable. */
public sealed interface InvocationCause {
    /** What change handlers are asked about. */
    static InvocationCause of(Cause cause) {
        return switch (cause) {
            case Cause.Handleable handleable -> new Changing(handleable);
            case Cause.Informational(var reason, var change) -> new Noticing(reason, change);
        };
    }

    /** What happened. */
    Reason reason();

    /** What stood at the field before, a JSON null as such; null if it was absent or is not known. */
    @Nullable JsonNode oldNode(FieldPath field);

    /** What stands at the field now, a JSON null as such; null if it is absent. Filters tell the two apart. */
    @Nullable JsonNode newNode(FieldPath field);

    /** The value at the field before; null if it was null or absent, or is not known. */
    default @Nullable JsonNode oldValue(FieldPath field) {
        return unlessNull(oldNode(field));
    }

    /** The value at the field now; null if it is null or absent. */
    default @Nullable JsonNode newValue(FieldPath field) {
        return unlessNull(newNode(field));
    }

    /** What has changed in the field; empty if nothing is known of changes. */
    JsonDiff diff(FieldPath field);

    /** True if there is a state before and a state after. */
    default boolean isOfChange() {
        return true;
    }

    /**
     * A change of what matters.
     *
     * @param cause what happened
     * @param base the field that everything is relative to: that of the parent for sub-handlers, else the root
     */
    record Changing(Cause.Handleable cause, FieldPath base) implements OfChange {

        /** A change of a whole object. */
        public Changing(Cause.Handleable cause) {
            this(cause, FieldPath.ROOT);
        }

        /** The same for the sub-handlers of a handler of a field. */
        public Changing within(FieldPath field) {
            return new Changing(cause, base.append(field));
        }

        @Override
        public Reason reason() {
            return cause.reason();
        }

        @Override
        public Change change() {
            return cause.change();
        }
    }

    /**
     * A change that no handler is called for; filters may be asked about it all the same.
     *
     * @param reason what happened
     * @param change what has changed
     */
    record Noticing(Reason reason, Change change) implements OfChange {}

    /** What has changed between two states of the object. */
    sealed interface OfChange extends InvocationCause {

        /** What has changed in the whole object. */
        Change change();

        /** The field that everything is relative to. */
        default FieldPath base() {
            return FieldPath.ROOT;
        }

        @Override
        default @Nullable JsonNode oldNode(FieldPath field) {
            return valueOf(change().oldEssence(), base().append(field));
        }

        @Override
        default @Nullable JsonNode newNode(FieldPath field) {
            return valueOf(change().newEssence(), base().append(field));
        }

        @Override
        default JsonDiff diff(FieldPath field) {
            FieldPath whole = base().append(field);
            return whole.keys().isEmpty() ? change().diff() : change().diff().reduce(whole);
        }
    }

    /** Something that is no change: only the state of the object is known. */
    sealed interface WithoutChange extends InvocationCause {
        /** The state. */
        @Nullable ObjectNode state();

        @Override
        default Reason reason() {
            return Reason.NOOP;
        }

        @Override
        default @Nullable JsonNode oldNode(FieldPath field) {
            return null;
        }

        @Override
        default @Nullable JsonNode newNode(FieldPath field) {
            return valueOf(state(), field);
        }

        @Override
        default JsonDiff diff(FieldPath field) {
            return new JsonDiff(List.of());
        }

        @Override
        default boolean isOfChange() {
            return false;
        }
    }

    /**
     * A raw event.
     *
     * @param event the event
     */
    record Watching(RawEvent event) implements WithoutChange {
        @Override
        public @Nullable ObjectNode state() {
            return event.body();
        }
    }

    /**
     * A daemon or a timer runs beside the object, whatever happens to it.
     *
     * @param body the state of the object at the moment of asking
     * @param stopped tells that it should stop; null while it is asked whether it should run
     */
    record Spawning(Supplier<ObjectNode> body, @Nullable Stopped stopped) implements WithoutChange {
        @Override
        public ObjectNode state() {
            return body.get();
        }
    }

    /**
     * A request of a client, which the API server asks about.
     *
     * @param request what the client wants
     * @param oldBody the object as it is; null if there is none yet
     * @param newBody the object as it would become; null if it is to be deleted
     */
    record Admitting(
            AdmissionRequest request,
            @Nullable ObjectNode oldBody,
            @Nullable ObjectNode newBody) implements WithoutChange {
        @Override
        public @Nullable ObjectNode state() {
            return newBody == null ? oldBody : newBody;
        }

        /** What would change in the whole object. */
        public JsonDiff diff() {
            return JsonDiff.between(oldBody, newBody);
        }
    }

    /**
     * The children that the object ought to have are asked for.
     *
     * @param body the object as it is
     * @param children takes them; null while it is asked whether the handler is concerned
     */
    record Reconciling(ObjectNode body, @Nullable Children children) implements WithoutChange {
        @Override
        public ObjectNode state() {
            return body;
        }
    }

    /**
     * Something has happened to a child of the object. Values and differences are those of the child.
     *
     * @param reason what happened to it: create, update, delete, resume
     * @param oldChild as the handlers knew it; null if they did not
     * @param child as it is, or was when it was deleted
     */
    record OfChild(Reason reason, @Nullable ObjectNode oldChild, ObjectNode child) implements InvocationCause {
        @Override
        public @Nullable JsonNode oldNode(FieldPath field) {
            return valueOf(oldChild, field);
        }

        @Override
        public @Nullable JsonNode newNode(FieldPath field) {
            return reason == Reason.DELETE ? null : valueOf(child, field);
        }

        /** Versions do not count: they differ with each change. Nobody knows what has changed of one that was there. */
        @Override
        public JsonDiff diff(FieldPath field) {
            ObjectNode after = reason == Reason.DELETE ? null : withoutVersions(child);
            if (reason == Reason.RESUME) {
                return JsonDiff.between(after, after);
            }
            ObjectNode before = oldChild == null ? null : withoutVersions(oldChild);
            return JsonDiff.between(unlessNull(valueOf(before, field)), unlessNull(valueOf(after, field)));
        }

        private static ObjectNode withoutVersions(ObjectNode state) {
            ObjectNode copy = state.deepCopy();
            if (copy.get("metadata") instanceof ObjectNode meta) {
                meta.remove("resourceVersion");
                meta.remove("generation");
            }
            return copy;
        }
    }

    private static @Nullable JsonNode valueOf(@Nullable ObjectNode tree, FieldPath field) {
        return tree == null ? null : field.find(tree);
    }

    private static @Nullable JsonNode unlessNull(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }
}
