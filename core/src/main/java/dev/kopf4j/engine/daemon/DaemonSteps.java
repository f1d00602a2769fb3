package dev.kopf4j.engine.daemon;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Steps;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.daemon.RunningDaemon.StopSignal;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.steps.CallSteps;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.engine.steps.StepJournal;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records the steps of one attempt of a timer or a daemon. They are kept below a record of its own, which names them,
 * and tells also that a key was given: a timer's until its call has succeeded or failed for good, a daemon's until it
 * ends by itself; a daemon that is asked to stop leaves them to the next process. Confined to the task of the attempt.
 */
final class DaemonSteps implements StepJournal {
    private static final Duration UNTIL_STOPPED = Duration.ofSeconds(1);

    private final RunningDaemon running;
    private final StepEnvironment shared;
    private final StopSignal signal;
    private final Writer writer;
    private final RegisteredHandler handler;
    private final Set<String> ids = new LinkedHashSet<>();
    private boolean isKeyGiven;
    /** What waits for the next request. */
    private final Map<String, ProgressRecord> noted = new LinkedHashMap<>();

    /**
     * None yet.
     *
     * @param shared what all steps share
     * @param signal tells that the daemon should stop
     * @param writer writes what is recorded while the attempt goes on
     */
    DaemonSteps(RunningDaemon running, StepEnvironment shared, StopSignal signal, Writer writer) {
        this.running = running;
        this.shared = shared;
        this.signal = signal;
        this.writer = writer;
        this.handler = running.handler();
    }

    /** Writes changes of the daemon's object in the current task, again and again if that fails. */
    @FunctionalInterface
    interface Writer {
        /** Returns the object as the server has answered last; null if it has not. */
        @Nullable ObjectNode write(PatchContent changes);
    }

    /** The steps of the attempt. */
    Steps of(HandlerContext context) {
        return new CallSteps(shared, context, this);
    }

    @Override
    public String owner() {
        return handler.stepsOwner();
    }

    @Override
    public boolean isEndless() {
        return handler.kind() == HandlerKind.DAEMON;
    }

    @Override
    public int runs() {
        return shared.marks().runs(owner(), object());
    }

    @Override
    public ObjectNode object() {
        return running.object().snapshot().node();
    }

    @Override
    public ProgressRecord begin(String id) {
        shared.storage().problem(id).ifPresent(problem -> {
            throw new HandlerDeclarationException("the step '" + id + "' cannot be recorded: " + problem);
        });
        ids.add(id);
        ObjectNode body = object();
        ProgressRecord known = noted.get(id);
        if (known == null && shared.storage().fetch(owner(), body) != null) {
            known = shared.storage().fetch(id, body);
        }
        return known == null ? ProgressRecord.fresh(shared.platform().now(), null) : known;
    }

    @Override
    public void note(String id, ProgressRecord record) {
        noted.put(id, record);
    }

    @Override
    public void write(Map<String, ProgressRecord> records, ObjectNode marks) throws InterruptedException {
        PatchContent changes = new PatchContent();
        MergePatch.mergeInto(changes.merge(), marks);
        noted.putAll(records);
        storeNoted(changes.merge());
        AtomicReference<@Nullable ObjectNode> answered = new AtomicReference<>();
        // In a task of its own: whoever interrupts the daemon interrupts no request.
        Task writing = shared.platform()
                .spawn(
                        "steps of " + handler.id() + "@"
                                + running.object().reference().name(),
                        () -> answered.set(writer.write(changes)));
        join(writing);
        // Not as it is known: an event from before may have come meanwhile.
        ObjectNode told = answered.get();
        ObjectNode stored = told == null ? object() : told;
        if (signal.isSet() && !records.isEmpty() && !isStored(records, stored)) {
            throw new TemporaryException("a step could not be recorded, as " + handler + " stops", UNTIL_STOPPED);
        }
        shared.requireStored(records, stored, true);
    }

    /** The deletion takes back what is recorded: whoever interrupts the daemon waits for that. */
    private void join(Task writing) throws InterruptedException {
        boolean interrupted = false;
        while (!writing.isFinished()) {
            try {
                var _ = writing.join(Deadline.NEVER);
            } catch (InterruptedException e) {
                if (!running.monitor().locked(running::holdsDeletion)) {
                    throw e;
                }
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean othersAreLeft() {
        return false;
    }

    @Override
    public void keyGiven() {
        isKeyGiven = true;
    }

    @Override
    public void make(boolean undoable, Making making) throws InterruptedException {
        String refusal = running.monitor().locked(() -> running.beginSteps(undoable));
        if (refusal != null) {
            throw new InterruptedException(refusal);
        }
        try {
            making.make();
        } finally {
            running.monitor().locked(running::endSteps);
        }
    }

    private boolean isStored(Map<String, ProgressRecord> records, ObjectNode body) {
        return records.keySet().stream().allMatch(id -> shared.storage().fetch(id, body) != null);
    }

    private void storeNoted(ObjectNode patch) {
        if (noted.isEmpty() && !isKeyGiven) {
            return;
        }
        ObjectNode body = object();
        ProgressRecord known = shared.storage().fetch(owner(), body);
        if (noted.isEmpty() && known != null) {
            return;
        }
        ProgressRecord begun =
                known == null ? ProgressRecord.fresh(shared.platform().now(), null) : known;
        shared.storage().store(owner(), begun.withSubrefs(ids), body, patch);
        noted.forEach((id, record) -> shared.storage().store(id, record, body, patch));
        shared.storage().flush();
        noted.clear();
    }

    /** The attempt has ended: adds to its patch what is left to be recorded, or the removal of all records. */
    void ended(Outcome outcome, PatchContent patch) {
        if (!hasAny()) {
            return;
        }
        boolean goesOnLater = handler.kind() == HandlerKind.DAEMON && signal.isSet();
        if (outcome instanceof Outcome.Retry || goesOnLater) {
            storeNoted(patch.merge());
            return;
        }
        ObjectNode body = object();
        ProgressRecord known = shared.storage().fetch(owner(), body);
        if (known != null) {
            ids.addAll(known.subrefs());
            ids.add(owner());
        }
        ObjectNode removal = Json.object();
        ids.forEach(id -> shared.storage().purge(id, body, removal));
        shared.storage().flush();
        shared.marks().countRun(owner(), body, removal);
        MergePatch.mergeInto(patch.merge(), removal);
    }

    /**
     * True if this attempt, or an earlier one, has made steps or given its key. Timers without steps read the object
     * once.
     */
    private boolean hasAny() {
        boolean any = !ids.isEmpty()
                || isKeyGiven
                || (running.mayHaveSteps() && shared.storage().fetch(owner(), object()) != null);
        running.mayHaveSteps(any);
        return any;
    }
}
