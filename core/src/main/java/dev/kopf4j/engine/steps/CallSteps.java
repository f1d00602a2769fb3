package dev.kopf4j.engine.steps;

import dev.kopf4j.BindingException;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Reason;
import dev.kopf4j.StepInDoubtException;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.TypeRef;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.crd.Condition;
import dev.kopf4j.engine.call.RetryPolicy;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.steps.PlannedStep.ResultRefusedException;
import dev.kopf4j.engine.tracing.SpanTrace;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ValueBinding;
import dev.kopf4j.persistence.conventions.AnnotationSizeLimit;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
import dev.kopf4j.persistence.progress.ProgressRecord.Times;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.persistence.progress.StepMarks.Undoable;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The steps of one call of a handler. For each one it looks into the record, has an intent recorded where one is
 * wanted, makes the call, and has its end recorded before it returns. Confined to the thread of the handler's call.
 */
public final class CallSteps implements Steps {
    /** The reason of events, and the type of the condition: nobody knows whether a call was made. */
    public static final String IN_DOUBT = "StepInDoubt";

    private static final String IN_TURN = "make one after the other, or side by side by steps.all(...)";

    /** So many warnings are enough. */
    private static final int TOLD_MAX = 1000;

    /** The step that the current thread calls, searches or takes back. */
    private static final ScopedValue<Current> CURRENT = ScopedValue.newInstance();

    private final StepEnvironment environment;
    private final HandlerContext context;
    private final StepJournal journal;
    /** True while a thread makes steps. */
    private final AtomicBoolean busy = new AtomicBoolean();
    /** How many are being called, searched or taken back, in whatever threads. */
    private final AtomicInteger running = new AtomicInteger();
    /** The ids of those that this call has made. */
    private final Set<String> made = new HashSet<>();

    private int runs = -1;

    /** The steps of the call with that context. */
    public CallSteps(StepEnvironment environment, HandlerContext context, StepJournal journal) {
        this.environment = environment;
        this.context = context;
        this.journal = journal;
    }

    @Override
    public <T extends @Nullable Object> T run(String name, Call<T> call) throws Exception {
        return new PlannedStep<T>(this, name, null).run(call);
    }

    @Override
    public void run(String name, Action action) throws Exception {
        step(name).run(action);
    }

    @Override
    public <T extends @Nullable Object> T run(String name, String key, Call<T> call) throws Exception {
        return new PlannedStep<T>(this, name, null).key(key).run(call);
    }

    @Override
    public void run(String name, String key, Action action) throws Exception {
        step(name).key(key).run(action);
    }

    @Override
    public Step<Object> step(String name) {
        return new PlannedStep<>(this, name, null);
    }

    @Override
    public <T> Step<T> step(String name, TypeRef<T> type) {
        return new PlannedStep<>(this, name, type);
    }

    @Override
    public void all(Step<?>... steps) throws Exception {
        List<PlannedStep<?>> planned = new ArrayList<>();
        for (Step<?> each : steps) {
            if (!(each instanceof PlannedStep<?> own)) {
                throw new IllegalArgumentException("steps are made by steps.step(...), not by " + each);
            }
            planned.add(own);
        }
        makeAll(planned);
        throwFailure(planned);
    }

    private static void throwFailure(List<PlannedStep<?>> steps) throws Exception {
        Throwable first = null;
        for (PlannedStep<?> each : steps) {
            Throwable failure = each.failure();
            if (first == null) {
                first = failure;
            } else if (failure != null && !failure.equals(first)) {
                first.addSuppressed(failure);
            }
        }
        switch (first) {
            case null -> {}
            case Exception exception -> throw exception;
            case Error error -> throw error;
            default -> throw new IllegalStateException(first);
        }
    }

    /** Makes one step; throws what it fails with. */
    void make(PlannedStep<?> step) throws Exception {
        List<PlannedStep<?>> alone = List.of(step);
        makeAll(alone);
        throwFailure(alone);
    }

