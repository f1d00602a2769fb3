package dev.kopf4j.engine.call;

import dev.kopf4j.AuditAnnotations;
import dev.kopf4j.Child;
import dev.kopf4j.Children;
import dev.kopf4j.Conditions;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Patch;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Steps;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.Warnings;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a handler has returned, as it is stored in the status. Calls the user's code: iterators, getters. */
public final class HandlerResult {
    private HandlerResult() {}

    /**
     * The result as a tree.
     *
     * @return null if nothing is to be stored: neither is a whole object of Kubernetes
     * @throws PermanentException if it cannot be expressed in JSON: no repetition makes another result of it
     */
    public static @Nullable JsonNode json(@Nullable Object value) {
        JsonNode result = json(value, "the handler has returned", "the result cannot be stored in the status");
        return result != null && isKubernetesObject(result) ? null : result;
    }

    /**
     * The same for whoever returns something else.
     *
     * @param returned what comes before a type that is no data
     * @param refused what comes before the reason why it cannot be expressed
     */
    public static @Nullable JsonNode json(@Nullable Object value, String returned, String refused) {
        if (value == null || ResultTypes.isNothing(value.getClass())) {
            return null;
        }
        ResultTypes.problem(value.getClass()).ifPresent(problem -> {
            throw new PermanentException(returned + " " + problem);
        });
        try {
            JsonNode result = ModelBinding.json(value);
            return result.isNull() ? null : result;
        } catch (JsonConversionException e) {
            throw new PermanentException(
                    refused + ": " + e.getMessage()
                            + "; return a map, a record, a bean, text, a number, a list, or nothing",
                    e);
        }
    }

    /**
     * True if it is a whole object as the server has answered it, such as the Secret that a client has made: nobody
     * means to have that, with its data, in the status of another object.
     */
    private static boolean isKubernetesObject(JsonNode result) {
        return result.path("apiVersion").isString()
                && result.path("kind").isString()
                && result.path("metadata").has("resourceVersion");
    }

    /**
     * What the handler has made. A function of Kotlin may return the exception that {@code runCatching} has caught: it
     * has failed then, and must not count as done.
     *
     * @throws Exception what is in a {@code kotlin.Result}, be it another throwable
     */
    public static @Nullable Object ofSuccess(@Nullable Object value) throws Exception {
        if (value == null) {
            return null;
        }
        return switch (value.getClass().getName()) {
            // What stands for either where a type is generic, as in lambdas.
            case "kotlin.Result" ->
                ofSuccess(value.getClass().getMethod("unbox-impl").invoke(value));
            case "kotlin.Result$Failure" ->
                throw HandlerResult.<RuntimeException>asItIs(
                        (Throwable) value.getClass().getField("exception").get(value));
            default -> value;
        };
    }

    /** Throws it, whatever it is: Kotlin checks no exceptions. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T asItIs(Throwable caught) throws T {
        throw (T) caught;
    }

    /**
     * Puts it into the status of the object: mappings are merged below {@code status.<id>}, other values are set there.
     */
    public static void deliver(String id, Outcome outcome, PatchContent patch) {
        if (outcome instanceof Outcome.Succeeded(var result) && result != null) {
            ObjectNode fragment = Json.object();
            FieldPath.of("status", id).ensure(fragment, result);
            MergePatch.mergeInto(patch.merge(), fragment);
        }
    }

    /** Types that are no data, so that no handler can mean them as its result. Pure. */
    public static final class ResultTypes {
        private static final List<Class<?>> LATER =
                List.of(Future.class, CompletionStage.class, Flow.Publisher.class, Thread.class);
        private static final List<Class<?>> RESOURCES = List.of(
                Executor.class,
                Closeable.class,
                ClassLoader.class,
                Throwable.class,
                Logger.class,
                HandlerContext.class);

        /** What functions of other languages return that return nothing. */
        private static final Set<String> NOTHING = Set.of("kotlin.Unit", "scala.runtime.BoxedUnit");

        private ResultTypes() {}

        /** What a short lambda returns that ends with one of their methods: these return it, so that calls chain. */
        private static final List<Class<?>> CHAINED = List.of(
                Patch.class,
                Conditions.class,
                Children.class,
                Child.class,
                SubHandlers.class,
                Steps.class,
                Steps.Step.class,
                Warnings.class,
                AuditAnnotations.class);

        /** True if a value of the type is no result. */
        public static boolean isNothing(Class<?> type) {
            return NOTHING.contains(type.getName()) || CHAINED.stream().anyMatch(each -> each.isAssignableFrom(type));
        }

        /** Why values of the type cannot be a result, as in: it returns (this); empty if they may be. */
        public static Optional<String> problem(Class<?> type) {
            if (LATER.stream().anyMatch(each -> each.isAssignableFrom(type))) {
                return Optional.of(
                        "a " + type.getSimpleName() + ", and nobody waits for it: do the work in the method itself");
            }
            if (RESOURCES.stream().anyMatch(each -> each.isAssignableFrom(type))) {
                return Optional.of("a " + type.getSimpleName() + ", which is no data");
            }
            return Optional.empty();
        }
    }
}
