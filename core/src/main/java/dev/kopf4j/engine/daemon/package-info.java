/**
 * Daemons and timers: what runs beside objects, whether something changes or not.
 *
 * <p>{@link dev.kopf4j.engine.daemon.OperatorDaemons} is the operator's one owner of all of them;
 * {@link dev.kopf4j.engine.daemon.ObjectDaemons} are those of one object, which the object's worker lets
 * {@linkplain dev.kopf4j.engine.daemon.ObjectDaemons#startMatching follow} its states and
 * {@linkplain dev.kopf4j.engine.daemon.ObjectDaemons#stop stop}. {@code OperatorDaemons} outlives the streams, so that
 * none runs twice for an object. "Daemon" is said of both here.
 *
 * <p>Each is a {@code RunningDaemon} for as long as it belongs to its object. Until its next call it is an entry in a
 * schedule, or waits for a change of the object or for a pause to end; a call runs in a task of its own
 * ({@code DaemonAttempt}). When it ends by itself, it says so to the object's worker, which may take the finalizer off
 * then. {@code TimerSchedule} (when) and {@code DaemonStopping.CancellationTimes} (how to stop) are tables.
 *
 * <p>When the next call is due is remembered in memory alone, as the records of attempts are, and begins anew with each
 * process; only the steps of a call are stored on the object ({@code DaemonSteps}). So limits and delays go by a clock
 * that nobody sets ({@code HandlerCalls.steady}).
 */
package dev.kopf4j.engine.daemon;
