package dev.kopf4j.engine.conversion;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.conversion.DefinitionConverter.ConversionFailure;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers reviews by the conversion functions. Thread-safe. */
public final class ConversionReviews {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.conversion");
    private static final int NOT_FOUND = 404;

    /** Reviews of a definition arrive at {@code convert/widgets.example.com}, below the server's own path. */
    private static final String PATH_START = "convert/";

    private static final int MESSAGE_MAX = 2_000;

    private static final Duration API_SERVER_WAITS = Duration.ofSeconds(30);

    /** A bit less, so that clients hear which object it is. */
    private static final Duration WITHIN = Duration.ofSeconds(25);

    private static final Duration INTERRUPTED_WITHIN = Duration.ofSeconds(1);

    /** Each list and watch asks for the same conversion again, and each keeps all objects of its request in memory. */
    private static final int LEFT_BEHIND_MAX = 10;

    private final Map<String, DefinitionConverter> converters = new LinkedHashMap<>();
    /** Null if whoever asks waits for as long as it takes. */
    private final @Nullable Platform platform;
    /** How many conversions go on though they were interrupted. */
    private final AtomicInteger leftBehind = new AtomicInteger();

    private volatile List<Resource> served = List.of();

    /**
     * Knows no resources yet.
     *
     * @param functions those of all definitions
     * @param prefixes of the framework's own annotations, which no conversion removes
     */
    public ConversionReviews(List<ConversionFunction> functions, List<String> prefixes) {
        this(functions, prefixes, null);
    }

    /** The same for an API server, which does not wait for ever. */
    public ConversionReviews(List<ConversionFunction> functions, List<String> prefixes, @Nullable Platform platform) {
        this.platform = platform;
        for (ConversionFunction each : functions) {
            converters.computeIfAbsent(
                    each.definition(),
                    name -> new DefinitionConverter(
                            name,
                            functions.stream()
                                    .filter(other -> other.definition().equals(name))
                                    .toList(),
                            prefixes));
        }
    }

    /** Where reviews of a definition arrive: the end of the path. */
    public static String path(String definition) {
        return PATH_START + definition;
    }

    /** The definition that a request is for by its path; empty if it is for none. */
    private static Optional<String> definition(WebhookRequest request) {
        return request.handlerId()
                .filter(path -> path.startsWith(PATH_START))
                .map(path -> path.substring(PATH_START.length()));
    }

    /** True if there are no functions. */
    public boolean isEmpty() {
        return converters.isEmpty();
    }

    /**
     * From now on the cluster serves these: reviews that come without a path tell kinds only.
     *
     * @return true if something of them that is converted was not served before
     */
    public boolean serve(Collection<Resource> resources) {
        List<Resource> before = served;
        served = resources.stream()
                .filter(resource -> converters.containsKey(resource.plural() + "." + resource.group()))
                .toList();
        return !before.containsAll(served);
    }

    /**
     * True if a request asks for conversions rather than for admission handlers: by its path, or, where the server
     * knows none, by its content.
     */
    public boolean isFor(WebhookRequest request) {
        boolean perhaps = request.handlerId().filter(id -> !id.isEmpty()).isEmpty();
        return isNamedBy(request) || (perhaps && !isEmpty() && ConversionReview.isMeant(request.body()));
    }

    /** True if a request is by its path for a definition that there are functions for; its body is not looked at. */
    public boolean isNamedBy(WebhookRequest request) {
        return definition(request).filter(converters::containsKey).isPresent();
    }

    /**
     * Answers a review.
     *
     * @throws WebhookException if it is no review, or about a definition that there are no functions for
     */
    public WebhookResponse answer(WebhookRequest request) throws InterruptedException {
        ConversionReview review = ConversionReview.parse(request.body());
        DefinitionConverter converter = converter(request, review);
        ReviewedConversion conversion = new ReviewedConversion(review, converter);
        return new WebhookResponse(Json.bytes(platform == null ? conversion.make() : conversion.makeInTime(platform)));
    }

    /** One review. */
    private final class ReviewedConversion {
        private final ConversionReview review;
        private final DefinitionConverter converter;
        /** What is converted now. */
        private volatile @Nullable ObjectNode current;

        private volatile boolean interrupted;
        private volatile @Nullable ObjectNode answer;
        private volatile @Nullable Throwable thrown;

        ReviewedConversion(ConversionReview review, DefinitionConverter converter) {
            this.review = review;
            this.converter = converter;
            this.current = review.objects().isEmpty() ? null : review.objects().getFirst();
        }

        ObjectNode make() throws InterruptedException {
            List<ObjectNode> converted = new ArrayList<>();
            for (ObjectNode object : review.objects()) {
                current = object;
                try {
                    converted.add(converted(object));
                } catch (ConversionFailure e) {
                    String message = message(object, review, e);
                    log.warn("{}", message, isOfTheCode(e) ? e.getCause() : null);
                    return review.failure(message);
                }
            }
            return review.success(converted);
        }

