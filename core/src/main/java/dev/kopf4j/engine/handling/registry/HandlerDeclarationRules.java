package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerDefinition;
import dev.kopf4j.HandlerKind;
import org.jspecify.annotations.Nullable;

/** Refuses declarations of handlers that make no sense. Pure. */
public final class HandlerDeclarationRules {
    private HandlerDeclarationRules() {}

    /**
     * Refuses what makes no sense.
     *
     * @throws HandlerDeclarationException with the handler, the mistake, and the right form
     */
    public static void check(RegisteredHandler handler) {
        boolean lacksField = handler.kind() == HandlerKind.FIELD
                && handler.definition().field().isEmpty();
        refuse(
                handler,
                lacksField
                        ? "a field handler needs its field, as in @OnField(value = \"kopfexamples\", field = \"spec.size\")"
                        : problem(handler));
    }

    /**
     * Refuses the same of a sub-handler; the field of its parent is enough.
     *
     * @throws HandlerDeclarationException with the handler, the mistake, and the right form
     */
    public static void checkSubHandler(RegisteredHandler handler) {
        refuse(handler, problem(handler));
    }

    private static void refuse(RegisteredHandler handler, @Nullable String problem) {
        if (problem != null) {
            throw new HandlerDeclarationException(
                    handler.kind().annotation() + " handler '" + handler.id() + "': " + problem);
        }
    }

    private static @Nullable String problem(RegisteredHandler handler) {
        HandlerDefinition definition = handler.definition();
        String problem = problemOfFilters(definition);
        if (problem == null) {
            problem = RetryDeclarationRules.problem(handler);
        }
        return problem == null ? problemOfKind(definition) : problem;
    }

    private static @Nullable String problemOfFilters(HandlerDefinition definition) {
        boolean changing = definition.kind() == HandlerKind.UPDATE || definition.kind() == HandlerKind.FIELD;
        boolean oldOrNew = definition.oldValue() != null || definition.newValue() != null;
        if (definition.id() != null && definition.id().isBlank()) {
            return "the id is blank; give it a name, under which its progress is stored";
        }
        if (definition.field().stream().anyMatch(String::isEmpty)) {
            return "the field has an empty key: " + definition.field() + "; write for example \"spec.size\"";
        }
        if (definition.field().isEmpty() && (definition.value() != null || oldOrNew)) {
            return "a filter of values needs the field whose values are meant; add field = \"spec.size\"";
        }
        if (definition.value() != null && oldOrNew) {
            return "a filter of the value, old or new, cannot stand beside filters of the old and the new value; use either";
        }
        if (oldOrNew && !changing) {
            return "filters of the old or the new value are for update and field handlers; use fieldValue here";
        }
        return null;
    }

    private static @Nullable String problemOfKind(HandlerDefinition definition) {
        if (definition.optional() && definition.kind() != HandlerKind.DELETE) {
            return "optional is for deletion handlers; use it as in @OnDelete(value = \"kopfexamples\", optional = true)";
        }
        if (definition.deleted() && definition.kind() != HandlerKind.RESUME) {
            return "deleted is for resuming handlers; use it as in @OnResume(value = \"kopfexamples\", deleted = true)";
        }
        boolean retried = definition.errors() != null
                || definition.timeout() != null
                || definition.retries() != null
                || definition.backoff() != null;
        if (definition.kind() == HandlerKind.EVENT && retried) {
            return "event handlers are called once for each event: errors, timeout, retries and backoff have no meaning; remove them";
        }
        return DaemonDeclarationRules.problem(definition.kind(), definition.background());
    }
}
