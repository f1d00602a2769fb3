package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Reason;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.steps.CallSteps;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.engine.steps.StepJournal;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.ConditionChanges.ConditionChange;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
            rounds.put(id, record);
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
    public void make(boolean undoable, Making making) throws InterruptedException {
        making.make();
    }

    @Override
    public boolean othersAreLeft() throws InterruptedException {
        if (parents.lineage().size() > 1) {
            // Its siblings, or those of its parents, may be.
            return true;
        }
        return ask(() -> rounds.present().selected().stream()
                .anyMatch(each -> !each.equals(handler) && !rounds.progress().isFinished(each)));
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
        return rounds.begun(
                id,
                rounds.progress()
                        .activateStep(
                                id,
                                parents.lineage(),
                                rounds.checkpoint().found().node(),
                                environment.platform().now()));
    }

    private void writeHere(Map<String, ProgressRecord> records, ObjectNode marks) throws InterruptedException {
        ProgressCheckpoint checkpoint = rounds.checkpoint();
        records.forEach(rounds::put);
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
        if (outcome instanceof Outcome.Retry) {
            return;
        }
        ObjectNode body = rounds.checkpoint().preview().node();
        Run run = run(body);
        RegisteredHandler outermost = outermost();
        if (outermost.equals(handler)) {
            tellOfDoubts(
                    handler + " has ended",
                    run.stepsInDoubt(),
                    rounds.processor(),
                    rounds.checkpoint().stored(),
                    rounds.checkpoint().addition());
        }
        boolean counts = rounds.present().cause().reason() != Reason.DELETE
                && (monitor.locked(() -> made || keyGiven) || run.hasAny());
        if (!counts) {
            return;
        }
        ObjectNode patch = rounds.checkpoint().addition().merge();
        if (outermost.equals(handler)) {
            run.count(patch);
        } else {
            environment.marks().countRun(outermost.id(), handler.id(), body, patch);
        }
    }

    /**
     * The intents go with the progress: people are told of them, and nobody waits for a retry any more. What can be
     * taken back is remembered nevertheless.
     */
    private static void tellOfDoubts(
            String what, List<String> ids, ObjectProcessor processor, ResourceObject object, PatchContent patch) {
        if (ids.isEmpty()) {
            return;
        }
        String message = what + ", and nobody knows whether the calls of these steps were made: "
                + String.join(", ", ids) + ". Look for what they make.";
        object.localLogger().error("{}", message);
        processor.post(ObjectEvent.warning(object.reference(), CallSteps.IN_DOUBT, message));
        if (isInDoubt(object.node(), ids)) {
            boolean _ = patch.say(
                    ConditionChange.of(
                            CallSteps.IN_DOUBT,
                            "False",
                            "GivenUp",
                            message,
                            object.observableGeneration(),
                            processor.platform().now()),
                    object.node());
        }
    }

    /** True if the condition of the object says so of one of the steps. */
    private static boolean isInDoubt(ObjectNode body, List<String> ids) {
        return body.path("status")
                .path("conditions")
                .valueStream()
                .filter(each -> each.path("type").asString("").equals(CallSteps.IN_DOUBT)
                        && each.path("status").asString("").equals("True"))
                .map(each -> each.path("message").asString(""))
                .anyMatch(message -> ids.stream().anyMatch(id -> message.contains("'" + id + "'")));
    }

    /** The record before the call, which remembers until the run has ended that its key was given. */
    ProgressRecord remembered(ProgressRecord before, Outcome outcome) {
        boolean given = before.keyGiven() || monitor.locked(() -> keyGiven);
        return before.withKeyGiven(given && outcome instanceof Outcome.Retry);
    }

    private Run run(ObjectNode body) {
        ProgressState progress = rounds.progress();
        return new Run(
                handler.id(),
                progress.record(handler),
                environment.marks(),
                id -> {
                    ProgressRecord known = progress.recordOf(id);
                    return known == null ? environment.storage().fetch(id, body) : known;
                },
                body);
    }

    /**
     * The progress is about to be removed of handlers that have begun and not ended: what they do next is another run,
     * with keys of its own. People are told of steps whose end nobody knows; a deletion asks about those that can be
     * taken back.
     *
     * @param givenUp their records
     * @param object as it is stored
     */
    static void givenUp(
            Map<String, ProgressRecord> givenUp, ObjectProcessor processor, ResourceObject object, PatchContent patch) {
        StoredState stored = processor.stored();
        ObjectNode body = object.node();
        givenUp.forEach((id, record) -> {
            Run run = new Run(
                    id, record, stored.stepMarks(), below -> stored.progress().fetch(below, body), body);
            if (run.hasAny()) {
                run.count(patch.merge());
            }
            List<String> doubts = DeletionState.isRequested(body) ? run.stepsInDoubtForGood() : run.stepsInDoubt();
            tellOfDoubts("Handler '" + id + "' was given up", doubts, processor, object, patch);
        });
    }

    /**
     * What is recorded of one run of a handler that is no sub-handler, with all below it.
     *
     * @param ofHandler the record of the handler itself
     * @param records those of sub-handlers and steps; null for none
     */
    private record Run(
            String handlerId,
            ProgressRecord ofHandler,
            StepMarks marks,
            Function<String, @Nullable ProgressRecord> records,
            ObjectNode body) {
        /** True if it has made steps or given its key, or a sub-handler has. */
        boolean hasAny() {
            return ofHandler.keyGiven() || ofHandler.subrefs().stream().anyMatch(id -> isStep(id) || hasGivenKey(id));
        }

        List<String> stepsInDoubt() {
            return ofHandler.subrefs().stream().filter(id -> step(id).intent()).toList();
        }

        /** Those of which no mark is left that a deletion would ask about. */
        List<String> stepsInDoubtForGood() {
            List<String> left = new ArrayList<>(stepsInDoubt());
            marks.undoables(body).stream()
                    .filter(each -> each.known().intent())
                    .map(StepMarks.Undoable::id)
                    .forEach(left::remove);
            return left;
        }

        /** Adds to the patch that it has ended. */
        void count(ObjectNode patch) {
            marks.countRun(handlerId, body, patch);
            List<String> subHandlers =
                    ofHandler.subrefs().stream().filter(id -> !isStep(id)).toList();
            if (!subHandlers.isEmpty()) {
                marks.countRunOfAll(handlerId, subHandlers, body, patch);
            }
        }

        private boolean isStep(String id) {
            ProgressRecord record = records.apply(id);
            return record != null && record.step() != null;
        }

        private ProgressRecord.Step step(String id) {
            ProgressRecord record = records.apply(id);
            return record == null ? ProgressRecord.Step.NOTHING : record.stepOrNothing();
        }

        private boolean hasGivenKey(String subHandlerId) {
            ProgressRecord record = records.apply(subHandlerId);
            return (record != null && record.keyGiven()) || marks.hasOwnNumber(subHandlerId, body);
        }
    }
}
