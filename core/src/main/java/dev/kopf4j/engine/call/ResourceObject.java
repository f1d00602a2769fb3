package dev.kopf4j.engine.call;

import dev.kopf4j.Resource;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectLogger.ObjectLogListener;
import dev.kopf4j.object.ObjectReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object that handlers are called for. Immutable.
 *
 * @param resource its resource
 * @param reference which object
 * @param body its state, with the changes made so far in the cycle
 * @param logger speaks of it
 * @param memo gives its memo, made when it is asked for first; safe for all threads
 */
public record ResourceObject(
        Resource resource, ObjectReference reference, BodyView body, Logger logger, Supplier<Object> memo) {
    /** The same object in another state. */
    public ResourceObject with(ObjectNode newBody) {
        return new ResourceObject(resource, reference, new BodyView(newBody), logger, memo);
    }

    /** Speaks of it in the log only, where {@link #logger} may be posted as an event too. */
    public Logger localLogger() {
        return ObjectLogger.local(logger);
    }

    /** The same object, which nothing is posted about. */
    public ResourceObject local() {
        return new ResourceObject(resource, reference, body, localLogger(), memo);
    }

    /** The state as a tree; not to be changed. */
    public ObjectNode node() {
        return body.node();
    }

    /**
     * The generation that a status can tell as observed. Null if the object has none, or if its kind has no status
     * subresource: then each change of the status makes a new generation, and no status could tell the present one.
     */
    public @Nullable JsonNode observableGeneration() {
        JsonNode generation = node().path("metadata").path("generation");
        return generation.isNumber() && resource.subresources().contains("status") ? generation : null;
    }

    /**
     * Makes the objects that handlers are called for. Thread-safe.
     *
     * @param memos makes their memos
     * @param events where events about them are posted
     * @param logs hears what is logged about them
     */
    public record Factory(OperatorMemos memos, EventSink events, ObjectLogListener logs) {
        /**
         * An object in a state.
         *
         * @param memo gives its memo; safe for all threads
         */
        public ResourceObject of(Resource resource, ObjectReference reference, BodyView body, Supplier<Object> memo) {
            return new ResourceObject(resource, reference, body, new ObjectLogger(reference, logs), memo);
        }

        /** An object that is about to be indexed: nothing is posted about it. */
        public ResourceObject forIndices(
                Resource resource, ObjectReference reference, ObjectNode body, Supplier<Object> memo) {
            return new ResourceObject(resource, reference, new BodyView(body), ObjectLogger.terse(reference), memo);
        }
    }
}
