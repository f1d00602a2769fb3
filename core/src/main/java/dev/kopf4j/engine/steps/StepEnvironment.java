package dev.kopf4j.engine.steps;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.PermanentException;
import dev.kopf4j.engine.call.HandlerRunner;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
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
 * @param runner makes the calls whose steps these are
 * @param storage where steps are recorded
 * @param marks what objects remember of steps when their progress is gone
 * @param held true if the object waits for the operator when it is deleted
 * @param toldOfUnheld the kinds and steps for which the log says already that nobody takes them back
 */
public record StepEnvironment(
        HandlerRunner runner,
        ProgressPersistence storage,
        StepMarks marks,
        Predicate<ObjectNode> held,
        Set<String> toldOfUnheld) {
    /** Clocks and tasks. */
    public Platform platform() {
        return runner.platform();
    }

    /** False if another replica may act by now on the object of the call: no step begins then. */
    boolean mayAct(HandlerContext context) {
        return runner.mayAct(context);
    }

    /** The pause after an arbitrary exception where a step with limits has none of its own. */
    Duration defaultBackoff() {
        return runner.settings().defaultBackoff();
    }

    /** Steps side by side that end within this time are recorded together. */
    Duration together() {
        return runner.settings().checkpoint();
    }

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
