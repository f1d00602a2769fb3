package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Reason;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.Outcome;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.steps.CallSteps;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.engine.steps.StepJournal;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records the steps of one call of a handler of changes, as the records of sub-handlers. The call's thread asks for it
 * and waits; the object's worker, which waits for the call, does it: progress stays confined to the worker.
 */
final class ChangeSteps implements StepJournal {
    private static final Duration SERVER_FAILED = Duration.ofSeconds(1);

    private final HandlerRounds rounds;
    private final SubHandlerCalls parents;
    private final RegisteredHandler handler;
    private final StepEnvironment environment;
    private final Monitor monitor;

    // Guarded by the monitor.
    private ObjectNode object;
    private @Nullable Request<?> request;
    private boolean made;
    private boolean keyGiven;
    private boolean interrupted;
    private boolean closed;

    /**
     * None yet.
     *
     * @param parents the calls of the handler's sub-handlers, whose siblings steps are
     * @param object as the handler sees it
     */
    ChangeSteps(HandlerRounds rounds, SubHandlerCalls parents, RegisteredHandler handler, ObjectNode object) {
        this.rounds = rounds;
        this.parents = parents;
        this.handler = handler;
        this.environment = rounds.processor().cycles().steps();
        this.monitor = parents.monitor();
        this.object = object;
    }

    /** What the call's thread asks the worker for. */
    @FunctionalInterface
    private interface Work<T> {
        T make() throws InterruptedException;
    }

    private static final class Request<T> {
        private final Work<T> work;
        private @Nullable T answer;
        private @Nullable RuntimeException failure;
        private boolean done;

        Request(Work<T> work) {
            this.work = work;
        }
    }

    // The call's thread.

    /** The steps of the call. */
    Steps of(HandlerContext context) {
        return new CallSteps(environment, context, this);
    }

    @Override
    public String owner() {
        return handler.stepsOwner();
    }

    @Override
    public int runs() {
        RegisteredHandler outermost = outermost();
        return outermost.equals(handler)
                ? environment.marks().runs(handler.id(), object())
                : environment.marks().runs(outermost.id(), handler.id(), object());
    }

    private RegisteredHandler outermost() {
        return parents.lineage().getFirst();
    }

    @Override
    public ObjectNode object() {
        return monitor.locked(() -> object);
    }

    @Override
    public ProgressRecord begin(String id) throws InterruptedException {
        if (monitor.locked(() -> interrupted)) {
            throw new InterruptedException(
                    "the call of " + handler + " was interrupted: no step of it begins any more");
        }
        return ask(() -> beginHere(id));
    }

    @Override
    public void note(String id, ProgressRecord record) throws InterruptedException {
        var _ = ask(() -> {
            rounds.progress().put(id, record);
            return true;
        });
    }

    @Override
    public void write(Map<String, ProgressRecord> records, ObjectNode marks) throws InterruptedException {
        var _ = ask(() -> {
            writeHere(records, marks);
            return true;
        });
    }

    /** The object's worker waits for the call: it begins no deletion meanwhile. */
    @Override
    public void makeUndoable(Making making) throws InterruptedException {
        making.make();
    }

    @Override
    public void keyGiven() {
        monitor.locked(() -> {
            keyGiven = true;
        });
    }

    private <T> T ask(Work<T> work) throws InterruptedException {
        Request<T> asked = new Request<>(work);
        monitor.locked(() -> {
            made = true;
            if (!closed) {
                request = asked;
            }
        });
        monitor.awaitTrue(() -> asked.done || closed, Deadline.NEVER);
        return monitor.locked(() -> {
            if (asked.failure != null) {
                throw asked.failure;
            }
            if (asked.answer == null) {
                throw new IllegalStateException("the call of " + handler + " has ended: it makes no steps any more");
            }
            return asked.answer;
        });
    }

    // The object's worker.

    /** True if the call waits for something. Read under the monitor. */
    boolean isRequested() {
        return request != null;
    }

    /** True if the call has begun to make steps. */
    boolean areMade() {
        return monitor.locked(() -> made);
    }

    /** The call is about to be interrupted: what it has made is recorded, and no other step begins. */
    void interrupted() {
        monitor.locked(() -> {
            interrupted = true;
        });
    }

    /** Does what the call waits for. */
    void serve() throws InterruptedException {
        Request<?> asked = request;
        if (asked != null) {
            serve(asked);
        }
    }

