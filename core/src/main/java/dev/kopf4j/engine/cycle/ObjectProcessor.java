package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ParentChildren;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.index.ObjectIndexer;
import dev.kopf4j.engine.index.WrittenObjects.StreamKnowledge;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.tracing.FailureText;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.io.InterruptedIOException;
import java.io.Serial;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Processes the events of the objects of one stream, each in a cycle, and tells what has changed in them. Thread-safe;
 * an object's memory is given to one worker at a time.
 */
public final class ObjectProcessor {
    private final OperatorCycles cycles;
    private final Resource resource;
    private final ResourceHandlers handlers;
    private final ConsistencyCheck consistencyCheck;
    private final ObjectIndexer indexer;
    private final ParentChildren children;
    private final ObjectThrottling throttling;

    ObjectProcessor(OperatorCycles cycles, Resource resource, ResourceHandlers handlers) {
        this.cycles = cycles;
        this.resource = resource;
        this.handlers = handlers;
        this.consistencyCheck = new ConsistencyCheck(
                cycles.calls().platform(), cycles.settings().persistence().consistencyTimeout());
        this.indexer = ObjectIndexer.of(handlers.indices(), cycles.indexing());
        this.children = new ParentChildren(cycles.children(), handlers.children());
        this.throttling = new ObjectThrottling(
                cycles.settings().queueing().errorDelays(), cycles.sender().failing());
    }

    /** True if each event counts; otherwise only the newest state does. */
    public boolean seesEachEvent() {
        return keepsEachEvent() || indexes();
    }

    /** True if each event counts also for handlers that wait for the indices to be complete. */
    public boolean keepsEachEvent() {
        return !handlers.events().isEmpty();
    }

    /** True if the objects are in indices. */
    public boolean indexes() {
        return !indexer.isIdle();
    }

    /** True if there are handlers that must not be called before everything is indexed. */
    public boolean waitsForIndices() {
        return handlers.handlesStates() || !handlers.events().isEmpty();
    }

    /**
     * The memory of an object that was not known; its daemons and timers may be left from an earlier stream.
     *
     * @param noticedByListing true if it was listed, false if an event told of it
     * @param stream how far its stream has come
     */
    public ObjectMemory newMemory(
            String uid, ObjectReference reference, boolean noticedByListing, StreamProgress stream) {
        ObjectMemory memory = new ObjectMemory(uid, reference, noticedByListing, stream);
        ObjectDaemons left = cycles.daemons().find(resource, uid);
        if (left != null) {
            memory.remember(left);
        }
        return memory;
    }

    /**
     * The calls of the object's handlers that go on although they were interrupted: as long as they do, nobody else may
     * handle the object.
     */
    public List<Task> callsLeftBehind(ObjectMemory memory) {
        return cycles.calls().leftBehind().of(resource, memory.uid());
    }

    boolean hasLeftBehind(ObjectMemory memory, RegisteredHandler handler) {
        return cycles.calls().leftBehind().has(resource, memory.uid(), handler);
    }

    void leaveBehind(ObjectMemory memory, RegisteredHandler handler, Task call) {
        cycles.calls().leftBehind().add(resource, memory.uid(), handler, call);
    }

    /** The memo of an object, made when it is asked for first. Safe for all threads. */
    public Supplier<Object> memo(ObjectMemory memory) {
        return () -> memory.memo(memos());
    }

    OperatorMemos memos() {
        return cycles.calls().objects().memos();
    }

    /**
     * The object is not looked at any more, and leaves the indices.
     *
     * @param forGood false if another stream will look at it: what its daemons and timers have done still counts then
     */
    public void discard(ObjectMemory memory, boolean forGood) {
        indexer.discard(memory);
        forgetChildren(memory);
        if (forGood) {
            memory.discard(memos());
        }
    }

    /** Other replicas act on the object from now on: nothing is remembered of it but what it has in the indices. */
    public void leaveToOthers(ObjectMemory memory) {
        forgetChildren(memory);
        dropPending(memory);
        memory.leaveToOthers(memos());
    }

    /** Has the objects in the indices. */
    public ObjectIndexer indexer() {
        return indexer;
    }

