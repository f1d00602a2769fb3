package dev.kopf4j.engine.patching;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.object.PatchContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The result of sending a patch. */
public sealed interface PatchResult {
    /** There was nothing to change. */
    record NothingToSend() implements PatchResult {}

    /**
     * The object was changed, maybe not in full.
     *
     * @param newState the object after it; null if not even the first request was made
     * @param remaining what has to be tried again on a newer state; empty if nothing
     */
    record Applied(@Nullable ObjectNode newState, PatchContent remaining) implements PatchResult {}

    /**
     * The server finds the changes invalid: sending them again would not help.
     *
     * @param refusal what it has said
     */
    record Invalid(ApiException refusal) implements PatchResult {}

    /** The object does not exist any more. */
    record Gone() implements PatchResult {}
}
