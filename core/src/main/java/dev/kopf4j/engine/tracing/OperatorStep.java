package dev.kopf4j.engine.tracing;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One step of an operator's work. It says what happens when it is told, and costs next to nothing if nobody looks at
 * it: differences, bodies and contexts are those that the engine works with. They may hold secrets; who shows or keeps
 * a step decides what of it. Immutable, apart from these.
 */
public sealed interface OperatorStep {
    // The operator.

    /**
     * The operator has come to another stage of its life.
     *
     * @param stage the stage
     * @param detail what there is to say about it, such as its version or why it has failed; empty for nothing
     */
    record OperatorTurned(Stage stage, String detail) implements OperatorStep {}

    /** The stages of an operator's life. */
    enum Stage {
        /** It begins; its start-up handlers are called next. */
        STARTS,
        /** It watches all that it should. */
        READY,
        /** It was asked to stop. */
        STOPS,
        /** It has ended. */
        ENDED
    }

    /**
     * There is one more reason not to act, or one less; leadership is one of them.
     *
     * @param namespace where; null for everywhere
     * @param reason the reason that holds from now on, or does not any more
     * @param holds true if it holds
     */
    record PauseChanged(@Nullable String namespace, String reason, boolean holds) implements OperatorStep {}

    /**
     * From now on the replica acts on the objects of these shards.
     *
     * @param numbers which ones, as ranges
     * @param count of how many
     */
    record ShardsServed(String numbers, int count) implements OperatorStep {}

    /**
     * A login has ended.
     *
     * @param credentials how many there are in use by now; 0 if it has failed
     * @param failure why it has failed; null if it has not. Its message may tell secrets
     */
    record LoggedIn(int credentials, @Nullable Throwable failure) implements OperatorStep {}

    // Streams.

    /**
     * A stream begins, or begins again.
     *
     * @param namespace where it watches; null for the whole cluster
     * @param labelSelector which objects it sees; empty for all
     */
    record StreamBegan(Resource resource, @Nullable String namespace, String labelSelector) implements OperatorStep {}

    /**
     * A stream is doing better or worse.
     *
     * @param stream its title
     * @param listed true once all that existed at its start is known
     * @param paused true while the operator does not act there
     * @param trouble what is wrong; null if nothing is
     */
    record StreamChanged(
            String stream,
            boolean listed,
            boolean paused,
            @Nullable String trouble) implements OperatorStep {}

    // Objects.

    /** A step of the work for one object. */
    sealed interface OfObject extends OperatorStep {
        /** The resource of the object, in the version that is watched. */
        Resource resource();

        /** The object. */
        ObjectReference object();
    }

    /**
     * An event has come, and has found its place in the queue of its object; or the object is known as a child only.
     *
     * @param type what it says
     * @param version the version of the object; empty if it has none
     * @param waits true if it will be processed; false if nothing is left to do for it
     */
    record EventCame(Resource resource, ObjectReference object, WatchEventType type, String version, boolean waits)
            implements OfObject {
        /** True if the object does not exist any more. */
        public boolean gone() {
            return type == WatchEventType.DELETED;
        }
    }

    /**
     * The object will be processed, though no event of it has come.
     *
     * @param why what for
     */
    record WokenUp(Resource resource, ObjectReference object, WakeUp why) implements OfObject {}

    /** Why an object is processed without an event. */
    enum WakeUp {
        /** The moment has come for which it has waited. */
        TIME,
        /** Something has happened to its children. */
        CHILDREN,
        /** Its daemons or timers have ended. */
        DAEMONS
    }

    /**
     * A cycle begins. The same thread tells its end.
     *
     * @param type what the event says with which it begins; null if it begins without one
     * @param version the version of the object; empty if it has none
     * @param waited since the event was received; of several for one object, the first one
     */
    record CycleBegan(
            Resource resource,
            ObjectReference object,
            @Nullable WatchEventType type,
            String version,
            Duration waited) implements OfObject {}

    /**
     * It is clear what is done in the cycle, and why; at most once in a cycle.
     *
     * @param reason what has happened to the object; null if that was not asked
     * @param changed what has changed since it was handled
     * @param decision what is done about it
     * @param handlers the ids of the handlers that are concerned, where some are called
     */
    record CycleDecided(
            Resource resource,
            ObjectReference object,
            @Nullable Reason reason,
            JsonDiff changed,
            Decision decision,
            List<String> handlers)
            implements OfObject {}

