package dev.kopf4j.testing;

import dev.kopf4j.Body;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.testing.recording.LogLine;
import dev.kopf4j.testing.recording.RecordedCall;
import dev.kopf4j.testing.recording.RecordedRequest;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The operator under test: waits for it without sleeping, and tells what it has done. Thread-safe in real time.
 *
 * <p>All waits end with an {@link AssertionError} when the time of the test is over ({@link KopfTest#timeout}), or the
 * operator has ended before. It tells what is pending, and what has happened. In virtual time, the clock moves as far
 * as the wait needs. Made by the framework; not to be implemented.
 */
public interface TestedOperator extends OperatorHandle {
    /**
     * Waits until the operator has nothing more to do for an object as it is now on the cluster, be it deleted:
     * handlers have ended for good, retries included, and their results are written.
     *
     * @param object a model of fabric8, a {@code Body}, or a map; it needs {@code apiVersion}, {@code kind}, and
     *     {@code metadata.name}
     * @throws AssertionError if there is no such object, and there was none. On a cluster that exists, nobody knows
     *     that of an object that is given without its uid: what is not there counts as gone and handled
     * @throws IllegalArgumentException if the operator does not watch such objects in any version
     */
    void awaitHandled(Object object);

    /**
     * The same for a model of fabric8.
     *
     * @return the object as it is then; the given one if it is gone
     */
    <T extends HasMetadata> T awaitHandled(T object);

    /**
     * The same for an object of a type, in the test's namespace.
     *
     * @param type a record or class with {@link dev.kopf4j.crd.CustomResource}, or a model of fabric8
     * @return the object as it is then
     * @throws AssertionError if there is no such object
     */
    <T> T awaitHandled(Class<T> type, String name);

    /**
     * Waits until the operator has seen everything that is on the cluster, and does nothing at the moment. It does not
     * wait for retries that are due later, nor for timers and daemons.
     */
    void awaitIdle();

    /** Waits for a Kubernetes event with this reason; one that was there before counts. */
    default Event awaitEvent(String reason) {
        return awaitEvent("with the reason " + reason, event -> reason.equals(event.getReason()));
    }

    /**
     * Waits for a Kubernetes event.
     *
     * @param description of the event, for the message
     */
    Event awaitEvent(String description, Predicate<Event> fits);

    /**
     * Waits until a handler was called this often in all, for any objects, and these calls have ended.
     *
     * @throws IllegalArgumentException if the operator has no such handler
     */
    List<RecordedCall> awaitCalls(String handler, int count);

    /** Starts the operator, if the test was not to start it, or after its end; returns when it watches the cluster. */
    void restart();

    /**
     * Ends the operator as SIGKILL does, but for static fields: they live on, as the JVM does.
     *
     * @throws UnsupportedOperationException in real time, as the test would end with it
     */
    void kill();

    /** The calls of handlers so far, in the order of their begins. */
    List<RecordedCall> calls();

    /**
     * The calls of one handler so far.
     *
     * @throws IllegalArgumentException if the operator has no such handler, so that there will be none
     */
    default List<RecordedCall> calls(String handler) {
        return calls().stream().filter(call -> call.handler().equals(handler)).toList();
    }

    /**
     * The requests to the dev cluster so far, also those of the test.
     *
     * @throws UnsupportedOperationException on a cluster that exists
     */
    List<RecordedRequest> requests();

    /** The Kubernetes events so far, each change of one too. */
    List<Event> events();

    /**
     * The states that an object has had: each in which a request has left it, by whomever, in order. Of objects that
     * had the name one after the other, all of them. What the controllers of the cluster write by themselves
     * ({@code workloads}, garbage collection) is not among them, nor what is written by {@code scale}, until a request
     * is answered with it: read such an object where it matters.
     *
     * @param kind its kind, such as {@code ConfigMap}
     * @throws IllegalArgumentException if the cluster does not serve that kind, so that there will be none
     * @throws UnsupportedOperationException on a cluster that exists
     */
    List<Body> snapshots(String kind, String name);

    /** The lines of the operator's log so far. Only Logback is recorded. */
    List<LogLine> logs();

    /** What the operator has logged and its handlers have printed so far, in order. */
    String output();

    /**
     * The exit code that {@code kopf4j run} would end with: 0 if the operator was stopped, 1 if it has failed.
     *
     * @throws IllegalStateException if it has not ended
     */
    int exitCode();

    /** What has ended the operator, if it has failed. */
    Optional<Throwable> exception();

    /** What has happened, line by line. */
    List<String> history();
}
