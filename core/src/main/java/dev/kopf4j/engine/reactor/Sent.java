package dev.kopf4j.engine.reactor;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.object.PatchContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What came of sending a patch. */
sealed interface Sent {
    /** There was nothing to change. */
    record Nothing() implements Sent {}

    /**
     * The object was changed, maybe not in full.
     *
     * @param answered the object after it; null if not even the first request was made
     * @param remaining what has to be tried again on a newer state; empty if nothing
     */
    record Changed(@Nullable ObjectNode answered, PatchContent remaining) implements Sent {}

    /**
     * The server finds the changes invalid: they will not be better the next time.
     *
     * @param refusal what it has said
     */
    record Refused(ApiException refusal) implements Sent {}

    /** The object does not exist any more. */
    record Gone() implements Sent {}
}