    /** What is done in a cycle. */
    enum Decision {
        /** The handlers of the change are called, those that are due. */
        HANDLE,
        /** Nothing: nothing has happened that matters, or everything is done. */
        NOTHING,
        /** Nothing: no handler is concerned. */
        NOT_CONCERNED,
        /** Nothing: somebody has paused the object. */
        PAUSED,
        /** Nothing yet: a newer state is known, and has to be seen first. */
        AWAIT_NEWER,
        /** Nothing: the object is gone, and only the event of that is still to come. */
        AWAIT_DELETED,
        /** Nothing yet: a daemon or a timer makes a step that the handlers of the deletion have to take back. */
        AWAIT_STEP,
        /** Nothing yet: it was done before, and somebody undoes it each time. */
        AWAIT_REPETITION,
        /** The state is asked for, as the operator could not write what it wanted. */
        ASK_STATE,
        /** What an earlier cycle could not write is written first. */
        WRITE_UNSENT,
        /** The finalizer is added or removed; the rest is left to the next cycle. */
        CHANGE_FINALIZER,
        /** Handlers are prepared for another attempt, as somebody has asked for one. */
        RETRY,
        /** Nothing: what the handlers achieve could not be stored on the object. */
        REFUSE
    }

    /**
     * A cycle has failed unexpectedly: the object is left alone for a while.
     *
     * @param failure why
     * @param delay how long it is left alone
     */
    record CycleFailed(Resource resource, ObjectReference object, Throwable failure, Duration delay)
            implements OfObject {}

    /**
     * A cycle has ended.
     *
     * @param next when the next one begins if no event comes before; {@link Deadline#NEVER} if nothing is left to do
     * @param gone true if it was the cycle of the object's deletion: the object is forgotten
     */
    record CycleEnded(Resource resource, ObjectReference object, Deadline next, boolean gone) implements OfObject {}

    /** What was left to do for the object is dropped: the operator stops, pauses, or leaves it to another replica. */
    record WorkDropped(Resource resource, ObjectReference object) implements OfObject {}

    /** A worker has left an object, as there is nothing to do for it at the moment. */
    record WorkerLeft(Resource resource, ObjectReference object) implements OfObject {}

    /**
     * An object could not be read; no handler is called for this state of it.
     *
     * @param reason why, in words
     */
    record ObjectUnreadable(Resource resource, ObjectReference object, String reason) implements OfObject {}

    /**
     * The handling of an object was paused by its annotation, or goes on.
     *
     * @param paused true if it was paused
     */
    record HandlingPaused(Resource resource, ObjectReference object, boolean paused) implements OfObject {}

    /**
     * The children of an object were compared with what handlers say, and written where they differed.
     *
     * @param troubles why those that are not ready are not, or were not written, by their kinds and names; in words
     * @param failed the kinds and names of those that could not be written
     */
    record ChildrenCompared(Resource resource, ObjectReference object, Map<String, String> troubles, Set<String> failed)
            implements OfObject {}

    // Calls.

    /**
     * A call of a handler begins.
     *
     * @param kind what it is called for
     * @param context what it is given; names the object
     */
    record CallBegan(HandlerKind kind, HandlerContext context) implements OperatorStep {}

    /**
     * A call has ended.
     *
     * @param context the same as at its begin
     * @param outcome how; null if it was interrupted, or not even made, as the operator stops, pauses or does not lead
     * @param took from its begin to its end
     * @param result what is stored in the status; null if there is nothing
     * @param failure what it has thrown; null if it has thrown nothing
     */
    record CallEnded(
            HandlerKind kind,
            HandlerContext context,
            HandlerCall.@Nullable Outcome outcome,
            Duration took,
            @Nullable JsonNode result,
            @Nullable Throwable failure)
            implements OperatorStep {}

    // Requests.

    /**
     * An attempt of a request to the API server has ended, or its stream has been opened.
     *
     * @param description what it is for
     * @param request what was sent, but for the credentials
     * @param status the HTTP status; 0 if there was no answer
     * @param took from its begin to its answer
     */
    record RequestEnded(RequestDescription description, TransportRequest request, int status, Duration took)
            implements OperatorStep {
        /** The HTTP method; {@code WATCH} for streams. */
        public String verb() {
            return request.isWatch() ? "WATCH" : request.method();
        }
    }
}