    private void makeAll(List<PlannedStep<?>> steps) throws InterruptedException {
        refuseAnotherCall();
        if (CURRENT.isBound()) {
            throw new IllegalStateException("a step was begun within the call of the step '"
                    + CURRENT.get().stepId()
                    + "': " + IN_TURN);
        }
        // Else two threads would wait for their records, and one of them for ever.
        if (!busy.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "a step of '" + owner() + "' was begun while another thread makes one: " + IN_TURN);
        }
        try {
            makeAllAlone(steps);
        } finally {
            steps.stream().filter(PlannedStep::isMade).forEach(each -> made.add(each.id()));
            busy.set(false);
        }
    }

    /** A sub-handler's would wait for the handler of these steps, which waits for its sub-handlers. */
    private void refuseAnotherCall() {
        String another = CurrentHandlerContext.handlerBut(context);
        if (another != null) {
            throw new HandlerDeclarationException("the steps of '" + owner() + "' were used in the call of '" + another
                    + "': take those of that call's own context, as in context.steps()");
        }
    }

    private void makeAllAlone(List<PlannedStep<?>> steps) throws InterruptedException {
        refuseTwins(steps);
        var _ = runs();
        List<PlannedStep<?>> open = new ArrayList<>();
        for (PlannedStep<?> each : steps) {
            if (isToBeCalled(each)) {
                open.add(each);
            }
        }
        if (!open.isEmpty()) {
            refuseIfFull();
            journal.make(open.stream().anyMatch(PlannedStep::isUndoable), () -> makeOpen(open));
        }
    }

    /**
     * Else, in a loop, all things but the first would get its result, and nobody would be told. Who names a key means
     * that one thing; and a daemon's call goes on for as long as its object lives.
     */
    private void refuseRepetition(PlannedStep<?> step) {
        if (!step.hasKey() && !step.isMade() && !journal.isEndless() && made.contains(step.id())) {
            throw new HandlerDeclarationException(
                    "the step '" + step.id() + "' was already made in this call; give each"
                            + " thing that it is made for a key, as in steps.run(\"" + step.name()
                            + "\", KEY, () -> ...), or keep its result in a variable");
        }
    }

    private void makeOpen(List<PlannedStep<?>> steps) throws InterruptedException {
        requireThatItMayAct(steps.getFirst());
        recordIntents(steps);
        new StepCalls(steps).make();
    }

    /** The process may have been suspended since the handler was called: another replica makes the step then. */
    private void requireThatItMayAct(Object step) {
        if (!environment.mayAct(context)) {
            throw LeadershipLostException.ofCall(step);
        }
    }

    private void refuseTwins(List<PlannedStep<?>> steps) {
        Set<String> ids = new HashSet<>();
        for (PlannedStep<?> each : steps) {
            refuseRepetition(each);
            if (!ids.add(each.id())) {
                throw new HandlerDeclarationException(
                        "two steps have the id '" + each.id() + "'; give each a name or a key of its own");
            }
        }
    }

    // What is known of a step.

    /** False if its result is known, or it must not be called now; it knows its result, or its failure, then. */
    private boolean isToBeCalled(PlannedStep<?> step) throws InterruptedException {
        ProgressRecord found = journal.begin(step.id());
        ProgressRecord record = found.with(found.stepOrNothing());
        step.record(record);
        if (record.success()) {
            step.made(record.stepOrNothing().result());
            return false;
        }
        if (record.failure()) {
            step.failed(new PermanentException(step + " has failed for good: " + record.message()));
            return false;
        }
        if (record.stepOrNothing().intent()) {
            return isKnownToBeMissing(step);
        }
        // Without limits of its own, a step is due whenever the handler is, whatever the wall clock says by now.
        Instant next = step.hasLimits() ? record.delayed() : null;
        Duration wait = next == null ? Duration.ZERO : Duration.between(now(), next);
        if (wait.isPositive()) {
            step.failed(new TemporaryException(step + " waits for its next attempt.", wait));
            return false;
        }
        step.record(RetryPolicy.countingLateness(step, step.record(), now()));
        RetryDecision refusal = policy(step).checkLimits();
        if (refusal != null) {
            note(step, refusal.outcome(), false);
            step.failed(new PermanentException(refusal.line()));
        }
        return refusal == null;
    }

    /** There is an intent without a result: true if the call has certainly made nothing. */
    private boolean isKnownToBeMissing(PlannedStep<?> step) throws InterruptedException {
        try {
            Call<? extends Optional<?>> search = step.search();
            if (search == null) {
                step.failed(doubt(step));
                return false;
            }
            Optional<?> found = found(step, callAs(step.id(), search::call));
            if (found.isEmpty()) {
                context.logger().info("{} was interrupted, and has made nothing: it is called again.", step);
                return true;
            }
            context.logger().info("{} was interrupted; what it has made was found.", step);
            ended(step, new End(step.json(found.get()), null));
            recordEnded(List.of(step));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            step.failed(e);
        }
        return false;
    }

    @SuppressWarnings("NullableOptional") // users' searches are told what they ought to return
    private static Optional<?> found(Object step, @Nullable Optional<?> answer) {
        if (answer == null) {
            throw new RetryPolicy.UnlimitedException("the search for what " + step
                    + " has made has returned null: it returns Optional.empty() if it has made nothing");
        }
        return answer;
    }

    private StepInDoubtException doubt(PlannedStep<?> step) throws InterruptedException {
        String message = step + " was begun at " + step.record().started()
                + ", and nobody knows whether its call was made. Look for what it makes; then let it be called again by"
                + " the annotation 'retry' with a new token.";
        ProgressRecord before = step.record();
        journal.note(
                step.id(),
                before.with(
                        new Times(before.started(), null, now().plus(new StepInDoubtException("").delay())),
                        new State(false, false, message)));
        return tellOfDoubt(message);
    }

    /** Tells people that the handler stops. */
    private StepInDoubtException tellOfDoubt(String message) {
        context.conditions().set(IN_DOUBT, true, "IntentWithoutResult", message);
        CurrentHandlerContext.events().post(ObjectEvent.warning(CurrentHandlerContext.subject(), IN_DOUBT, message));
        return new StepInDoubtException(message);
    }

    /** An intent has got its result: the object is not in doubt any more, if it was. */
    private void endDoubt() {
        boolean told = context.conditions().get(IN_DOUBT).map(Condition::isTrue).orElse(false);
        if (told) {
            context.conditions().set(IN_DOUBT, false, "Resolved", "");
        }
    }

    // What is recorded.

    /** Nothing is called whose record would find no room. */
    private void refuseIfFull() {
        if (AnnotationSizeLimit.isNearlyReached(journal.object())) {
            throw new PermanentException("no step is made, as the annotations of the object take more than four fifths"
                    + " of what Kubernetes permits (256 KiB), so that it could not be recorded");
        }
    }

    private void recordIntents(List<PlannedStep<?>> steps) throws InterruptedException {
        List<PlannedStep<?>> begun = steps.stream()
                .filter(each ->
                        each.isIntended() && !each.record().stepOrNothing().intent())
                .toList();
        begun.forEach(each -> each.record(each.record().with(new ProgressRecord.Step(true, null))));
        write(begun);
    }

    private void write(List<PlannedStep<?>> steps) throws InterruptedException {
        if (steps.isEmpty()) {
            return;
        }
        Map<String, ProgressRecord> records = new LinkedHashMap<>();
        ObjectNode marks = Json.object();
        long order = environment.marks().nextOrder(journal.object());
        for (PlannedStep<?> each : steps) {
            records.put(each.id(), each.record());
            if (each.isUndoable()) {
                tellIfUnheld(each);
                environment.marks().keep(each.mark(order++, each.record().stepOrNothing()), journal.object(), marks);
            }
        }
        journal.write(records, marks);
    }

    /**
     * Once for each step of a kind's handlers, with that of all sub-handlers: the object goes at once when it is
     * deleted.
     */
    private void tellIfUnheld(PlannedStep<?> step) {
        Set<String> told = environment.toldOfUnheld();
        if (told.size() < TOLD_MAX
                && !environment.held().test(journal.object())
                && told.add(context.resource() + " " + step.kindOfStep())) {
            context.logger()
                    .warn(
                            "{} is undoable, but nothing holds the object when it is deleted: it goes at once, and what the"
                                    + " step has made stays. A deletion handler that is not optional would take it back.",
                            step);
        }
    }

    /** The call of a step has ended. What has succeeded is to be recorded next; failures wait for the handler's end. */
    private void ended(PlannedStep<?> step, End end) throws InterruptedException {
        Throwable thrown = end.thrown();
        if (thrown instanceof LeadershipLostException) {
            step.failed(thrown);
            return;
        }
        RetryPolicy policy = policy(step);
        RetryDecision decision =
                end.isTimeout() ? policy.timedOut() : thrown == null ? policy.returned(null) : policy.threw(thrown);
        if (decision.outcome() instanceof Outcome.Succeeded) {
            succeeded(step, decision, end);
            return;
        }
        // Only a TemporaryException says that nothing was made.
        boolean nothingMade = thrown instanceof TemporaryException;
        note(step, decision.outcome(), step.isIntended() && !nothingMade);
        if (step.isIntended() && step.isUndoable() && nothingMade) {
            ObjectNode marks = Json.object();
            environment.marks().removeIntent(step.id(), runs(), journal.object(), marks);
            journal.write(Map.of(step.id(), step.record()), marks);
        }
        if (thrown instanceof ResultRefusedException && step.isUndoable() && !step.isIntended()) {
            ObjectNode marks = Json.object();
            long order = environment.marks().nextOrder(journal.object());
            // As one that was interrupted: it has made something, and nobody knows what.
            environment.marks().keep(step.mark(order, new ProgressRecord.Step(true, null)), journal.object(), marks);
            journal.write(Map.of(step.id(), step.record()), marks);
        }
        step.failed(failure(step, decision, thrown));
    }

    private void succeeded(PlannedStep<?> step, RetryDecision decision, End end) {
        step.record(after(step, decision.outcome()).with(new ProgressRecord.Step(false, end.result())));
    }

    private static Throwable failure(PlannedStep<?> step, RetryDecision decision, @Nullable Throwable thrown) {
        if (thrown == null) {
            return new PermanentException(decision.line());
        }
        if (!step.hasLimits() || thrown instanceof RetryPolicy.UnlimitedException) {
            return thrown;
        }
        return switch (decision.outcome()) {
            case Outcome.Retry(Duration delay, var _, var _) -> new TemporaryException(decision.line(), delay, thrown);
            case Outcome.Failed _, Outcome.Succeeded _ -> new PermanentException(decision.line(), thrown);
        };
    }

    private void note(PlannedStep<?> step, Outcome outcome, boolean intent) throws InterruptedException {
        // Without limits of its own, a step is due whenever the handler is.
        Outcome counted = outcome instanceof Outcome.Retry(var _, String message, var _) && !step.hasLimits()
                ? new Outcome.Retry(Duration.ZERO, message)
                : outcome;
        step.record(after(step, counted).with(new ProgressRecord.Step(intent, null)));
        journal.note(step.id(), step.record());
    }

    private ProgressRecord after(PlannedStep<?> step, Outcome outcome) {
        return outcome.recordedAfter(step.record(), now());
    }

    /** Records those of the steps that have succeeded. */
    private void recordEnded(List<PlannedStep<?>> steps) throws InterruptedException {
        List<PlannedStep<?>> made =
                steps.stream().filter(each -> each.record().success()).toList();
        write(made);
        for (PlannedStep<?> each : made) {
            each.made(each.record().stepOrNothing().result());
            if (each.isIntended()) {
                endDoubt();
            }
        }
    }

    private RetryPolicy policy(PlannedStep<?> step) {
        return RetryPolicy.of(step, step.record(), now(), environment.defaultBackoff());
    }

    private Instant now() {
        return environment.platform().now();
    }

    String owner() {
        return journal.owner();
    }

    /** Reads what is recorded: another version of the operator may have made it of another type. */
    static <T extends @Nullable Object> T recorded(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (BindingException e) {
            throw new RetryPolicy.UnlimitedException(
                    e.getMessage() + "; this waits for a version of the operator that reads what is recorded");
        }
    }

    // Taking back.

    @Override
    public void undo(Consumer<? super Undo> declarations) throws Exception {
        refuseAnotherCall();
        StepReversals reversals = new StepReversals();
        declarations.accept(reversals);
        reversals.make(context.reason() == Reason.DELETE);
    }

    // Keys.

    @Override
    public String idempotencyKey() {
        refuseInAnotherThread();
        Current keyed = CURRENT.isBound() ? CURRENT.get() : new Current(owner(), runs());
        if (!CURRENT.isBound()) {
            journal.keyGiven();
        }
        byte[] hash =
                sha256((context.uid() + "\n" + keyed.stepId() + "\n" + keyed.run()).getBytes(StandardCharsets.UTF_8));
        ByteBuffer bits = ByteBuffer.wrap(hash);
        // Version 8 is for UUIDs of one's own making (RFC 9562).
        return new UUID((bits.getLong() & ~0xF000L) | 0x8000L, (bits.getLong() & ~(3L << 62)) | (1L << 63)).toString();
    }

    /** While the handler's thread calls a step, or waits for some, nobody knows for which another one asks. */
    private void refuseInAnotherThread() {
        if (!CURRENT.isBound() && running.get() > 0) {
            throw new IllegalStateException("a step of '" + owner() + "' is being called, and nobody knows whether this"
                    + " thread wants its key, or the handler's: ask for the key in the thread of that call, before others"
                    + " get the work");
        }
    }

    /** How often the handler has ended before. */
    int runs() {
        if (runs < 0) {
            runs = journal.runs();
        }
        return runs;
    }

    /** Makes a call as that of a step of this run. */
    private <T extends @Nullable Object> T callAs(String stepId, ScopedValue.CallableOp<T, Exception> call)
            throws Exception {
        return callAs(new Current(stepId, runs()), call);
    }

    private <T extends @Nullable Object> T callAs(Current current, ScopedValue.CallableOp<T, Exception> call)
            throws Exception {
        running.incrementAndGet();
        try {
            return ScopedValue.where(CURRENT, current).call(call);
        } finally {
            running.decrementAndGet();
        }
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    /**
     * What the current thread does something for.
     *
     * @param run how often the step's handler had ended before
     */
    private record Current(String stepId, int run) {}

    /**
     * How a call has ended.
     *
     * @param result what is to be recorded; null for nothing
     * @param thrown null if it has returned
     * @param isTimeout true if it was interrupted, as its time was over
     */
    private record End(@Nullable JsonNode result, @Nullable Throwable thrown, boolean isTimeout) {
        End(@Nullable JsonNode result, @Nullable Throwable thrown) {
            this(result, thrown, false);
        }
    }

    /**
     * Makes the calls of steps that begin together, and has their ends recorded: those together that come at about the
     * same time. One step without a timeout is called in the thread of the handler. Otherwise each has a task of its
     * own, and all have ended when {@link #make} returns or throws. Confined to the thread of the handler's call; used
     * once.
     */
    private final class StepCalls {
        private final List<PlannedStep<?>> planned;
        private final Monitor monitor = environment.platform().monitor();
        /** Those that have ended and are not recorded; guarded by the monitor. */
        private final Map<PlannedStep<?>, End> ends = new LinkedHashMap<>();

        private final Map<PlannedStep<?>, Task> running = new LinkedHashMap<>();
        private final Map<PlannedStep<?>, Deadline> timeouts = new LinkedHashMap<>();

        StepCalls(List<PlannedStep<?>> planned) {
            this.planned = planned;
        }

        /** Makes them; failures are told to the steps. */
        void make() throws InterruptedException {
            if (planned.size() == 1 && planned.getFirst().options().timeout() == null) {
                PlannedStep<?> only = planned.getFirst();
                try {
                    End end = call(only);
                    if (end.thrown() instanceof InterruptedException interruption) {
                        throw interruption;
                    }
                    take(Map.of(only, end));
                } catch (InterruptedException e) {
                    recordInterrupted(e);
                    throw e;
                }
                return;
            }
            planned.forEach(this::start);
            try {
                awaitEnds();
            } catch (InterruptedException | RuntimeException e) {
                running.values().forEach(Task::interrupt);
                joinAll();
                recordInterrupted(e);
                throw e;
            }
        }

        /**
         * What was made before the handler was interrupted, or in spite of it, is recorded all the same; and which
         * steps were called, as they have given their keys.
         */
        private void recordInterrupted(Exception reason) {
            boolean interrupted = Thread.interrupted();
            try {
                takeEnds().forEach((step, end) -> {
                    if (end.thrown() == null) {
                        succeeded(step, policy(step).returned(null), end);
                    }
                });
                recordEnded(planned.stream().filter(each -> !each.isMade()).toList());
                recordCalled();
            } catch (InterruptedException e) {
                interrupted = true;
                reason.addSuppressed(e);
            } catch (RuntimeException e) {
                reason.addSuppressed(e);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private void recordCalled() throws InterruptedException {
            Map<String, ProgressRecord> called = new LinkedHashMap<>();
            for (PlannedStep<?> each : planned) {
                if (!each.isMade() && environment.storage().fetch(each.id(), journal.object()) == null) {
                    called.put(each.id(), each.record());
                }
            }
            if (!called.isEmpty()) {
                journal.write(called, Json.object());
            }
        }

        @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here; whoever waits for it looks at the end
        private End call(PlannedStep<?> step) {
            try {
                requireThatItMayAct(step);
                return new End(callAs(step.id(), step::invoke), null);
            } catch (TaskEndError e) {
                throw e;
            } catch (Throwable e) {
                // Errors, too: a step that has failed is recorded as such.
                return new End(null, Platform.meant(e));
            }
        }

        private void start(PlannedStep<?> step) {
            Map<String, String> logged =
                    Optional.ofNullable(MDC.getCopyOfContextMap()).orElse(Map.of());
            timeouts.put(step, timeout(step));
            Runnable called = SpanTrace.carried(() -> {
                End end = CurrentHandlerContext.callWithContext(context, () -> call(step));
                monitor.locked(() -> {
                    ends.put(step, end);
                });
            });
            running.put(step, environment.platform().spawn(step.id() + "@" + context.name(), () -> {
                MDC.setContextMap(logged);
                called.run();
            }));
        }

        private Deadline timeout(PlannedStep<?> step) {
            Duration left = policy(step).timeLeft();
            return left == null ? Deadline.NEVER : environment.platform().after(left);
        }

        private void awaitEnds() throws InterruptedException {
            Deadline together = Deadline.NEVER;
            while (!running.isEmpty()) {
                Deadline next = timeouts.values().stream().reduce(together, Deadline::orEarlier);
                int known = monitor.locked(ends::size);
                monitor.awaitTrue(() -> ends.size() > known || ends.size() == running.size(), next);
                interruptLate();
                int ended = monitor.locked(ends::size);
                if (ended > 0 && together.isNever()) {
                    together = environment.platform().after(environment.together());
                }
                if (ended == running.size() || together.hasPassed(environment.platform())) {
                    take(takeEnds());
                    together = Deadline.NEVER;
                }
            }
        }

        /** A step that ignores its interruption holds up its handler, whose own timeout may leave both behind. */
        private void interruptLate() {
            List<PlannedStep<?>> late = new ArrayList<>();
            timeouts.forEach((step, deadline) -> {
                if (deadline.hasPassed(environment.platform())) {
                    late.add(step);
                }
            });
            for (PlannedStep<?> each : late) {
                timeouts.remove(each);
                Task task = running.get(each);
                if (task != null) {
                    task.interrupt();
                }
            }
        }

        private Map<PlannedStep<?>, End> takeEnds() {
            Map<PlannedStep<?>, End> taken = monitor.locked(() -> {
                Map<PlannedStep<?>, End> all = new LinkedHashMap<>(ends);
                ends.clear();
                return all;
            });
            Map<PlannedStep<?>, End> judged = new LinkedHashMap<>();
            taken.forEach((step, end) -> {
                running.remove(step);
                boolean wasLate = timeouts.remove(step) == null;
                judged.put(step, wasLate && end.thrown() != null ? new End(null, end.thrown(), true) : end);
            });
            return judged;
        }

        private void take(Map<PlannedStep<?>, End> taken) throws InterruptedException {
            @Nullable RuntimeException failure = null;
            for (Map.Entry<PlannedStep<?>, End> each : taken.entrySet()) {
                try {
                    ended(each.getKey(), each.getValue());
                } catch (RuntimeException e) {
                    failure = failure == null ? e : failure;
                }
            }
            recordEnded(planned.stream().filter(taken::containsKey).toList());
            if (failure != null) {
                throw failure;
            }
        }

        /** Whoever interrupts the handler waits for it, and it waits for its steps. */
        private void joinAll() {
            boolean interrupted = false;
            for (Task each : running.values()) {
                while (!each.isFinished()) {
                    try {
                        var _ = each.join(Deadline.NEVER);
                    } catch (InterruptedException e) {
                        interrupted = true;
                        each.interrupt();
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Takes steps back that the object remembers, the last one first; each is forgotten before the next one is taken
     * back. Confined to the thread of the handler's call; used once.
     */
    private final class StepReversals implements Undo {
        private final StepMarks marks = environment.marks();
        private final Map<String, Declared<?>> declared = new LinkedHashMap<>();
        private final Map<String, Search<?>> searches = new LinkedHashMap<>();

        private record Declared<T>(Class<T> type, KeyedReversal<T> reversal) {
            @SuppressWarnings({"unchecked", "NullAway"}) // a value of the type is bound; reversals are told of null
            void undo(Undoable step, @Nullable Object result) throws Exception {
                T taken = recorded(
                        () -> (T) ValueBinding.bind(result, type, () -> "the result of the step '" + step.id() + "'"));
                reversal.undo(taken, step.key());
            }
        }

        @Override
        public <T> Undo step(String name, Class<T> type, Reversal<T> reversal) {
            return step(name, type, (T result, String key) -> reversal.undo(result));
        }

        @Override
        public <T> Undo step(String name, Class<T> type, KeyedReversal<T> reversal) {
            declared.put(name, new Declared<>(type, reversal));
            return this;
        }

        @Override
        public <T> Undo recover(String name, Class<T> type, Search<T> search) {
            searches.put(name, search);
            return this;
        }

        /**
         * Takes them back.
         *
         * @param all true if each that is remembered must be declared
         */
        void make(boolean all) throws Exception {
            List<Undoable> known = marks.undoables(journal.object());
            boolean othersFollow = all && journal.othersAreLeft();
            if (all && !othersFollow) {
                requireAll(known);
            }
            for (Undoable each : known) {
                Declared<?> how = find(declared, each);
                if (how != null) {
                    takeBack(each, how);
                }
            }
            if (othersFollow) {
                // Those take back what is theirs; whoever is called last sees what nobody has taken back.
                requireAll(marks.undoables(journal.object()));
            }
        }

        private void requireAll(List<Undoable> known) {
            List<String> unknown = known.stream()
                    .filter(each -> find(declared, each) == null)
                    .map(each -> "'" + each.id() + "'")
                    .distinct()
                    .toList();
            if (!unknown.isEmpty()) {
                throw new RetryPolicy.UnlimitedException("the object remembers the steps " + String.join(", ", unknown)
                        + ", and nobody says how they are taken back; declare each as in"
                        + " steps.undo(undo -> undo.step(\"" + known.getFirst().name()
                        + "\", String.class, id -> ...))");
            }
        }

        private static <V> @Nullable V find(Map<String, V> declarations, Undoable step) {
            // Several handlers may have a step of the name; with a handler's id it is that one's.
            V found = declarations.get(step.declared());
            return found == null ? declarations.get(step.name()) : found;
        }

        private void takeBack(Undoable step, Declared<?> how) throws Exception {
            Object result = Json.toJava(step.known().result());
            if (step.known().intent()) {
                Optional<?> found = search(step);
                if (found.isEmpty()) {
                    forget(step);
                    return;
                }
                result = found.get();
            }
            Object taken = result;
            requireThatItMayAct("reversal of the step '" + step.id() + "'");
            CallSteps.this.<@Nullable Void>callAs("undo/" + step.distinctId(), () -> {
                how.undo(step, taken);
                return null;
            });
            // What was taken back is forgotten, also if somebody, or the reversal itself, has interrupted it meanwhile.
            boolean interrupted = Thread.interrupted();
            try {
                forget(step);
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private Optional<?> search(Undoable step) throws Exception {
            Search<?> search = find(searches, step);
            if (search != null) {
                // What is looked for was made with the key of its own run.
                Current interrupted = new Current(step.id(), step.made().run());
                return found("'" + step.id() + "'", callAs(interrupted, () -> search.find(step.key())));
            }
            ObjectNode told = Json.object();
            marks.keep(step.toldOf(), journal.object(), told);
            journal.write(Map.of(), told);
            StepInDoubtException doubt = tellOfDoubt("Step '" + step.id()
                    + "' has an intent and no result, and nobody knows whether its call was made: it cannot be taken back."
                    + " Look for what it makes, and remove it; then let the deletion go on by the annotation 'retry' with a"
                    + " new token.");
            throw doubt;
        }

        private void forget(Undoable step) throws InterruptedException {
            ObjectNode patch = Json.object();
            marks.remove(step, journal.object(), patch);
            journal.write(Map.of(), patch);
        }
    }
}
