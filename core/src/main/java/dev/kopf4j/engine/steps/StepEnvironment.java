package dev.kopf4j.engine.steps;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressStorage;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the steps of all handlers of an operator share. Thread-safe.
 *
 * @param platform clocks and tasks
 * @param mayAct false if another replica may act by now on the object of the call: no step begins then
 * @param storage where steps are recorded
 * @param marks what objects remember of steps when their progress is gone
 * @param held true if the object waits for the operator when it is deleted
 * @param toldOfUnheld the kinds and steps for which the log says already that nobody takes them back
 * @param defaultBackoff the pause after an arbitrary exception where a step with limits has none of its own
 * @param together steps side by side that end within this time are recorded together
 */
public record StepEnvironment(
        Platform platform,
        Predicate<HandlerContext> mayAct,
        ProgressStorage storage,
        StepMarks marks,
        Predicate<ObjectNode> held,
        Set<String> toldOfUnheld,
        Duration defaultBackoff,
        Duration together) {
    /**
     * Makes sure that the records lie on the object: nothing else says that they were written.
     *
     * @param records by the ids of the steps
     * @param stored the object as the server has answered it
     * @param exists false if the object has gone
     * @throws PermanentException if one is missing
     */
    public void requireStored(Map<String, ProgressRecord> records, ObjectNode stored, boolean exists) {
        records.forEach((id, record) -> {
            ProgressRecord found = storage.fetch(id, stored);
            boolean same = found != null
                    && found.success() == record.success()
                    && found.stepOrNothing().intent() == record.stepOrNothing().intent()
                    && JsonEquality.equal(
                            found.stepOrNothing().result(),
                            record.stepOrNothing().result());
            if (!same) {
                throw new PermanentException("the step '" + id + "' could not be recorded: "
                        + (exists
                                ? "the server, or the storage of the progress, has dropped the record; does the schema"
                                        + " permit the field of settings.persistence().progressStorage()?"
                                : "the object does not exist any more"));
            }
        });
    }
}
