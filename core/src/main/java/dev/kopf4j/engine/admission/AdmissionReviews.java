package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.CallEnd;
import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.HandlerAttempt.NoSubHandlers;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.ProgressTransitions;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.WorkDuringCall.NoWorkDuringCall;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers reviews by the admission handlers, one after the other, each called once. Thread-safe. */
public final class AdmissionReviews {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private final HandlerRunner runner;
    private final ContextFactory contexts;
    private final OperatorMemos operatorMemos;
    private final AdmissionMemos memos;
    private final AdmissionHandlers handlers;

    /**
     * Knows no resources yet.
     *
     * @param memos finds those of objects that exist
     */
    public AdmissionReviews(
            HandlerRunner runner,
            ContextFactory contexts,
            OperatorMemos operatorMemos,
            AdmissionMemos memos,
            List<RegisteredHandler> handlers) {
        this.runner = runner;
        this.contexts = contexts;
        this.operatorMemos = operatorMemos;
        this.memos = memos;
        this.handlers = new AdmissionHandlers(handlers, contexts);
    }

    /** From now on the cluster serves these. */
    public void serve(Collection<Resource> served) {
        handlers.serve(served);
    }

    /** The resources that admission handlers are for, as far as the cluster serves them. */
    List<Resource> resources() {
        return handlers.resources();
    }

    /**
     * Answers a review.
     *
     * @throws WebhookException if it is no review, or about a resource that no handler is for
     */
    public WebhookResponse answer(WebhookRequest received) throws InterruptedException {
        AdmissionReview review = AdmissionReview.parse(received.body());
        AdmissionResponse response = respond(review, received);
        return new WebhookResponse(Json.bytes(response.toReview(review)));
    }

    private AdmissionResponse respond(AdmissionReview review, WebhookRequest received) throws InterruptedException {
        Resource resource = handlers.resource(review);
        ReviewedRequest request = new ReviewedRequest(review, received);
        InvocationCause.Admitting cause = new InvocationCause.Admitting(request, review.oldBody(), review.newBody());
        ResourceObject object = object(resource, review);
        PatchContent patch = new PatchContent();
        List<Throwable> failures = new ArrayList<>();
        List<RegisteredHandler> selected =
                handlers.of(review, object, cause, received.handlerId().orElse(null));
        for (RegisteredHandler handler : selected) {
            call(handler, object, cause, patch).ifPresent(failures::add);
        }
        ArrayNode operations = operations(review, patch, failures);
        return new AdmissionResponse(
                AdmissionResponse.Refusal.of(failures), request.warned(), request.annotated(), operations);
    }

    /** A transformation is code of a handler, and may fail as the handler itself; if not in words for the client. */
    private static ArrayNode operations(AdmissionReview review, PatchContent patch, List<Throwable> failures) {
        try {
            return AdmissionResponse.patch(review.body(), patch);
        } catch (AdmissionException e) {
            failures.add(e);
            return Json.mapper().createArrayNode();
        } catch (RuntimeException e) {
            log.error("What a handler wants to be changed in an object under review cannot be changed.", e);
            failures.add(new PermanentException("a change cannot be made; the operator's log says why", e));
            return Json.mapper().createArrayNode();
        }
    }

    /** Calls one handler; what it has thrown, if it has. */
    private Optional<Throwable> call(
            RegisteredHandler handler, ResourceObject object, InvocationCause.Admitting cause, PatchContent patch)
            throws InterruptedException {
        object.logger().debug("{} is invoked.", handler);
        PatchContent own = new PatchContent();
        ProgressRecord record = ProgressTransitions.fresh(runner.platform().now(), null);
        HandlerContext context = contexts.forCall(handler, object, cause, record, own, NoSubHandlers.INSTANCE);
        Deadline deadline =
                runner.platform().after(Duration.ofSeconds(handler.options().timeoutSeconds()));
        CallEnd end = runner.run(handler, context, deadline, runner.platform().monitor(), NoWorkDuringCall.INSTANCE);
        end.decide(runner.retryPolicy(handler, record)).log(object.logger());
        patch.add(own);
        return switch (end) {
            case CallEnd.Returned(var _), CallEnd.Delivered(var _) -> Optional.empty();
            case CallEnd.Threw(var exception) -> Optional.of(exception);
            case CallEnd.TimedOut(), CallEnd.Orphaned(var _) ->
                Optional.of(new IllegalStateException(handler + " has not answered within "
                        + handler.options().timeoutSeconds() + " seconds."));
        };
    }

    /** Nothing is posted about it: it may never come to exist. */
    private ResourceObject object(Resource resource, AdmissionReview review) {
        ObjectNode body = review.body();
        ObjectReference reference = ObjectReference.of(body);
        Logger logger = ObjectLogger.local(new ObjectLogger(reference));
        return new ResourceObject(resource, reference, new BodyView(body), logger, memo(resource, review, reference));
    }

    /** What is to be created gets a memo that is forgotten with the request. */
    private Supplier<Object> memo(Resource resource, AdmissionReview review, ObjectReference reference) {
        String uid = reference.uid();
        if (review.operation() == AdmissionOperation.CREATE || uid == null) {
            return new PassingMemo(operatorMemos);
        }
        return memos.find(resource, reference.namespace(), uid).orElseGet(() -> new PassingMemo(operatorMemos));
    }

    /** The memo of an object that the operator does not know: all handlers of one request share it. Thread-safe. */
    private static final class PassingMemo implements Supplier<Object> {
        private final OperatorMemos operatorMemos;
        private @Nullable Object memo;

        PassingMemo(OperatorMemos operatorMemos) {
            this.operatorMemos = operatorMemos;
        }

        @Override
        public synchronized Object get() {
            if (memo == null) {
                memo = operatorMemos.forObject();
            }
            return memo;
        }
    }

    /** Finds the memos of objects that the operator watches. Thread-safe. */
    @FunctionalInterface
    public interface AdmissionMemos {
        /**
         * The memo of an object; empty if the operator does not know it.
         *
         * @param namespace its namespace; null if it is cluster-scoped
         */
        Optional<Supplier<Object>> find(Resource resource, @Nullable String namespace, String uid);
    }

    /**
     * Who is asked about which resource: the resources that admission handlers have selected, of those that the cluster
     * serves, and the handlers of a review. Thread-safe, as far as the callbacks of filters are.
     */
    static final class AdmissionHandlers {
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
                            .anyMatch(
                                    handler -> handler.declaration().selector().matches(resource)))
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
         * The handlers to be called. The operations are not asked: the API server has done so already, where the
         * webhooks are configured by them.
         *
         * @param id the only handler that is asked; null for all
         */
        List<RegisteredHandler> of(
                AdmissionReview review, ResourceObject object, InvocationCause.Admitting cause, @Nullable String id) {
            List<RegisteredHandler> asked = handlers.stream()
                    .filter(handler -> id == null || WebhookName.isFor(id, handler.id()))
                    .filter(handler -> handler.declaration().selector().matches(object.resource()))
                    .filter(handler -> handler.options().isForSubresource(review.subresource()))
                    .filter(handler -> review.operation() != AdmissionOperation.DELETE || maySeeDeletions(handler))
                    .toList();
            return HandlerSelection.concerned(asked, object, cause, contexts);
        }

        /** There is nothing to mutate in what is about to go; whoever wants to know of nothing else has reasons. */
        private static boolean maySeeDeletions(RegisteredHandler handler) {
            return handler.kind() != HandlerKind.MUTATE || handler.options().isForDeletionsOnly();
        }
    }
}
