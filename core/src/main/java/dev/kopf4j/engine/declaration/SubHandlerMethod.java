package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import org.jspecify.annotations.Nullable;

/**
 * A method that handlers of its class may declare as a sub-handler. Immutable.
 *
 * @param id below that of the parent, where the declaration gives none
 * @param retry how it is tried again
 * @param filters which objects it is for
 * @param function identity of the method
 * @param handlerInvoker calls the method
 */
public record SubHandlerMethod(
        String id, RetryDeclaration retry, FilterDeclaration filters, Object function, HandlerInvoker handlerInvoker) {
    /** What it declares below a handler of that kind. */
    public HandlerDeclaration declare(
            HandlerKind kind, ResourceSelector selector, String declaredId, @Nullable Object param) {
        return new HandlerDeclaration(
                kind,
                selector,
                declaredId,
                param,
                retry,
                filters,
                false,
                false,
                BackgroundDeclaration.NONE,
                AdmissionDeclaration.NONE,
                ChildDeclaration.NONE);
    }
}