    /**
     * The operator itself has written an object, which is found in the indices from now on as it is.
     *
     * @param known what is remembered of the object, or would be
     * @throws InterruptedException if the operator stops
     */
    public void written(ObjectMemory known, ObjectNode body, StreamKnowledge stream) throws InterruptedException {
        ResourceObject object = objectForIndices(known, body);
        try {
            indexer.written(object, RawEvent.of(WatchEventType.MODIFIED, body), stream);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            notIndexed(object, e);
        }
    }

    /** Drops what is left to do for the object, and what is known of its state and versions: all will come anew. */
    public void dropPending(ObjectMemory memory) {
        memory.dropPending();
        consistencyCheck.forgetVersions(memory);
    }

    /** Forgets versions that were learnt before that list, which had the object: the server may count anew. */
    public void forgetVersionsBefore(ObjectMemory memory, int list) {
        consistencyCheck.forgetVersionsBefore(memory, list);
    }

    /** True if an event leaves nothing to do, and nobody needs to see it. */
    public boolean skipsOwnChange(ObjectMemory memory, WatchEventType type, String version) {
        return consistencyCheck.skips(memory, type, version);
    }

    /**
     * Calls the index functions, and nobody else, with an event of an object.
     *
     * @param wakeUp of the worker
     * @throws InterruptedException if the operator stops
     */
    public void index(ObjectMemory memory, RawEvent event, ObjectWakeUp wakeUp) throws InterruptedException {
        if (!indexes()) {
            return;
        }
        ResourceObject object = objectForIndices(memory, event.body());
        try {
            indexer.update(object, event, memory);
        } catch (InterruptedException e) {
            if (wakeUp.isInterrupted()) {
                throw e;
            }
            notIndexed(object, new ForeignInterruptException(e));
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            notIndexed(object, e);
        }
    }

    /**
     * True if an event of an object that is left alone after an error is not to wait: people ask for something else
     * since then, or the object is deleted. Each such change ends one wait.
     */
    public boolean endsThrottling(ObjectMemory memory, RawEvent event) {
        CompactBody kept = memory.rememberedBody();
        if (kept == null || ResourceVersions.isOlder(ResourceVersions.of(event.body()), kept.version())) {
            return false;
        }
        ObjectNode before = kept.parse();
        return (DeletionState.isRequested(event.body()) && !DeletionState.isRequested(before))
                || interventions().asksAnew(before, event.body());
    }

    private static void notIndexed(ResourceObject object, Throwable e) {
        object.logger()
                .error(
                        Platform.UNEXPECTED,
                        "The object could not be indexed, due to an unexpected error.",
                        Platform.tellable(e));
    }

    private ResourceObject objectForIndices(ObjectMemory memory, ObjectNode body) {
        return cycles.calls().objects().forIndices(resource, memory.reference(), body, memo(memory));
    }

    /**
     * Processes one event of an object, which index functions have seen already, or one moment that it has waited for.
     *
     * @param wakeUp tells the object's worker later that there is more to do, and knows who has interrupted it
     * @throws InterruptedException if the operator stops
     * @throws StackOverflowError if the object is nested too deeply to be processed
     */
    public CycleResult process(ObjectMemory memory, CycleTrigger trigger, ObjectWakeUp wakeUp)
            throws InterruptedException {
        if (!children.isIdle() && memory.children() == null && !trigger.isGone()) {
            memory.children(children.begin(memory.uid(), memory.reference(), wakeUp::childrenChanged));
        }
        CycleResult result = new ObjectCycle(this, memory, trigger).run(wakeUp);
        if (result instanceof CycleResult.Forget) {
            forgetChildren(memory);
        }
        memory.tellOfEndedDaemons(wakeUp::daemonsEnded);
        return result;
    }

    private void forgetChildren(ObjectMemory memory) {
        if (memory.children() != null) {
            children.end(memory.children());
            memory.children(null);
        }
    }

    /** An object in any state. Holds nothing else of the memory: daemons and timers keep this while they run. */
    Function<BodyView, ResourceObject> objects(ObjectMemory memory) {
        return body -> cycles.calls().objects().of(resource, memory.reference(), body, memo(memory));
    }

    /** Posts a Kubernetes event about an object. */
    void post(ObjectEvent event) {
        cycles.calls().objects().events().post(event);
    }

