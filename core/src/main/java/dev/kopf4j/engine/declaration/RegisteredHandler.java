package dev.kopf4j.engine.declaration;

import dev.kopf4j.Conditions;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.json.FieldPath;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A handler as the engine knows it. Immutable.
 *
 * @param declaration what was declared
 * @param id the id by which its progress is stored, with the suffix of the field
 * @param function identity of the user's function: one that is selected twice is called once
 * @param invoker calls the user's function
 * @param subHandlerMethods the methods that it may declare as sub-handlers, by their names
 */
public record RegisteredHandler(
        HandlerDeclaration declaration,
        String id,
        Object function,
        Handler invoker,
        Map<String, SubHandlerMethod> subHandlerMethods)
        implements Retryable {
    /** What gives a handler of events a patch, directly or in the end. */
    private static final Set<Class<?>> PATCHING = Set.of(Patch.class, Conditions.class, HandlerContext.class);

    /** A handler without methods as sub-handlers. */
    public RegisteredHandler(HandlerDeclaration declaration, String id, Object function, Handler invoker) {
        this(declaration, id, function, invoker, Map.of());
    }

    /** The id with the suffix that the field brings; indices are named as they are. */
    public static String fullId(String id, HandlerDeclaration declaration) {
        boolean plain = declaration.options().field().isEmpty() || declaration.kind() == HandlerKind.INDEX;
        return plain ? id : id + "/" + String.join(".", declaration.options().field());
    }

    /**
     * The id below which its steps are recorded. Timers and daemons have one of their own, as a handler of changes may
     * have the same id.
     */
    public String stepsOwner() {
        return switch (kind()) {
            case TIMER -> id + "-timer";
            case DAEMON -> id + "-daemon";
            case RESUME, CREATE, UPDATE, DELETE, FIELD, EVENT, INDEX, VALIDATE, MUTATE, RECONCILE, CHILD -> id;
        };
    }

    /** What it is called for. */
    public HandlerKind kind() {
        return declaration.kind();
    }

    /** The only reason it is called for; null for any. */
    public @Nullable Reason reason() {
        return switch (kind()) {
            case CREATE -> Reason.CREATE;
            case UPDATE -> Reason.UPDATE;
            case DELETE -> Reason.DELETE;
            case RESUME, FIELD, EVENT, INDEX, DAEMON, TIMER, VALIDATE, MUTATE, RECONCILE, CHILD -> null;
        };
    }

    /** True if it is called only for objects seen for the first time since the start. */
    public boolean isInitial() {
        return kind() == HandlerKind.RESUME;
    }

    /** True if its field must have changed. */
    public boolean needsChange() {
        return kind() == HandlerKind.UPDATE || kind() == HandlerKind.FIELD;
    }

    /** True if the object must be held back from its deletion for it. */
    public boolean needsFinalizer() {
        return kind() == HandlerKind.DELETE && !options().optional();
    }

    /** The field that matters; the root for the whole object. */
    public FieldPath field() {
        return new FieldPath(options().field());
    }

    /** True if the operator has to write into the objects for it: its progress, or the finalizer. */
    public boolean writesProgress() {
        return kind() != HandlerKind.EVENT && kind() != HandlerKind.INDEX;
    }

    /**
     * True if the operator writes into the objects for it: progress, finalizer, or what a handler of events may patch.
     * What a function does with its context, nobody can see from outside.
     */
    public boolean writes() {
        return writesProgress()
                || (kind() == HandlerKind.EVENT
                        && (!(function instanceof List<?> parts && parts.getLast() instanceof Method method)
                                || Arrays.stream(method.getParameterTypes()).anyMatch(PATCHING::contains)));
    }

    @Override
    public DeclaredOptions options() {
        return declaration.options();
    }

    @Override
    public ErrorsMode errors() {
        ErrorsMode declared = options().errors();
        if (declared != null) {
            return declared;
        }
        return switch (kind()) {
            case EVENT, INDEX -> ErrorsMode.IGNORED;
            case VALIDATE, MUTATE -> ErrorsMode.PERMANENT;
            case RESUME, CREATE, UPDATE, DELETE, FIELD, DAEMON, TIMER, RECONCILE, CHILD -> ErrorsMode.TEMPORARY;
        };
    }

    /** As logs call it: {@code Handler 'createFn'}, {@code Daemon 'watch'}. */
    @Override
    public String toString() {
        String what = switch (kind()) {
            case INDEX -> "Indexer";
            case DAEMON -> "Daemon";
            case TIMER -> "Timer";
            case VALIDATE, MUTATE -> "Webhook";
            case RESUME, CREATE, UPDATE, DELETE, FIELD, EVENT, RECONCILE, CHILD -> "Handler";
        };
        return what + " '" + id + "'";
    }

    /**
     * A method that handlers of its class may declare as a sub-handler. Immutable.
     *
     * @param id below that of the parent, where the declaration gives none
     * @param options which objects it is for, and how it is tried again
     * @param function identity of the method
     * @param invoker calls the method
     */
    public record SubHandlerMethod(String id, DeclaredOptions options, Object function, Handler invoker) {}
}
