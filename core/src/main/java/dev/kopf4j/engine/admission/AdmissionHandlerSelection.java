package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.WebhookName;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the admission handlers of a review. The operations are not asked: the API server has done so already, where
 * the webhooks are configured by them. Pure, as far as the callbacks of filters are.
 *
 * @param handlers all admission handlers
 * @param contexts for callbacks
 */
record AdmissionHandlerSelection(List<RegisteredHandler> handlers, ContextFactory contexts) {
    /**
     * The handlers to be called.
     *
     * @param id the only handler that is asked; null for all
     */
    List<RegisteredHandler> of(
            AdmissionReview review, ResourceObject object, InvocationCause.Admitting cause, @Nullable String id) {
        List<RegisteredHandler> asked = handlers.stream()
                .filter(handler -> id == null || WebhookName.isFor(id, handler.id()))
                .filter(handler -> handler.declaration().selector().matches(object.resource()))
                .filter(handler -> handler.declaration().admission().isFor(review.subresource()))
                .filter(handler -> review.operation() != AdmissionOperation.DELETE || maySeeDeletions(handler))
                .toList();
        return HandlerSelection.forAdmission(asked, object, cause, contexts);
    }

    /** There is nothing to mutate in what is about to go; whoever wants to know of nothing else has reasons. */
    private static boolean maySeeDeletions(RegisteredHandler handler) {
        return handler.kind() != HandlerKind.MUTATE
                || handler.declaration().admission().isForDeletionsOnly();
    }
}
