package dev.kopf4j.engine.daemon;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Steps;
import dev.kopf4j.Stopped;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.call.Outcome;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records the steps of one attempt of a timer or a daemon. They are kept below a record of its own, which names them: a
 * timer's until its call has succeeded or failed for good, a daemon's until it ends by itself; a daemon that is asked
 * to stop leaves them to the next process. Confined to the task of the attempt.
 */
final class DaemonSteps implements StepJournal {
    private static final Duration UNTIL_STOPPED = Duration.ofSeconds(1);

    private final DaemonEnvironment environment;
    private final StepEnvironment steps;
    private final LiveObject object;
    private final RegisteredHandler handler;
    private final Stopped stopped;
    private final Set<String> ids = new LinkedHashSet<>();
    /** What waits for the next request. */
    private final Map<String, ProgressRecord> noted = new LinkedHashMap<>();

    DaemonSteps(DaemonEnvironment environment, LiveObject object, RegisteredHandler handler, Stopped stopped) {
        this.environment = environment;
        this.steps = environment.steps();
        this.object = object;
        this.handler = handler;
        this.stopped = stopped;
    }

    /** The steps of the attempt. */
    Steps of(HandlerContext context) {
        return new CallSteps(steps, context, this);
    }

    @Override
    public String owner() {
        return handler.stepsOwner();
    }

    @Override
    public ObjectNode object() {
        return object.snapshot().node();
    }

    @Override
    public ProgressRecord begin(String id) {
        steps.storage().problem(id).ifPresent(problem -> {
            throw new HandlerDeclarationException("the step '" + id + "' cannot be recorded: " + problem);
        });
        ids.add(id);
        ObjectNode body = object();
        ProgressRecord known = noted.get(id);
        if (known == null && steps.storage().fetch(owner(), body) != null) {
            known = steps.storage().fetch(id, body);
        }
        return known == null ? ProgressRecord.fresh(steps.platform().now(), null) : known;
    }

    @Override
    public void note(String id, ProgressRecord record) {
        noted.put(id, record);
    }

    @Override
    public void write(Map<String, ProgressRecord> records, ObjectNode marks) throws InterruptedException {
        PatchContent patch = new PatchContent();
        MergePatch.mergeInto(patch.merge(), marks);
        noted.putAll(records);
        storeNoted(patch.merge());
        // In a task of its own: whoever interrupts the daemon interrupts no request.
        Task writing = steps.platform()
                .spawn(
                        "steps of " + handler.id() + "@" + object.reference().name(),
                        () -> new DaemonAttempt.DaemonPatchRetries(environment, object, handler, stopped).write(patch));
        var _ = writing.join(Deadline.NEVER);
        if (stopped.isSet() && !records.isEmpty() && !isStored(records)) {
            throw new TemporaryException("a step could not be recorded, as " + handler + " stops", UNTIL_STOPPED);
        }
        steps.requireStored(records, object(), true);
    }

    private boolean isStored(Map<String, ProgressRecord> records) {
        ObjectNode body = object();
        return records.keySet().stream().allMatch(id -> steps.storage().fetch(id, body) != null);
    }

    private void storeNoted(ObjectNode patch) {
        if (noted.isEmpty()) {
            return;
        }
        ObjectNode body = object();
        ProgressRecord known = steps.storage().fetch(owner(), body);
        ProgressRecord begun =
                known == null ? ProgressRecord.fresh(steps.platform().now(), null) : known;
        steps.storage().store(owner(), begun.withSubrefs(ids), body, patch);
        noted.forEach((id, record) -> steps.storage().store(id, record, body, patch));
        steps.storage().flush();
        noted.clear();
    }

    /**
     * The attempt has ended: adds to its patch what is left to be recorded, or the removal of all records.
     *
     * @param outcome null if it was stopped by force
     */
    void ended(@Nullable Outcome outcome, PatchContent patch) {
        if (ids.isEmpty()) {
            return;
        }
        boolean goesOnLater = handler.kind() == HandlerKind.DAEMON && stopped.isSet();
        if (outcome == null || outcome instanceof Outcome.Retry || goesOnLater) {
            storeNoted(patch.merge());
            return;
        }
        ObjectNode body = object();
        ProgressRecord known = steps.storage().fetch(owner(), body);
        if (known != null) {
            ids.addAll(known.subrefs());
            ids.add(owner());
        }
        ObjectNode removal = Json.object();
        ids.forEach(id -> steps.storage().purge(id, body, removal));
        steps.storage().flush();
        steps.marks().countRun(owner(), body, removal);
        MergePatch.mergeInto(patch.merge(), removal);
    }
}
