/**
 * One cycle of one object: what has happened to it, whom that concerns, who is called, and what is written.
 *
 * <p>{@code ObjectProcessor} belongs to all objects of one stream. It makes an {@code ObjectCycle} for each event and
 * each moment that an object has waited for. {@code ObjectCycle.steps()} has the order of what that does;
 * {@code processChange()} has the part in which a change is handled. Most of the time all goes into one patch at the
 * end; long work is written by checkpoints, and the finalizer in a cycle of its own. {@code Situation} is what a state
 * tells, {@code FinalizerDecision} the one place where the finalizer is decided, {@code CycleDaemons} starts and stops
 * what runs beside the object, {@code ConsistencyCheck} keeps handlers from old states, and {@code OutgoingPatch} is
 * what the cycle writes; {@code InvalidPatch} sends it apart if the server refuses it as a whole. {@code PatchSender}
 * is the only one that writes to objects, also for daemons: one request, or two with a status subresource (the status
 * first), each with a precondition; it knows which part is the framework's own, which is written even where the server
 * refuses the rest. {@code FailingWrites} is what readiness tells of it.
 *
 * <p>{@code ChangeHandling} calls the handlers of a change within the cycle, in {@code HandlerRounds}. A handler that
 * has ended with a state that is outdated by now is called again: {@code SeenStates} and {@code OutdatedHandlerRerun}.
 *
 * <p>{@code Outlooks} answers what a cycle would do, without one: it asks the same classes as a cycle does, calls no
 * code of the user's, and names what that code or the memory of an operator decides. {@code ObjectOutlook} is its
 * answer for an object, {@code HandlerOutlook} for one of its handlers.
 *
 * <p>{@code ObjectMemory} is what the operator remembers of an object between cycles. It belongs to the object's
 * worker; {@code engine.queueing} makes sure that there is one at a time. An object with unexpected errors is throttled
 * and holds up nobody else. What somebody undoes each time that it is written waits longer and longer before it is done
 * again: {@code Repetition} says how often it was, and its {@code Fight} what that may be.
 */
package dev.kopf4j.engine.cycle;