    /** What it shares with the cycles of all objects. */
    public OperatorCycles cycles() {
        return cycles;
    }

    Platform platform() {
        return cycles.calls().platform();
    }

    HandlerCalls calls() {
        return cycles.calls();
    }

    /** What the operator stores on objects. */
    StoredState stored() {
        return cycles.stored();
    }

    /** What people ask of objects. */
    Interventions interventions() {
        return stored().interventions();
    }

    /** Which of the due handlers are called in one cycle. */
    HandlerLifecycle lifecycle() {
        return cycles.settings().execution().lifecycle();
    }

    /** The resource of the objects. */
    public Resource resource() {
        return resource;
    }

    ResourceHandlers handlers() {
        return handlers;
    }

    ConsistencyCheck consistencyCheck() {
        return consistencyCheck;
    }

    ObjectThrottling throttling() {
        return throttling;
    }

    /** The handling of the objects' children. */
    ParentChildren children() {
        return children;
    }

    /** What has changed since the object was last handled. */
    Change change(ObjectNode body) {
        return stored().detector().change(body, handlers.fields());
    }

    /** The part of a state that matters to handlers. */
    ObjectNode essenceOf(ObjectNode body) {
        return stored().detector().essence(body, handlers.fields());
    }

    /** What may be told of a failure of the user's code for an object. */
    String told(Throwable failure) {
        return FailureText.of(failure, LoggedContent.isSecret(resource), true);
    }

    /** Has the worker of an object look at it again. Called by any thread. */
    public interface ObjectWakeUp {
        /** Daemons or timers of the object have ended. */
        void daemonsEnded();

        /** Something has happened to the children of the object. */
        void childrenChanged();

        /** True if the framework has interrupted the worker; otherwise an interrupt is one of the user's code. */
        boolean isInterrupted();
    }

    /**
     * The user's code has interrupted the worker that called it: a filter, for example, that has caught the timeout of
     * a look-up, which is an {@link InterruptedIOException}. That is an error of its object, and stops nothing.
     */
    static final class ForeignInterruptException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        ForeignInterruptException(InterruptedException cause) {
            super("code of the operator, such as a filter, has interrupted its thread", cause);
        }
    }

    /** Why a cycle runs. Immutable. */
    public sealed interface CycleTrigger {
        /** The state of the object. */
        ObjectNode body();

        /** True if newer events wait already: the state is outdated for change handlers. */
        boolean outdated();

        /** True if the object does not exist any more. */
        default boolean isGone() {
            return this instanceof Event(var event, var _) && event.type() == WatchEventType.DELETED;
        }

        /**
         * An event.
         *
         * @param event the event
         * @param outdated true if it is not the newest one
         */
        record Event(RawEvent event, boolean outdated) implements CycleTrigger {
            @Override
            public ObjectNode body() {
                return event.body();
            }
        }

        /**
         * A moment has come for which the object has waited.
         *
         * @param body the newest known state
         */
        record WakeUp(ObjectNode body) implements CycleTrigger {
            @Override
            public boolean outdated() {
                return false;
            }
        }
    }

    /** What comes next for an object after a cycle. */
    public sealed interface CycleResult {
        /** Nothing until its next event. */
        record Idle() implements CycleResult {}

        /**
         * Another cycle at that moment, unless an event comes first. Nothing is written for it: the schedule has it.
         *
         * @param at the moment
         */
        record WakeUp(Deadline at) implements CycleResult {}

        /**
         * Nothing before that moment, whatever comes: there was an unexpected error.
         *
         * @param until the moment
         */
        record Throttled(Deadline until) implements CycleResult {}

        /** The object does not exist any more. */
        record Forget() implements CycleResult {}
    }

    /** The stream of an object: what it brings, and how far it has come. Thread-safe. */
    public interface StreamProgress {
        /** Refers to one of its objects. */
        ObjectReference reference(@Nullable String name, @Nullable String uid, @Nullable String namespace);

        /** The number of the list that has begun last. */
        int currentList();

        /** True if events wait to be read, as there is no room for them. */
        boolean isHeldUp();

        /** True if events come, and that version of an object was not reached yet: it will come by itself. */
        boolean willReach(String version);
    }
}
