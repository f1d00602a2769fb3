package dev.kopf4j.engine.handling.change;

import dev.kopf4j.object.PatchContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Writes what has been achieved so far onto the object, in the middle of a cycle. */
@FunctionalInterface
public interface CheckpointWriter {
    /**
     * Sends the patch.
     *
     * @return the object as it is then; null if it does not exist any more
     * @throws InterruptedException if the operator stops
     */
    @Nullable ObjectNode write(PatchContent patch) throws InterruptedException;
}
