package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.WebhookName;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.webhook.WebhookException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked about which resource: the resources that admission handlers have selected, of those that the cluster
 * serves, and the handlers of a review. Thread-safe, as far as the callbacks of filters are.
 */
final class AdmissionHandlers {
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final List<RegisteredHandler> handlers;
    private final ContextFactory contexts;
    private volatile List<Resource> resources = List.of();

    /**
     * Knows no resources yet.
     *
     * @param handlers all admission handlers
     * @param contexts for callbacks
     */
    AdmissionHandlers(List<RegisteredHandler> handlers, ContextFactory contexts) {
        this.handlers = handlers;
        this.contexts = contexts;
    }

    /** From now on the cluster serves these. */
    void serve(Collection<Resource> served) {
        resources = served.stream()
                .filter(resource -> handlers.stream()
                        .anyMatch(handler -> handler.declaration().selector().matches(resource)))
                .toList();
    }

    /** The resources that handlers are for, as far as the cluster serves them. */
    List<Resource> resources() {
        return resources;
    }

    /**
     * The resource that a review is about.
     *
     * @throws WebhookException if the operator handles none of that name, or several
     */
    Resource resource(AdmissionReview review) {
        List<Resource> found = resources.stream()
                .filter(each -> each.group().equals(review.group())
                        && each.version().equals(review.version())
                        && each.plural().equals(review.plural()))
                .toList();
        String name = review.plural() + "." + review.version() + "." + review.group();
        if (found.isEmpty()) {
            throw new WebhookException(NOT_FOUND, "no admission handler is for the resource " + name);
        }
        if (found.size() > 1) {
            throw new WebhookException(CONFLICT, "the resource " + name + " is ambiguous: " + found);
        }
        return found.getFirst();
    }

    /**
     * The handlers to be called. The operations are not asked: the API server has done so already, where the webhooks
     * are configured by them.
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
