package dev.kopf4j.engine.cycle;

import dev.kopf4j.Reason;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides whether an object has the operator's finalizer: exactly while a handler, a daemon, a timer or a child has to
 * be served before the object is deleted. Nobody else adds or removes it. Only where no handler sees states, it
 * {@linkplain #isLeftAlone is left alone}.
 *
 * <p>It goes in one of two ways. If nothing needs it, {@link #neededChange} takes it off in a cycle of its own. If all
 * is done for a deletion, {@link #removal} goes with the last progress in one request: that is owed whatever comes, so
 * it is kept until it is sent, while the needed change is decided anew each time.
 *
 * <p>Confined to its user.
 *
 * @param needs knows what may need it
 * @param finalizer the operator's finalizer
 */
record FinalizerDecision(Needs needs, Finalizer finalizer) {
    /** What is to be done. */
    enum Step {
        /** The object has the finalizer as it should. */
        NONE,
        /** The object gets it. */
        ADD,
        /** The object loses it. */
        REMOVE
    }

    /**
     * What one state of an object tells: what happened, and whom that concerns. Immutable. Whether the object has its
     * finalizer as it should is asked later: daemons may end meanwhile.
     *
     * @param object the object in that state
     * @param cause what happened
     * @param concernsHandlers true if any change handler could be interested; other objects are left without a trace
     */
    record Situation(ResourceObject object, Cause cause, boolean concernsHandlers) {
        /** What a state tells whose change is known. */
        static Situation of(
                ObjectProcessor processor, ObjectMemory memory, ResourceObject state, boolean gone, Change change) {
            Cause cause = processor.stored().detector().detect(state.node(), gone, memory.isInitial(), change);
            return of(processor, state, cause);
        }

        /** What a state tells of which it is known what happened. */
        static Situation of(ObjectProcessor processor, ResourceObject state, Cause cause) {
            return new Situation(state, cause, concernsAny(processor, state, cause, _ -> true));
        }

        /** True if any of those change handlers could be interested in the object. */
        private static boolean concernsAny(
                ObjectProcessor processor, ResourceObject object, Cause cause, Predicate<RegisteredHandler> among) {
            InvocationCause invocationCause = InvocationCause.of(cause);
            for (RegisteredHandler handler : processor.handlers().changes()) {
                if (among.test(handler) && mayConcern(processor, handler, object, invocationCause)) {
                    return true;
                }
            }
            return false;
        }

        /**
         * True if the object passes the filters of the handler, those on what has changed aside; also if a filter
         * fails, as it does when the handler is called.
         */
        private static boolean mayConcern(
                ObjectProcessor processor, RegisteredHandler handler, ResourceObject object, InvocationCause cause) {
            try {
                return HandlerSelection.concerns(
                        handler, object, cause, processor.calls().contexts());
            } catch (LeadershipLostException e) {
                throw e;
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                object.localLogger().debug("A filter of {} has failed: {}", handler, processor.told(e));
                return true;
            }
        }
    }

    /** What may need the finalizer. */
    interface Needs {
        /** True if any daemon or timer holds the object: if any runs, apart from those that were abandoned. */
        boolean anyDaemonHolds();

        /**
         * True if some match the object in that state, whether it is in deletion or not. Those that have ended for good
         * do not count; those do that wait for an object that fits their types.
         */
        boolean matchesDaemons(ResourceObject state);

        /**
         * True if the children have to be deleted before the object in that state, as handlers want with
         * {@code ordered}, and nobody deletes with {@code orphan}; if it is in deletion: if it has to wait for some
         * that are there.
         */
        boolean childrenNeedFinalizer(ResourceObject state);

        /** True if a handler of the deletion that is not optional could be interested in the object. */
        boolean handlersNeedFinalizer(ResourceObject state, Cause cause);

        /** What the object tells in a state that it has by now. */
        Situation situationIn(ResourceObject state);
    }

    /**
     * What needs it in a cycle.
     *
     * @param daemons those of the object of the cycle
     */
    record LiveNeeds(ObjectProcessor processor, ObjectMemory memory, CycleDaemons daemons) implements Needs {
        @Override
        public boolean anyDaemonHolds() {
            return daemons.anyHolds();
        }

        @Override
        public boolean matchesDaemons(ResourceObject state) {
            return !daemons.matching(state).isEmpty();
        }

        @Override
        public boolean childrenNeedFinalizer(ResourceObject state) {
            ChildrenMemory known = memory.children();
            return known != null && processor.children().needsFinalizer(state, known);
        }

        @Override
        public boolean handlersNeedFinalizer(ResourceObject state, Cause cause) {
            return Situation.concernsAny(processor, state, cause, RegisteredHandler::needsFinalizer);
        }

        @Override
        public Situation situationIn(ResourceObject state) {
            return Situation.of(processor, memory, state, false, processor.change(state.node()));
        }
    }

    /**
     * True if nothing is decided for objects with such handlers: without handlers of changes, daemons, timers and
     * handlers of children. An object that has the finalizer, from an earlier version of the operator or from another
     * operator with the same name for it, keeps it.
     */
    static boolean isLeftAlone(ResourceHandlers handlers) {
        return !handlers.handlesStates();
    }

    /**
     * Warns of the finalizer on an object where it is {@linkplain #isLeftAlone left alone}, once for those of its kind.
     */
    static void tellIfLeftAlone(ObjectProcessor processor, ResourceObject object) {
        Finalizer finalizer = processor.stored().finalizer();
        if (isLeftAlone(processor.handlers())
                && finalizer.isOn(object.node())
                && processor.cycles().keptFinalizers().add(processor.resource())) {
            object.localLogger()
                    .warn(
                            "K4-024: The object has the finalizer {}, and this operator handles no changes of {}: it does"
                                    + " not take the finalizer off. Unless another operator does, the object cannot be"
                                    + " deleted. This is told once for all of them.",
                            finalizer.name(),
                            processor.resource().plural());
        }
    }

    /** True if the object has the finalizer as it should. */
    boolean isAsNeeded(Situation situation) {
        return step(situation) == Step.NONE;
    }

    /** What is to be done in that situation. */
    Step step(Situation situation) {
        ObjectNode body = situation.object().node();
        boolean needed = isNeeded(situation);
        boolean held = finalizer.isOn(body);
        if (needed && !held && !DeletionState.isRequested(body)) {
            return Step.ADD;
        }
        return !needed && held ? Step.REMOVE : Step.NONE;
    }

    private boolean isNeeded(Situation situation) {
        ResourceObject object = situation.object();
        return needs.anyDaemonHolds()
                || (!DeletionState.isRequested(object.node()) && needs.matchesDaemons(object))
                || needs.childrenNeedFinalizer(object)
                || (situation.concernsHandlers() && handlersNeedIt(object, situation.cause()));
    }

    /**
     * If daemons or timers held the object, its deletion handlers are called, too, even optional ones, and even if the
     * daemons have ended meanwhile, as they were asked to.
     */
    private boolean handlersNeedIt(ResourceObject object, Cause cause) {
        return needs.handlersNeedFinalizer(object, cause)
                || (DeletionState.isRequested(object.node()) && needs.matchesDaemons(object));
    }

    /** The change that adds or removes the finalizer; null if the object has it as it should. */
    @Nullable PatchTransformation neededChange(Situation situation) {
        Step step = step(situation);
        if (step == Step.NONE) {
            return null;
        }
        ResourceObject object = situation.object();
        object.localLogger()
                .debug(
                        step == Step.ADD
                                ? "Adding the finalizer, thus preventing the actual deletion."
                                : DeletionState.isRequested(object.node())
                                        ? "Removing the finalizer, thus allowing the actual deletion."
                                        : "Removing the finalizer, as there are no handlers requiring it.");
        return decideAnew(object);
    }

    /**
     * The change decides when it is sent: by then the object may be in a newer state, which may need the finalizer or
     * not. If it conflicts even so, the next cycle decides.
     */
    private PatchTransformation decideAnew(ResourceObject object) {
        return PatchTransformation.frameworkPatch(body -> {
            switch (step(needs.situationIn(object.with(body)))) {
                case NONE -> {}
                case ADD -> finalizer.addTo(body);
                case REMOVE -> finalizer.removeFrom(body);
            }
        });
    }

    /**
     * True if daemons, timers or children hold the object, which is being deleted. The reason is {@code DELETE} as long
     * as an object in deletion has the finalizer; without it, it is {@code FREE}.
     */
    boolean isHeld(Reason reason, ResourceObject object) {
        return reason == Reason.DELETE && (needs.anyDaemonHolds() || needs.childrenNeedFinalizer(object));
    }

    /**
     * True if the object may go: the cause has been handled in full, while the object was not {@linkplain #isHeld
     * held}. Its handlers may have made children since; but no daemon begins beside an object in deletion.
     */
    boolean mayGo(Reason handled, ResourceObject object) {
        return handled == Reason.DELETE && !needs.childrenNeedFinalizer(object);
    }

    /** The change that lets the object go. */
    PatchTransformation removal() {
        return PatchTransformation.frameworkPatch(finalizer::removeFrom);
    }
}