    private <T> void serve(Request<T> asked) throws InterruptedException {
        try {
            T answer = asked.work.make();
            answer(asked, answer, null);
        } catch (LeadershipLostException e) {
            // The cycle is given up, and with it the call.
            throw e;
        } catch (ClientException e) {
            // The record stays in the patch, which is sent at the end of the cycle.
            answer(
                    asked,
                    null,
                    new TemporaryException("a step could not be recorded: " + e.getMessage(), SERVER_FAILED, e));
        } catch (TemporaryException | PermanentException | HandlerDeclarationException e) {
            answer(asked, null, e);
        }
    }

    private <T> void answer(Request<T> asked, @Nullable T answer, @Nullable RuntimeException failure) {
        monitor.locked(() -> {
            asked.answer = answer;
            asked.failure = failure;
            asked.done = true;
            // Who was interrupted may ask for something else meanwhile.
            if (asked.equals(request)) {
                request = null;
            }
        });
    }

    private ProgressRecord beginHere(String id) {
        environment.storage().problem(id).ifPresent(problem -> {
            throw new HandlerDeclarationException("the step '" + id + "' cannot be recorded: " + problem);
        });
        return rounds.progress()
                .activateStep(
                        id,
                        parents.lineage(),
                        rounds.checkpoint().found().node(),
                        environment.platform().now());
    }

    private void writeHere(Map<String, ProgressRecord> records, ObjectNode marks) throws InterruptedException {
        ProgressCheckpoint checkpoint = rounds.checkpoint();
        records.forEach(rounds.progress()::put);
        MergePatch.mergeInto(checkpoint.addition().merge(), marks);
        parents.showAllParents();
        checkpoint.writeNow(rounds.progress());
        ObjectNode stored = checkpoint.stored().node();
        monitor.locked(() -> {
            object = stored;
        });
        if (!checkpoint.isStateKnown() && !rounds.isObjectGone()) {
            throw new TemporaryException(
                    "a step could not be recorded, as the object has met other changes", SERVER_FAILED);
        }
        environment.requireStored(records, stored, checkpoint.isStateKnown());
    }

    /** The call has ended, or nobody waits for it any more. */
    void close() {
        monitor.locked(() -> {
            closed = true;
            request = null;
        });
    }

    /** The handler is about to count as ended: its next call is another run, with keys of its own. */
    void ended(Outcome outcome) {
        boolean over =
                !(outcome instanceof Outcome.Retry) && rounds.present().cause().reason() != Reason.DELETE;
        if (over) {
            ObjectNode body = rounds.checkpoint().preview().node();
            if (hasAny(body)) {
                countRun(body, rounds.checkpoint().addition().merge());
            }
        }
    }

    private void countRun(ObjectNode body, ObjectNode patch) {
        StepMarks marks = environment.marks();
        RegisteredHandler outermost = outermost();
        if (!outermost.equals(handler)) {
            marks.countRun(outermost.id(), handler.id(), body, patch);
            return;
        }
        marks.countRun(handler.id(), body, patch);
        List<String> subHandlers =
                subrefs().stream().filter(id -> !isStep(id, body)).toList();
        if (!subHandlers.isEmpty()) {
            marks.countRunOfAll(handler.id(), subHandlers, body, patch);
        }
    }

    /** The record before the call, which remembers until the run has ended that its key was given. */
    ProgressRecord remembered(ProgressRecord before, Outcome outcome) {
        boolean given = before.keyGiven() || monitor.locked(() -> keyGiven);
        return before.withKeyGiven(given && outcome instanceof Outcome.Retry);
    }

    /** True if this call, or an earlier one, or a sub-handler, has made steps or given its key. */
    private boolean hasAny(ObjectNode body) {
        return monitor.locked(() -> made || keyGiven)
                || rounds.progress().record(handler).keyGiven()
                || subrefs().stream().anyMatch(id -> isStep(id, body) || hasGivenKey(id, body));
    }

    private List<String> subrefs() {
        return rounds.progress().record(handler).subrefs();
    }

    private boolean isStep(String id, ObjectNode body) {
        ProgressRecord record = record(id, body);
        return record != null && record.step() != null;
    }

    private boolean hasGivenKey(String subHandlerId, ObjectNode body) {
        ProgressRecord record = record(subHandlerId, body);
        return (record != null && record.keyGiven()) || environment.marks().hasOwnNumber(subHandlerId, body);
    }

    private @Nullable ProgressRecord record(String id, ObjectNode body) {
        ProgressRecord known = rounds.progress().recordOf(id);
        return known == null ? environment.storage().fetch(id, body) : known;
    }
}