        private ObjectNode converted(ObjectNode object) throws ConversionFailure, InterruptedException {
            try {
                return converter.convert(object, review.desiredVersion());
            } catch (InterruptedException e) {
                if (platform == null || interrupted) {
                    throw e;
                }
                // Nobody has: the function throws what it has caught of something else.
                throw new ConversionFailure(e.toString(), e);
            }
        }

        /** The same in a task of its own, for as long as the API server waits. */
        ObjectNode makeInTime(Platform by) throws InterruptedException {
            if (leftBehind.get() >= LEFT_BEHIND_MAX) {
                String message = LEFT_BEHIND_MAX + " conversions that were interrupted, as they took longer than "
                        + WITHIN.toSeconds()
                        + " s, have not ended: no other one is begun; the operator's log names them";
                return review.failure(message);
            }
            Monitor monitor = by.monitor();
            Task task = by.spawn("conversion to " + review.desiredApiVersion(), () -> run(monitor));
            try {
                if (!monitor.awaitTrue(this::hasEnded, by.after(WITHIN))) {
                    return late(by, monitor, task);
                }
            } catch (InterruptedException e) {
                interrupt(task);
                throw e;
            }
            return switch (thrown) {
                case null -> Objects.requireNonNull(answer);
                case InterruptedException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            };
        }

        @SuppressWarnings("InterruptedExceptionSwallowed") // it is told to whoever waits
        private void run(Monitor monitor) {
            @Nullable ObjectNode made = null;
            @Nullable Throwable failure = null;
            try {
                made = make();
            } catch (TaskEndError e) {
                throw e;
            } catch (Throwable e) {
                failure = e;
            }
            ObjectNode result = made;
            Throwable why = failure;
            monitor.locked(() -> {
                answer = result;
                thrown = why;
            });
        }

        private boolean hasEnded() {
            return answer != null || thrown != null;
        }

        private void interrupt(Task task) {
            interrupted = true;
            task.interrupt();
        }

        private ObjectNode late(Platform by, Monitor monitor, Task task) throws InterruptedException {
            ObjectNode object = current == null ? Json.object() : current;
            String stack = Task.text(task.stack());
            interrupt(task);
            boolean ended = monitor.awaitTrue(this::hasEnded, by.after(INTERRUPTED_WITHIN));
            String message = message(
                    object,
                    review,
                    new ConversionFailure("it has taken longer than " + WITHIN.toSeconds()
                            + " s, and API servers wait for " + API_SERVER_WAITS.toSeconds()));
            log.warn(
                    "{}. {} It was at:\n{}",
                    message,
                    ended
                            ? "The function was interrupted."
                            : "The function ignores that it was interrupted, and is left behind.",
                    stack);
            if (!ended) {
                leaveBehind(by, task);
            }
            return review.failure(message);
        }

        private void leaveBehind(Platform by, Task task) {
            leftBehind.incrementAndGet();
            by.spawn("end of a conversion", () -> {
                try {
                    var _ = task.join(Deadline.NEVER);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    leftBehind.decrementAndGet();
                }
            });
        }
    }

    /** What users throw on purpose, and what does not fit, needs no stack trace. */
    private static boolean isOfTheCode(ConversionFailure failure) {
        return failure.getCause() != null
                && !failure.getCause().getClass().getPackageName().startsWith("dev.kopf4j");
    }

    private static String message(ObjectNode object, ConversionReview review, ConversionFailure failure) {
        String message = ObjectReference.of(object).describe() + " cannot be converted from "
                + object.path("apiVersion").asString("") + " to " + review.desiredApiVersion() + ": "
                + failure.getMessage();
        return message.length() <= MESSAGE_MAX ? message : message.substring(0, MESSAGE_MAX) + "...";
    }

    private DefinitionConverter converter(WebhookRequest request, ConversionReview review) {
        String name = definition(request).orElseGet(() -> byKind(review));
        DefinitionConverter found = converters.get(name);
        if (found == null) {
            throw new WebhookException(NOT_FOUND, "no conversion function is for the definition " + name);
        }
        if (!found.group().equals(review.desiredGroup())) {
            throw new WebhookException(NOT_FOUND, name + " has no version " + review.desiredApiVersion());
        }
        return found;
    }

    private String byKind(ConversionReview review) {
        @Nullable ObjectNode first = review.objects().isEmpty() ? null : review.objects().getFirst();
        String kind = first == null ? "" : first.path("kind").asString("");
        return served.stream()
                .filter(resource -> resource.group().equals(review.desiredGroup())
                        && resource.kind().equals(kind))
                .map(resource -> resource.plural() + "." + resource.group())
                .findFirst()
                .orElse(kind + " of " + review.desiredGroup());
    }

    /**
     * A review as the API server sends it, checked for what everything else relies on. Immutable.
     *
     * @param apiVersion its version, which is sent back
     * @param uid which request is meant
     * @param desiredApiVersion the version that all objects are to have, with its group
     * @param objects the objects, in any versions
     * @see <a
     *     href="https://kubernetes.io/docs/reference/config-api/apiserver-webhookadmission.v1/">ConversionReview</a>
     */
    record ConversionReview(String apiVersion, String uid, String desiredApiVersion, List<ObjectNode> objects) {
        private static final int BAD_REQUEST = 400;
        private static final String KIND = "ConversionReview";
        private static final Set<String> VERSIONS = Set.of("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1");

