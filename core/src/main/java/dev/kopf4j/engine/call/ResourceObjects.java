package dev.kopf4j.engine.call;

import dev.kopf4j.Resource;
import dev.kopf4j.hierarchy.EventSink;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectLogger.ObjectLogListener;
import dev.kopf4j.object.ObjectReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the objects that handlers are called for. Thread-safe.
 *
 * @param memos makes their memos
 * @param events where events about them are posted
 * @param logs hears what is logged about them
 */
public record ResourceObjects(OperatorMemos memos, EventSink events, ObjectLogListener logs) {
    /**
     * An object in a state.
     *
     * @param memo gives its memo; safe for all threads
     */
    public ResourceObject of(Resource resource, ObjectReference reference, BodyView body, Supplier<Object> memo) {
        return of(resource, reference, body, memo, new ObjectLogger(reference, logs));
    }

    /** An object that is about to be indexed: nothing is posted about it. */
    public ResourceObject forIndices(
            Resource resource, ObjectReference reference, ObjectNode body, Supplier<Object> memo) {
        return of(resource, reference, new BodyView(body), memo, ObjectLogger.terse(reference));
    }

    private static ResourceObject of(
            Resource resource, ObjectReference reference, BodyView body, Supplier<Object> memo, Logger logger) {
        return new ResourceObject(resource, reference, body, logger, memo);
    }
}
