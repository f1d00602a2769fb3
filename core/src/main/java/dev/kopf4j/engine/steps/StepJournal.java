package dev.kopf4j.engine.steps;

import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where the steps of one call of a handler are recorded. Used by the thread of the call alone.
 *
 * <p>All methods throw {@link IllegalStateException} if the call has ended by now.
 */
public interface StepJournal {
    /** The id below which the steps of the handler are recorded. */
    String owner();

    /** True if the call goes on for as long as its object lives: that of a daemon. */
    default boolean isEndless() {
        return false;
    }

    /** How often the handler has ended after it had made steps: tells the keys of its runs apart. */
    int runs();

    /** The object as it is known. */
    ObjectNode object();

    /**
     * A step of the call.
     *
     * @return how far it has come; a fresh record if nothing is known of it
     * @throws dev.kopf4j.HandlerDeclarationException if nothing can be recorded under such an id
     */
    ProgressRecord begin(String id) throws InterruptedException;

    /** Records something of a step that has not ended: it lies on the object when the handler's call has ended. */
    void note(String id, ProgressRecord record) throws InterruptedException;

    /**
     * Records something of steps: it lies on the object when this returns.
     *
     * @param records by the ids of the steps
     * @param marks what is to be merged into the object beside them
     * @throws dev.kopf4j.TemporaryException if that could not be written yet
     * @throws dev.kopf4j.PermanentException if it cannot be written at all
     */
    void write(Map<String, ProgressRecord> records, ObjectNode marks) throws InterruptedException;

    /**
     * Makes steps.
     *
     * @param undoable true if some can be taken back. The deletion takes back what is recorded by then: it begins when
     *     these are, or they do not begin
     * @throws InterruptedException if they must not begin, as the object is being deleted or others act on it, or if
     *     they were interrupted
     */
    void make(boolean undoable, Making making) throws InterruptedException;

    /**
     * A key of the handler itself was given to an external system: its next run, after this one has ended, gets
     * another.
     */
    void keyGiven();

    /** True if other handlers of the same change have not ended yet. */
    boolean othersAreLeft() throws InterruptedException;

    /** Makes the calls of steps, and has their ends recorded. */
    @FunctionalInterface
    interface Making {
        void make() throws InterruptedException;
    }
}
