package dev.kopf4j;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Collects what an operator consists of: handlers, scope, settings. Order matters: handlers of one object are called in
 * the order of their registration.
 *
 * <p>Made by {@link Operator#builder}; not to be implemented. Not thread-safe.
 */
public interface OperatorBuilder {
    /**
     * Adds annotated handlers.
     *
     * @param beansOrClasses instances, or classes; a class with instance methods gets one instance by its no-argument
     *     constructor
     */
    OperatorBuilder handlers(Object... beansOrClasses);

    /** Adds a handler of creations, as {@link OnCreate}. */
    default OperatorBuilder onCreate(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onCreate(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of creations, as {@link OnCreate}. */
    OperatorBuilder onCreate(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds a handler of changes, as {@link OnUpdate}. */
    default OperatorBuilder onUpdate(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onUpdate(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of changes, as {@link OnUpdate}. */
    OperatorBuilder onUpdate(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds a handler of deletions, as {@link OnDelete}. */
    default OperatorBuilder onDelete(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onDelete(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of deletions, as {@link OnDelete}. */
    OperatorBuilder onDelete(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds a handler of objects that were handled before the start, as {@link OnResume}. */
    default OperatorBuilder onResume(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onResume(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of objects that were handled before the start, as {@link OnResume}. */
    OperatorBuilder onResume(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds a handler of changes of one field, as {@link OnField}; the options name the field. */
    default OperatorBuilder onField(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onField(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of changes of one field, as {@link OnField}; the options name the field. */
    OperatorBuilder onField(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds a handler of raw events, as {@link OnEvent}. */
    default OperatorBuilder onEvent(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onEvent(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of raw events, as {@link OnEvent}. */
    OperatorBuilder onEvent(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds an index function, as {@link OnIndex}; the options name the index: {@code h -> h.id("podsByNode")}. */
    default OperatorBuilder onIndex(String resource, UnaryOperator<HandlerOptions> options, Handler function) {
        return onIndex(ResourceSelector.of(resource), options, function);
    }

    /** Adds an index function, as {@link OnIndex}; the options name the index: {@code h -> h.id("podsByNode")}. */
    OperatorBuilder onIndex(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler function);

    /** Adds a handler that is called when the operator starts, as {@link OnStartup}. */
    OperatorBuilder onStartup(UnaryOperator<ActivityOptions> options, ActivityHandler handler);

    /** Adds a handler that is called when the operator has stopped, as {@link OnCleanup}. */
    OperatorBuilder onCleanup(UnaryOperator<ActivityOptions> options, ActivityHandler handler);

    /** Adds a handler that gives credentials, as {@link OnLogin}. */
    OperatorBuilder onLogin(UnaryOperator<ActivityOptions> options, ActivityHandler handler);

    /** Adds a handler that tells whether all is well, as {@link OnProbe}. */
    OperatorBuilder onProbe(UnaryOperator<ActivityOptions> options, ActivityHandler handler);

    /** Adds a daemon, as {@link OnDaemon}. */
    default OperatorBuilder onDaemon(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onDaemon(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a daemon, as {@link OnDaemon}. */
    OperatorBuilder onDaemon(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /** Adds a timer, as {@link OnTimer}. */
    default OperatorBuilder onTimer(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onTimer(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a timer, as {@link OnTimer}. */
    OperatorBuilder onTimer(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler);

    /**
     * Watches these namespaces only: names, which need not exist yet, or patterns, whose namespaces are found as they
     * come and go: globs joined by commas, of which those behind a {@code !} exclude, as in {@code "team-*,!*-test"}.
     */
    OperatorBuilder namespaces(String... names);

    /** Watches the namespaces whose whole names match one of these expressions, besides others that are given. */
    OperatorBuilder namespaces(Pattern... expressions);

    /** Watches the whole cluster. */
    OperatorBuilder clusterwide();

    /** Takes the credentials from this file rather than from {@code KUBECONFIG}, the home directory, or the pod. */
    OperatorBuilder kubeconfig(Path file);

    /** Connects with these credentials. */
    OperatorBuilder connection(ConnectionInfo info);

    /** Stops the operator when the condition holds; its handle can stop it, too. */
    OperatorBuilder stopWhen(StopCondition condition);

    /** Runs the action, quickly, when the operator has seen all that exists and watches the cluster. */
    OperatorBuilder whenReady(Runnable action);

    /** Begins with these values in the operator's memo, which is copied for each object. */
    OperatorBuilder memo(Memo operatorMemo);

    /**
     * Has memos of a class of one's own: handlers take it as a parameter of its type, or by
     * {@link HandlerContext#memo(Class)}. The class must be fit for the threads of all handlers of an object.
     *
     * @param operatorMemo the operator's own memo
     * @param factory makes an object's memo of it, such as {@code Mine::copy}, or {@link MemoFactory#shared()} for one
     *     memo for all
     */
    <M> OperatorBuilder memo(M operatorMemo, MemoFactory<M> factory);

    /**
     * Answers there whether the operator works, by HTTP: 200 with the results of {@link OnProbe} handlers, or 500 with
     * the reason.
     *
     * @param url as {@code http://0.0.0.0:8080/healthz}
     * @throws IllegalArgumentException if it is no such address
     */
    OperatorBuilder liveness(String url);

    /**
     * Answers there whether the operator watches everything that it should, by HTTP: 200 or 503, with the state of each
     * watch-stream.
     *
     * @param url as {@code http://0.0.0.0:8080/ready}
     * @throws IllegalArgumentException if it is no such address
     */
    OperatorBuilder readiness(String url);

    /**
     * Shows figures of the operator's work there, in the text format of Prometheus.
     *
     * @param url as {@code http://0.0.0.0:8080/metrics}
     * @throws IllegalArgumentException if it is no such address
     */
    OperatorBuilder metrics(String url);

    /** Tells this one what can be counted and measured, to bind it to a library for metrics. Several are all told. */
    OperatorBuilder metricsListener(MetricsListener listener);

    /** Changes settings. */
    OperatorBuilder settings(Consumer<OperatorSettings> change);

    /**
     * Makes the operator.
     *
     * @throws HandlerDeclarationException if a handler was declared in a way that makes no sense, or there are none
     */
    Operator build();
}
