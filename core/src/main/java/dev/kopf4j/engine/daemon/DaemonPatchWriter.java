package dev.kopf4j.engine.daemon;

import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.object.PatchContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Writes what daemons and timers want to be changed in their objects. Thread-safe. */
@FunctionalInterface
public interface DaemonPatchWriter {
    /**
     * Writes changes. Those that the server finds invalid are dropped with an error in the log.
     *
     * @param resourceObject the object as it is known
     * @throws dev.kopf4j.client.error.ClientException if nothing is known of the server's answer: it may be tried again
     * @throws InterruptedException if the operator stops
     */
    Written write(ResourceObject resourceObject, PatchContent patch) throws InterruptedException;

    /**
     * The result of writing.
     *
     * @param answered the object after it; null if it has not changed or has gone
     * @param remaining what has met newer changes, to be tried again on a newer state; empty if nothing
     */
    record Written(@Nullable ObjectNode answered, PatchContent remaining) {}
}
