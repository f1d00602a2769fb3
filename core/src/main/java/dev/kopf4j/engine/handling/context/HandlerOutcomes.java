package dev.kopf4j.engine.handling.context;

import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** How far the handlers of an object have come, as their colleagues ask for it. Thread-safe. */
@FunctionalInterface
public interface HandlerOutcomes {
    /**
     * The record of a handler; null if there is none.
     *
     * @param body the object as the asking handler sees it
     */
    @Nullable ProgressRecord record(String handlerId, ObjectNode body);

    /** What the record says; nothing was done if there is none. */
    default HandlerOutcome of(String handlerId, ObjectNode body) {
        ProgressRecord record = record(handlerId, body);
        return record == null
                ? new HandlerOutcome(0, false, false, Optional.empty())
                : new HandlerOutcome(
                        record.retries(), record.success(), record.failure(), Optional.ofNullable(record.message()));
    }
}
