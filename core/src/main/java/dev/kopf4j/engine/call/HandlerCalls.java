package dev.kopf4j.engine.call;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.LongWaitSignal;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How the handlers of objects are called. Thread-safe.
 *
 * @param runner makes the calls
 * @param contexts makes what handlers are given
 * @param objects makes the objects that they see
 * @param leftBehind the calls that go on although they were interrupted
 */
public record HandlerCalls(
        HandlerRunner runner, ContextFactory contexts, ResourceObject.Factory objects, CallsLeftBehind leftBehind) {
    /** Calls of which none goes on yet. */
    public HandlerCalls(HandlerRunner runner, ContextFactory contexts, ResourceObject.Factory objects) {
        this(runner, contexts, objects, new CallsLeftBehind());
    }

    /** The time and the tasks of the calls. */
    public Platform platform() {
        return runner.platform();
    }

    /**
     * The same calls on behalf of other calls that wait for them: if they needed a permit, both could wait for ever.
     */
    public HandlerCalls withoutLimit() {
        return new HandlerCalls(runner.withoutLimit(), contexts, objects, leftBehind);
    }

    /** The same calls, whose steps come from there. */
    public HandlerCalls with(ContextFactory.StepsSource steps) {
        return new HandlerCalls(runner, contexts.with(steps), objects, leftBehind);
    }

    /** The same calls, which begin whether this replica leads or not. */
    public HandlerCalls unfenced() {
        return new HandlerCalls(runner.fenced(LeadershipFence.OPEN), contexts, objects, leftBehind);
    }

    /**
     * The same calls for handlers whose records are not stored: the limits of their attempts do not follow the wall
     * clock, which may be set at any time.
     */
    public HandlerCalls steady() {
        return new HandlerCalls(runner.steady(), contexts, objects, leftBehind);
    }

    /** The record of a handler that was not called yet, and whose record is not stored. */
    public ProgressRecord freshRecord() {
        return ProgressRecord.fresh(platform().now(), null);
    }

    /**
     * An attempt of a handler whose progress is not stored: it sees what others have changed in this cycle, and its own
     * changes go {@linkplain HandlerAttempt#makeInto into the same patch}.
     *
     * @param before how far it has come
     * @param patch what is to be written at the end of the cycle
     */
    public HandlerAttempt attempt(
            RegisteredHandler handler,
            ResourceObject object,
            InvocationCause cause,
            ProgressRecord before,
            PatchContent patch) {
        PatchContent own = PatchContent.after(patch);
        ResourceObject seen = object.with(patch.preview(object.node()));
        return new HandlerAttempt(this, handler, seen, cause, before, own);
    }

    /**
     * The calls of an operator's handlers that go on although they were interrupted: as long as one does, its handler
     * is not called for the object again, whichever stream has the object by then, and of whichever version of its
     * resource. Thread-safe.
     */
    public static final class CallsLeftBehind {
        private final Map<Call, Task> calls = new ConcurrentHashMap<>();

        /** The kind is null for all handlers of changes, as one that is for several of them has one id. */
        private record Call(
                String group,
                String plural,
                String uid,
                @Nullable HandlerKind kind,
                String handler) {
            static Call of(Resource resource, String uid, RegisteredHandler handler) {
                HandlerKind kind = switch (handler.kind()) {
                    case EVENT, RECONCILE, CHILD -> handler.kind();
                    default -> null;
                };
                return new Call(resource.group(), resource.plural(), uid, kind, handler.id());
            }

            boolean isFor(Resource resource, String object) {
                return group.equals(resource.group()) && plural.equals(resource.plural()) && uid.equals(object);
            }
        }

        /** Remembers a call that goes on. */
        public void add(Resource resource, String uid, RegisteredHandler handler, Task call) {
            calls.values().removeIf(Task::isFinished);
            calls.put(Call.of(resource, uid, handler), call);
        }

        /** Remembers a call that goes on. */
        void add(ResourceObject object, RegisteredHandler handler, Task call) {
            add(object.resource(), uid(object), handler, call);
        }

        /** Whether a call of this handler goes on. */
        public boolean has(Resource resource, String uid, RegisteredHandler handler) {
            Task call = calls.isEmpty() ? null : calls.get(Call.of(resource, uid, handler));
            return call != null && !call.isFinished();
        }

        /** Whether a call of this handler goes on. */
        public boolean has(ResourceObject object, RegisteredHandler handler) {
            return has(object.resource(), uid(object), handler);
        }

        /** Waits until no call of this handler goes on: what it is to be told now cannot be told later. */
        public void awaitEnd(ResourceObject object, RegisteredHandler handler) throws InterruptedException {
            Task call = calls.isEmpty() ? null : calls.get(Call.of(object.resource(), uid(object), handler));
            if (call != null && !call.isFinished()) {
                ObjectTurns.endTurn();
                LongWaitSignal.begins();
                try {
                    boolean _ = call.join(Deadline.NEVER);
                } finally {
                    LongWaitSignal.ends();
                }
            }
        }

        private static String uid(ResourceObject object) {
            String uid = object.reference().uid();
            return uid == null ? object.reference().toString() : uid;
        }

        /** The calls of the handlers of an object that go on. */
        public List<Task> of(Resource resource, String uid) {
            return calls.entrySet().stream()
                    .filter(each -> each.getKey().isFor(resource, uid))
                    .map(Map.Entry::getValue)
                    .filter(call -> !call.isFinished())
                    .toList();
        }
    }
}
