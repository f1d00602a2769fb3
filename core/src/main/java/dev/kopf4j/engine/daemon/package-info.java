/**
 * Daemons and timers: what runs beside objects, whether something changes or not.
 *
 * <p>{@link dev.kopf4j.engine.daemon.OperatorDaemons} is the operator's one owner of all of them;
 * {@link dev.kopf4j.engine.daemon.ObjectDaemons} are those of one object, which the object's worker lets
 * {@linkplain dev.kopf4j.engine.daemon.ObjectDaemons#startMatching follow} its states and
 * {@linkplain dev.kopf4j.engine.daemon.ObjectDaemons#stop stop}. While no code of the user runs, a daemon or timer is
 * an entry in a schedule; when it ends by itself, it says so to the object's worker, which may take the finalizer off
 * then. Nothing is stored: all of it begins anew with each process.
 *
 * <p>{@code engine.daemon} runs daemons and timers. {@code OperatorDaemons} owns them all and outlives the streams, so
 * that none runs twice for an object. Each waits as an entry in a schedule, runs in a task of its own, and waits again.
 * {@code TimerSchedule} (when) and {@code DaemonStopping.CancellationTimes} (how to stop) are tables. Nothing is
 * stored.
 */
package dev.kopf4j.engine.daemon;
