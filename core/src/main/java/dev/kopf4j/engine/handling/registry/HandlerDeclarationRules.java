package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.handling.declaration.ChildDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
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
                && handler.declaration().field().isEmpty();
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
        HandlerDeclaration declaration = handler.declaration();
        String problem = problemOfFilters(declaration);
        if (problem == null) {
            problem = RetryDeclarationRules.problem(handler);
        }
        if (problem == null) {
            problem = DaemonDeclarationRules.problem(declaration.background());
        }
        if (problem == null) {
            problem = AdmissionDeclarationRules.problem(declaration.admission());
        }
        return problem == null ? problemOfChildren(declaration) : problem;
    }

    private static @Nullable String problemOfChildren(HandlerDeclaration declaration) {
        ChildDeclaration children = declaration.children();
        if (declaration.kind() == HandlerKind.RECONCILE && children.kinds().isEmpty()) {
            return "the kinds of the children are not named; name all that it may return, as in"
                    + " children = {\"configmaps\", \"deployments.v1.apps\"}";
        }
        if (children.parentLabel() != null && children.parentBy() != null) {
            return "the parent is found by a label and by a function; give either parentLabel, or the function";
        }
        return null;
    }

    private static @Nullable String problemOfFilters(HandlerDeclaration declaration) {
        boolean changing = declaration.kind() == HandlerKind.UPDATE || declaration.kind() == HandlerKind.FIELD;
        boolean oldOrNew = declaration.oldValue() != null || declaration.newValue() != null;
        if (declaration.id() != null && declaration.id().isBlank()) {
            return "the id is blank; give it a name, under which its progress is stored";
        }
        if (declaration.field().stream().anyMatch(String::isEmpty)) {
            return "the field has an empty key: " + declaration.field() + "; write for example \"spec.size\"";
        }
        if (declaration.field().isEmpty() && (declaration.value() != null || oldOrNew)) {
            return "a filter of values needs the field whose values are meant; add field = \"spec.size\"";
        }
        if (declaration.value() != null && oldOrNew) {
            return "a filter of the value, old or new, cannot stand beside filters of the old and the new value; use either";
        }
        if (oldOrNew && !changing) {
            return "filters of the old or the new value are for update and field handlers; use fieldValue here";
        }
        return null;
    }
}