        /** True if the tree claims to be such a review. */
        private static boolean isMeant(JsonNode tree) {
            return tree.path("kind").asString("").equals(KIND);
        }

        /** True if the body claims to be such a review. */
        static boolean isMeant(byte[] body) {
            try {
                return isMeant(Json.parse(body));
            } catch (JsonConversionException e) {
                return false; // admission says what is wrong with it
            }
        }

        /**
         * Reads a review.
         *
         * @throws WebhookException if it is none, with what is missing
         */
        static ConversionReview parse(byte[] body) {
            try {
                return of(Json.parse(body));
            } catch (JsonConversionException e) {
                throw malformed("the body is no JSON: " + e.getMessage());
            }
        }

        private static ConversionReview of(JsonNode review) {
            String apiVersion = review.path("apiVersion").asString("");
            if (!isMeant(review) || !VERSIONS.contains(apiVersion)) {
                throw malformed("POST a ConversionReview of apiextensions.k8s.io/v1");
            }
            if (!(review.get("request") instanceof ObjectNode request)) {
                throw malformed("the review has no request");
            }
            String desired = text(request, "desiredAPIVersion");
            if (!desired.matches("[^/]+/[^/]+")) {
                throw malformed("the request has the desiredAPIVersion '" + desired + "'; give group and version");
            }
            return new ConversionReview(apiVersion, text(request, "uid"), desired, objects(request.get("objects")));
        }

        private static List<ObjectNode> objects(@Nullable JsonNode given) {
            if (!(given instanceof ArrayNode list)) {
                throw malformed("the request has no list of objects");
            }
            List<ObjectNode> objects = new ArrayList<>();
            for (JsonNode each : list) {
                if (!(each instanceof ObjectNode object)) {
                    throw malformed("objects[" + objects.size() + "] of the request is no object");
                }
                objects.add(object);
            }
            return List.copyOf(objects);
        }

        private static String text(ObjectNode request, String key) {
            String text = request.path(key).asString("");
            if (text.isEmpty()) {
                throw malformed("the request has no " + key);
            }
            return text;
        }

        private static WebhookException malformed(String problem) {
            return new WebhookException(BAD_REQUEST, problem);
        }

        String desiredGroup() {
            return desiredApiVersion.substring(0, desiredApiVersion.indexOf('/'));
        }

        String desiredVersion() {
            return desiredApiVersion.substring(desiredApiVersion.indexOf('/') + 1);
        }

        /** The review that says that all went well, with the objects in the order of the request. */
        ObjectNode success(List<ObjectNode> converted) {
            return answer(converted, Json.object().put("status", "Success"));
        }

        /** The review that says what went wrong. */
        ObjectNode failure(String message) {
            return answer(List.of(), Json.object().put("status", "Failed").put("message", message));
        }

        private ObjectNode answer(List<ObjectNode> converted, ObjectNode result) {
            ObjectNode answer = Json.object().put("apiVersion", apiVersion).put("kind", KIND);
            ObjectNode response = answer.putObject("response").put("uid", uid);
            response.putArray("convertedObjects").addAll(converted);
            response.set("result", result);
            return answer;
        }
    }

    /** The conversions of an operator that does not run: they are asked as the API server would ask. Thread-safe. */
    public static final class OperatorConversions {
        private final ConversionReviews reviews;
        private final List<String> definitions;

        /**
         * The conversions.
         *
         * @param functions those of all definitions
         * @param prefixes of the framework's own annotations
         */
        public OperatorConversions(List<ConversionFunction> functions, List<String> prefixes) {
            this.reviews = new ConversionReviews(functions, prefixes);
            this.definitions = functions.stream()
                    .map(ConversionFunction::definition)
                    .distinct()
                    .toList();
        }

        /** The names of the definitions that there are conversions for. */
        public List<String> definitions() {
            return definitions;
        }

        /**
         * The object in another version.
         *
         * @param definition the name of its definition
         * @param apiVersion the version with its group
         * @throws IllegalStateException if it cannot be converted, with the reason
         */
        public Map<String, @Nullable Object> convert(
                String definition, Map<String, @Nullable Object> object, String apiVersion)
                throws InterruptedException {
            ObjectNode review = Json.object().put("apiVersion", "apiextensions.k8s.io/v1");
            review.put("kind", "ConversionReview");
            ObjectNode request = review.putObject("request").put("uid", "1").put("desiredAPIVersion", apiVersion);
            request.putArray("objects").add(Json.fromJava(object));
            byte[] answer = reviews.answer(
                            WebhookRequest.of(Json.bytes(review)).forHandler(ConversionReviews.path(definition)))
                    .body();
            ObjectNode response = (ObjectNode) Json.parseObject(answer).get("response");
            if (response.at("/convertedObjects/0") instanceof ObjectNode converted) {
                return Json.toMutableMap(converted);
            }
            throw new IllegalStateException(response.at("/result/message").asString(""));
        }
    }
}
