package dev.kopf4j.engine.admission;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.webhook.WebhookException;
import java.util.Collection;
import java.util.List;

/**
 * The resources that admission handlers have selected, of those that the cluster serves. Immutable.
 *
 * @param resources the resources
 */
record WebhookResources(List<Resource> resources) {
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** Before anything is known of the cluster. */
    static final WebhookResources NONE = new WebhookResources(List.of());

    static WebhookResources of(Collection<RegisteredHandler> handlers, Collection<Resource> served) {
        return new WebhookResources(served.stream()
                .filter(resource -> handlers.stream()
                        .anyMatch(handler -> handler.declaration().selector().matches(resource)))
                .toList());
    }

    /**
     * The resource that a review is about.
     *
     * @throws WebhookException if the operator handles none of that name, or several
     */
    Resource of(AdmissionReview review) {
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
}
