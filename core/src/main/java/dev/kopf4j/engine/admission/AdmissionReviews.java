package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.AuditAnnotations;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.PermanentException;
import dev.kopf4j.RequestHeaders;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.UserInfo;
import dev.kopf4j.View;
import dev.kopf4j.Warnings;
import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.JsonView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers reviews by the admission handlers, one after the other, each called once. Thread-safe. */
public final class AdmissionReviews {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private final HandlerCalls calls;
    private final OperatorMemos operatorMemos;
    private final AdmissionMemos memos;
    private final AdmissionHandlers handlers;
    /** The ids of handlers whose patches were dropped. */
    private final Set<String> patching = ConcurrentHashMap.newKeySet();
    /** The ids of handlers whose codes were replaced. */
    private final Set<String> miscoding = ConcurrentHashMap.newKeySet();
    /** The ids of handlers whose results were not used. */
    private final Set<String> returning = ConcurrentHashMap.newKeySet();

    /**
     * Knows no resources yet.
     *
     * @param calls without a limit: the API server waits for reviews, and others wait for it
     * @param memos finds those of objects that exist
     */
    public AdmissionReviews(
            HandlerCalls calls, OperatorMemos operatorMemos, AdmissionMemos memos, List<RegisteredHandler> handlers) {
        this.calls = calls;
        this.operatorMemos = operatorMemos;
        this.memos = memos;
        this.handlers = new AdmissionHandlers(handlers, calls.contexts());
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
     * Refuses a request by its path.
     *
     * @throws WebhookException if it is for a handler that there is not
     */
    void requireHandler(WebhookRequest received) {
        handlers.named(received.handlerId().orElse(null));
    }

    /**
     * Answers a review.
     *
     * @throws WebhookException if it is no review, or for a handler that there is not, or about a resource that no
     *     handler is for
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
        try {
            for (RegisteredHandler handler :
                    handlers.of(review, object, cause, received.handlerId().orElse(null))) {
                call(handler, object, cause, patch).ifPresent(failures::add);
            }
        } catch (HandlerDeclarationException e) {
            // A failure of the webhook would let the request pass where failures are ignored.
            handlers.tellOnce(String.valueOf(e.getMessage()));
            failures.add(e);
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
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            Throwable told = Platform.tellable(e);
            log.error("What a handler wants to be changed in an object under review cannot be changed.", told);
            failures.add(new PermanentException("a change cannot be made; the operator's log says why", told));
            return Json.mapper().createArrayNode();
        }
    }

    /** Calls one handler; what it has thrown, if it has. */
    private Optional<Throwable> call(
            RegisteredHandler handler, ResourceObject object, InvocationCause.Admitting cause, PatchContent patch)
            throws InterruptedException {
        PatchContent own = new PatchContent();
        HandlerAttempt attempt = new HandlerAttempt(calls, handler, object, cause, calls.freshRecord(), own);
        attempt.begin();
        CallEnd end = attempt.callUntil(
                calls.platform().after(Duration.ofSeconds(handler.options().timeoutSeconds())));
        RetryDecision _ = attempt.decide(end);
        if (mayChange(handler, cause.newBody(), own)) {
            patch.add(own.handOver());
        }
        return switch (end) {
            case CallEnd.Returned(var unused) -> {
                warnOfResult(handler, unused);
                yield Optional.empty();
            }
            case CallEnd.Delivered(var _) -> Optional.empty();
            case CallEnd.Threw(var exception) -> {
                warnOfCode(handler, exception);
                yield Optional.of(exception);
            }
            case CallEnd.TimedOut(), CallEnd.Orphaned(var _) ->
                Optional.of(new IllegalStateException(handler + " has not answered within "
                        + handler.options().timeoutSeconds() + " seconds."));
        };
    }

    private void warnOfResult(RegisteredHandler handler, @Nullable Object unused) {
        if (unused != null && returning.add(handler.id())) {
            log.warn(
                    "{} has returned a {}, which is not used: the request may go on as it is. To refuse, throw an"
                            + " AdmissionException; to change the object, change the Patch; if neither is meant, return"
                            + " null.",
                    handler,
                    unused.getClass().getSimpleName());
        }
    }

    private void warnOfCode(RegisteredHandler handler, Throwable failure) {
        if (failure instanceof AdmissionException refusal
                && !AdmissionResponse.Refusal.isOfRefusals(refusal.code())
                && miscoding.add(handler.id())) {
            log.warn(
                    "{} refuses with the code {}, which is none of a refusal: the client gets {}. Name one from 400 to"
                            + " 599.",
                    handler,
                    refusal.code(),
                    AdmissionException.DEFAULT_CODE);
        }
    }

    /**
     * The API server fails a validating webhook that answers with a patch, whatever else the answer says, and so it
     * does with a request that leaves no object.
     */
    private boolean mayChange(RegisteredHandler handler, @Nullable ObjectNode changed, PatchContent wanted) {
        if (handler.kind() == HandlerKind.MUTATE && changed != null) {
            return true;
        }
        if (!wanted.isEmpty() && patching.add(handler.id())) {
            log.warn(
                    handler.kind() == HandlerKind.MUTATE
                            ? "What {} wants to change is dropped, as the object is about to go: the API server would"
                                    + " refuse the deletion."
                            : "What {} wants to change is dropped, as validating handlers change nothing: make it a"
                                    + " mutating one.",
                    handler);
        }
        return false;
    }

    /** Nothing is posted about it: it may never come to exist. */
    private ResourceObject object(Resource resource, AdmissionReview review) {
        ObjectNode body = review.body();
        ObjectReference reference = review.reference();
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
        private static final Comparator<Resource> BY_NAME = Comparator.comparing(Resource::group)
                .thenComparing(Resource::plural)
                .thenComparing(Resource::version);

        private static final int NOT_FOUND = 404;
        private static final int CONFLICT = 409;

        /** So many are remembered of those that are gone: definitions may come and go under generated names. */
        private static final int GONE_MAX = 100;

        /**
         * Their reviews carry another kind, with fields of its own and without labels and annotations of the object.
         */
        private static final Set<String> OF_ANOTHER_KIND =
                Set.of("scale", "eviction", "binding", "exec", "attach", "portforward", "proxy", "token");

        private static final List<String> REPLICAS = List.of("spec", "replicas");

        /** What a Scale has itself, as far as filters are for it. */
        private static final List<List<String>> OF_SCALE =
                List.of(REPLICAS, List.of("status", "replicas"), List.of("status", "selector"));

        private final List<RegisteredHandler> handlers;
        private final ContextFactory contexts;
        /** What was told of handlers that share an id. */
        private final Set<String> ambiguities = ConcurrentHashMap.newKeySet();
        /** What was told of handlers that cannot see what they filter by. */
        private final Set<String> unaware = ConcurrentHashMap.newKeySet();

        private volatile List<Resource> resources = List.of();
        /**
         * Also the versions that handlers without one would be asked in if the server preferred them, and then those
         * that the cluster serves no longer, the last ones first.
         */
        private volatile List<Resource> known = List.of();

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

        /**
         * From now on the cluster serves these. Those that were served before stay, and so do their other versions: API
         * servers, and other replicas, learn only later that the webhooks are for another version by now.
         */
        synchronized void serve(Collection<Resource> served) {
            resources = served.stream().filter(this::isSelected).toList();
            List<Resource> others = served.stream()
                    .map(resource -> ServedResources.as(resource, resource.version(), true, resource.verbs()))
                    .filter(this::isSelected)
                    .toList();
            Set<String> names = new HashSet<>();
            known = Stream.of(resources, others, known)
                    .flatMap(List::stream)
                    .filter(resource -> names.add(resource.toString()))
                    .limit(others.size() + GONE_MAX)
                    .toList();
            tellUnlessDistinct();
            handlers.forEach(this::warnOfFiltersWithoutObject);
        }

        /** A guard that is never asked looks like one that lets pass. */
        private void warnOfFiltersWithoutObject(RegisteredHandler handler) {
            DeclaredOptions options = handler.options();
            if (options.labels().isEmpty()
                    && options.annotations().isEmpty()
                    && options.field().isEmpty()) {
                return;
            }
            Set<String> ofAnotherKind = resources.stream()
                    .filter(resource -> handler.declaration().selector().matches(resource))
                    .flatMap(resource -> resource.subresources().stream())
                    .filter(OF_ANOTHER_KIND::contains)
                    .filter(options::isForSubresource)
                    .collect(Collectors.toCollection(TreeSet::new));
            List<String> unseen = ofAnotherKind.stream()
                    .filter(subresource -> !seesAll(options, subresource))
                    .toList();
            if (!unseen.isEmpty() && unaware.add(handler.id() + unseen)) {
                log.warn(
                        "{} filters by labels, annotations or a field, but requests for the subresource {} carry"
                                + " an object of another kind, without those of the object itself: they pass by the"
                                + " filter's answer to that. Look at the object by its name instead, or filter by when.",
                        handler,
                        String.join(", ", unseen));
            } else if (ofAnotherKind.contains("scale")
                    && missesZero(options)
                    && unaware.add(handler.id() + " to zero")) {
                log.warn(
                        "{} filters by spec.replicas, but a Scale to zero leaves that field out: it passes by the filter."
                                + " To look at it, too, do without the filter, and let the handler take a spec without"
                                + " replicas for zero.",
                        handler);
            }
        }

        /** Whoever guards how objects are scaled, looks at the Scale. */
        private static boolean seesAll(DeclaredOptions options, String subresource) {
            return subresource.equals("scale")
                    && options.labels().isEmpty()
                    && options.annotations().isEmpty()
                    && OF_SCALE.contains(options.field());
        }

        /**
         * True if the filter is not for an absent field, which is what a Scale to zero has.
         *
         * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/autoscaling-resources/scale-v1/">Scale</a>
         */
        private static boolean missesZero(DeclaredOptions options) {
            return options.field().equals(REPLICAS)
                    && switch (options.value()) {
                        case null -> true;
                        case ValueFilter.Present _ -> true;
                        case ValueFilter.Literal(JsonNode wanted) ->
                            wanted.isNumber() && wanted.decimalValue().signum() == 0;
                        case ValueFilter.Absent _, ValueFilter.Callback _ -> false;
                    };
        }

        private boolean isSelected(Resource resource) {
            return handlers.stream()
                    .anyMatch(handler -> handler.declaration().selector().matches(resource));
        }

        /** The operator goes on: a definition that comes later is no reason to end it. */
        private void tellUnlessDistinct() {
            try {
                WebhookName.checkDistinct(handlers, resources);
            } catch (HandlerDeclarationException e) {
                tellOnce(String.valueOf(e.getMessage()));
            }
        }

        private void tellOnce(String ambiguity) {
            if (ambiguities.add(ambiguity)) {
                log.error("Requests may be refused, and changes lost: {}.", ambiguity);
            }
        }

        /**
         * The resources that handlers are for, as far as the cluster serves them; in an order of their own, as those of
         * a group that was looked at again come last: what is the same must not look like a change.
         */
        List<Resource> resources() {
            return resources.stream().sorted(BY_NAME).toList();
        }

        /**
         * The resource that a review is about.
         *
         * @throws WebhookException if the operator handles none of that name, or several
         */
        Resource resource(AdmissionReview review) {
            List<Resource> found = resources.stream().filter(review::isOf).toList();
            if (found.isEmpty()) {
                found = known.stream().filter(review::isOf).toList();
            }
            if (found.isEmpty()) {
                throw new WebhookException(NOT_FOUND, "no admission handler is for the resource " + review.resource());
            }
            if (found.size() > 1) {
                throw new WebhookException(CONFLICT, "the resource " + review.resource() + " is ambiguous: " + found);
            }
            return found.getFirst();
        }

        /**
         * The handlers to be called. The operations are not asked: the API server has done so already, where the
         * webhooks are configured by them. If the filters of two kinds with one id let an object pass to both, it is
         * told.
         *
         * @param id the only handler that is asked; null for all
         * @throws WebhookException if it is not for the resource, as in another version of the operator: to let the
         *     request pass would let it pass unchecked
         */
        List<RegisteredHandler> of(
                AdmissionReview review, ResourceObject object, InvocationCause.Admitting cause, @Nullable String id) {
            List<RegisteredHandler> named = named(id);
            List<RegisteredHandler> meant = named.stream()
                    .filter(handler -> isFor(handler, object.resource(), id != null))
                    .toList();
            if (id != null && meant.isEmpty() && !named.isEmpty()) {
                throw new WebhookException(
                        NOT_FOUND,
                        "the webhook '" + id + "' of this operator is not for the resource " + review.resource());
            }
            List<RegisteredHandler> asked = meant.stream()
                    .filter(handler -> handler.options().isForSubresource(review.subresource()))
                    .filter(handler -> review.operation() != AdmissionOperation.DELETE || maySeeDeletions(handler))
                    .toList();
            List<RegisteredHandler> concerned =
                    HandlerSelection.concerned(asked, object, cause, contexts, HandlerSelection::failing);
            if (id != null && !concerned.isEmpty()) {
                RegisteredHandler first = concerned.getFirst();
                List<RegisteredHandler> others = asked.stream()
                        .filter(handler -> handler.kind() != first.kind())
                        .toList();
                // Of one function, only the first one is selected: so they are asked by themselves.
                HandlerSelection.concerned(others, object, cause, contexts, (handler, failure) -> null).stream()
                        .findFirst()
                        .ifPresent(other -> tellOnce(WebhookName.ambiguity(first, other)));
            }
            return concerned;
        }

        /**
         * True if the handler is for the resource. One that is asked by its path may be so in a version that the server
         * prefers no longer: rules may still be for that, whichever version other handlers name.
         */
        private static boolean isFor(RegisteredHandler handler, Resource resource, boolean byPath) {
            ResourceSelector selector = handler.declaration().selector();
            return selector.matches(resource)
                    || (byPath
                            && selector.matches(
                                    ServedResources.as(resource, resource.version(), true, resource.verbs())));
        }

        /**
         * The handlers that a path is for; none at the root. Another replica may be newer, or older, and have more.
         *
         * @param id the end of the path; null if it is not known, which is for all
         * @throws WebhookException if there is none of that id
         */
        List<RegisteredHandler> named(@Nullable String id) {
            List<RegisteredHandler> named = handlers.stream()
                    .filter(handler -> id == null || WebhookName.isFor(id, handler))
                    .toList();
            if (named.isEmpty() && id != null && !id.isEmpty()) {
                throw new WebhookException(NOT_FOUND, "there is no webhook '" + id + "' in this operator");
            }
            return named;
        }

        /** There is nothing to mutate in what is about to go; whoever wants to know of nothing else has reasons. */
        private static boolean maySeeDeletions(RegisteredHandler handler) {
            return handler.kind() != HandlerKind.MUTATE || handler.options().isForDeletionsOnly();
        }
    }

    /**
     * What the handlers of one request are told of it, and what they say beside their answers. Confined to the request.
     */
    static final class ReviewedRequest implements AdmissionRequest {
        private final AdmissionReview review;
        private final WebhookRequest received;
        private final Remarks remarks = new Remarks();

        ReviewedRequest(AdmissionReview review, WebhookRequest received) {
            this.review = review;
            this.received = received;
        }

        @Override
        public String uid() {
            return review.uid();
        }

        @Override
        public AdmissionOperation operation() {
            return review.operation();
        }

        @Override
        public Optional<String> subresource() {
            return review.subresource().isEmpty() ? Optional.empty() : Optional.of(review.subresource());
        }

        @Override
        public boolean isDryRun() {
            return review.dryRun();
        }

        @Override
        public UserInfo userInfo() {
            return ReviewedUser.of(review.userInfo());
        }

        @Override
        public RequestHeaders headers() {
            return new ReceivedHeaders(received.headers());
        }

        @Override
        public Optional<X509Certificate> clientCertificate() {
            return received.clientCertificate();
        }

        @Override
        public View options() {
            return new JsonView(review.request().get("options"), "options of the request");
        }

        @Override
        public Warnings warnings() {
            return remarks::warn;
        }

        @Override
        public AuditAnnotations auditAnnotations() {
            return remarks::annotate;
        }

        /** What the client is to be warned of. */
        List<String> warned() {
            return remarks.warnings();
        }

        /** What is to be written into the audit log. */
        Map<String, String> annotated() {
            return remarks.annotations();
        }

        /** Who has sent the request. */
        private record ReviewedUser(String username, String uid, List<String> groups, Map<String, List<String>> extra)
                implements UserInfo {
            static ReviewedUser of(JsonNode userInfo) {
                Map<String, List<String>> extra = new LinkedHashMap<>();
                userInfo.path("extra")
                        .propertyStream()
                        .forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
                return new ReviewedUser(
                        userInfo.path("username").asString(""),
                        userInfo.path("uid").asString(""),
                        texts(userInfo.path("groups")),
                        Map.copyOf(extra));
            }

            private static List<String> texts(JsonNode list) {
                return list.valueStream().map(each -> each.asString("")).toList();
            }
        }

        /** The headers of the HTTP request; their names are found in any case. Immutable. */
        private static final class ReceivedHeaders implements RequestHeaders {
            private final Map<String, List<String>> headers;

            ReceivedHeaders(Map<String, List<String>> given) {
                Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                sorted.putAll(given);
                this.headers = Collections.unmodifiableMap(sorted);
            }

            @Override
            public Optional<String> get(String name) {
                return all(name).stream().findFirst();
            }

            @Override
            public List<String> all(String name) {
                return headers.getOrDefault(name, List.of());
            }

            @Override
            public Map<String, List<String>> toMap() {
                return headers;
            }

            @Override
            public String toString() {
                return headers.toString();
            }
        }

        /** What all handlers of the request say. Thread-safe: a handler may have threads of its own. */
        private static final class Remarks {
            private static final Pattern CONTROL_CHARACTERS = Pattern.compile("\\p{IsControl}+");

            private final List<String> warnings = new ArrayList<>();
            private final Map<String, String> annotations = new LinkedHashMap<>();

            /** API servers drop warnings with line breaks, tabs and the like without a word. */
            synchronized void warn(String warning) {
                String line = CONTROL_CHARACTERS
                        .matcher(Objects.requireNonNull(warning, "the warning"))
                        .replaceAll(" ")
                        .strip();
                if (!line.isEmpty()) {
                    warnings.add(line);
                }
            }

            synchronized void annotate(String key, String value) {
                annotations.put(Objects.requireNonNull(key, "the key"), Objects.requireNonNull(value, "the value"));
            }

            synchronized List<String> warnings() {
                return List.copyOf(warnings);
            }

            synchronized Map<String, String> annotations() {
                return new LinkedHashMap<>(annotations);
            }
        }
    }

    /**
     * The answer to a review. Immutable.
     *
     * @param refusal why the request is refused; empty if it may go on
     * @param warnings what the client is warned of
     * @param annotations what is written into the audit log
     * @param patch what is changed in the object; sent even with a refusal
     */
    record AdmissionResponse(
            Optional<Refusal> refusal, List<String> warnings, Map<String, String> annotations, ArrayNode patch) {
        /** The review that answers another. */
        ObjectNode toReview(AdmissionReview review) {
            ObjectNode answer = Json.object();
            answer.put("apiVersion", review.apiVersion());
            answer.put("kind", review.kind());
            ObjectNode response = answer.putObject("response");
            response.put("uid", review.uid());
            response.put("allowed", refusal.isEmpty());
            if (!warnings.isEmpty()) {
                warnings.forEach(response.putArray("warnings")::add);
            }
            if (!annotations.isEmpty()) {
                annotations.forEach(response.putObject("auditAnnotations")::put);
            }
            if (!patch.isEmpty()) {
                response.put("patch", Base64.getEncoder().encodeToString(Json.bytes(patch)));
                response.put("patchType", "JSONPatch");
            }
            refusal.ifPresent(why ->
                    response.putObject("status").put("message", why.message()).put("code", why.code()));
            return answer;
        }

        /**
         * What handlers want to be changed in a reviewed object, as a JSON patch; empty if the object stays as it is.
         */
        static ArrayNode patch(ObjectNode body, PatchContent patch) {
            ObjectNode changed = body.deepCopy();
            merge(changed, patch.merge());
            ArrayNode conditions = patch.conditions().differenceTo(changed);
            if (conditions != null) {
                changed.withObject("/status").set("conditions", conditions);
            }
            for (PatchTransformation transformation : patch.transformations()) {
                transformation.apply(changed);
            }
            return JsonPatch.diff(body, changed);
        }

        /**
         * As a merge patch, except that a mapping that loses its last key is removed, and an empty one changes nothing.
         */
        private static void merge(ObjectNode target, ObjectNode patch) {
            for (Map.Entry<String, JsonNode> entry : patch.properties()) {
                String key = entry.getKey();
                switch (entry.getValue()) {
                    case ObjectNode fragment -> mergeInto(target, key, fragment);
                    case JsonNode value when value.isNull() -> target.remove(key);
                    case JsonNode value -> target.set(key, value);
                }
            }
        }

        private static void mergeInto(ObjectNode target, String key, ObjectNode fragment) {
            if (fragment.isEmpty()) {
                return;
            }
            boolean nested = target.get(key) instanceof ObjectNode;
            ObjectNode inner = nested ? (ObjectNode) target.get(key) : target.objectNode();
            boolean wasEmpty = inner.isEmpty();
            merge(inner, fragment);
            if (inner.isEmpty() && !wasEmpty) {
                target.remove(key);
            } else if (!nested && !inner.isEmpty()) {
                target.set(key, inner);
            }
        }

        /**
         * Why a request is refused, as its client is told.
         *
         * @param code the HTTP status
         * @param message the reason
         */
        record Refusal(int code, String message) {
            /**
             * The one of several failures that the client is told: what was meant for it comes first. Empty if there
             * are none.
             */
            static Optional<Refusal> of(List<Throwable> failures) {
                return failures.stream()
                        .min(Comparator.comparingInt(Refusal::rank))
                        .map(failure -> new Refusal(code(failure), message(failure)));
            }

            private static int rank(Throwable failure) {
                return switch (failure) {
                    case AdmissionException _ -> 0;
                    case PermanentException _ -> 1;
                    case TemporaryException _ -> 2;
                    default -> 3;
                };
            }

            private static int code(Throwable failure) {
                return failure instanceof AdmissionException refusal && isOfRefusals(refusal.code())
                        ? refusal.code()
                        : AdmissionException.DEFAULT_CODE;
            }

            /** API servers cut the connection where a code has more than three digits, and change those below 400. */
            static boolean isOfRefusals(int code) {
                return code >= 400 && code <= 599;
            }

            private static String message(Throwable failure) {
                String message = Platform.message(failure);
                return message == null || message.isEmpty() ? failure.getClass().getSimpleName() + "()" : message;
            }
        }
    }
}
