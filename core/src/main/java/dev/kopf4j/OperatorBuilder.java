package dev.kopf4j;

import dev.kopf4j.rbac.DeclaredRule;
import java.nio.file.Path;
import java.util.function.Consumer;
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
     *     constructor. A proxy that a framework has made as a subclass has the annotations of the class above it, and
     *     is called. {@link #build} refuses one without any handlers, and two instances of one class, unless a filter
     *     method of theirs ({@code when}) lets each object pass to one of them only
     */
    OperatorBuilder handlers(Object... beansOrClasses);

    /**
     * Adds a handler of creations, as {@link OnCreate}.
     *
     * @param id by which its progress and results are stored
     */
    OperatorBuilder onCreate(
            ResourceSelector resource, String id, Consumer<? super OnCreate.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onCreate(
            String resource, String id, Consumer<? super OnCreate.Options> options, Handler handler) {
        return onCreate(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onCreate(ResourceSelector resource, String id, Handler handler) {
        return onCreate(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onCreate(String resource, String id, Handler handler) {
        return onCreate(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a handler of changes, as {@link OnUpdate}.
     *
     * @param id by which its progress and results are stored
     */
    OperatorBuilder onUpdate(
            ResourceSelector resource, String id, Consumer<? super OnUpdate.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onUpdate(
            String resource, String id, Consumer<? super OnUpdate.Options> options, Handler handler) {
        return onUpdate(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onUpdate(ResourceSelector resource, String id, Handler handler) {
        return onUpdate(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onUpdate(String resource, String id, Handler handler) {
        return onUpdate(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a handler of deletions, as {@link OnDelete}.
     *
     * @param id by which its progress and results are stored
     */
    OperatorBuilder onDelete(
            ResourceSelector resource, String id, Consumer<? super OnDelete.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onDelete(
            String resource, String id, Consumer<? super OnDelete.Options> options, Handler handler) {
        return onDelete(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onDelete(ResourceSelector resource, String id, Handler handler) {
        return onDelete(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onDelete(String resource, String id, Handler handler) {
        return onDelete(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a handler of objects that were handled before the start, as {@link OnResume}.
     *
     * @param id by which its progress and results are stored
     */
    OperatorBuilder onResume(
            ResourceSelector resource, String id, Consumer<? super OnResume.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onResume(
            String resource, String id, Consumer<? super OnResume.Options> options, Handler handler) {
        return onResume(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onResume(ResourceSelector resource, String id, Handler handler) {
        return onResume(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onResume(String resource, String id, Handler handler) {
        return onResume(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a handler of changes of one field, which the options must name, as {@link OnField}.
     *
     * @param id by which its progress and results are stored, with the field behind it
     */
    OperatorBuilder onField(
            ResourceSelector resource, String id, Consumer<? super OnField.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onField(
            String resource, String id, Consumer<? super OnField.Options> options, Handler handler) {
        return onField(ResourceSelector.of(resource), id, options, handler);
    }

    /**
     * Adds a handler of raw events, as {@link OnEvent}.
     *
     * @param id by which its results are stored
     */
    OperatorBuilder onEvent(
            ResourceSelector resource, String id, Consumer<? super OnEvent.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onEvent(
            String resource, String id, Consumer<? super OnEvent.Options> options, Handler handler) {
        return onEvent(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onEvent(ResourceSelector resource, String id, Handler handler) {
        return onEvent(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onEvent(String resource, String id, Handler handler) {
        return onEvent(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds an index function, as {@link OnIndex}.
     *
     * @param id by which parameters of the type {@link Index} name the index
     */
    OperatorBuilder onIndex(
            ResourceSelector resource, String id, Consumer<? super OnIndex.Options> options, Handler function);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onIndex(
            String resource, String id, Consumer<? super OnIndex.Options> options, Handler function) {
        return onIndex(ResourceSelector.of(resource), id, options, function);
    }

    /** The same without options. */
    default OperatorBuilder onIndex(ResourceSelector resource, String id, Handler function) {
        return onIndex(resource, id, options -> {}, function);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onIndex(String resource, String id, Handler function) {
        return onIndex(ResourceSelector.of(resource), id, options -> {}, function);
    }

    /**
     * Adds a function that says which children objects ought to have, as {@link OnReconcile}.
     *
     * @param id by which children remember who has made them
     * @param options the kinds of the children at least
     * @param handler adds the children to {@link HandlerContext#children}, or returns them
     */
    OperatorBuilder onReconcile(
            ResourceSelector resource, String id, Consumer<? super OnReconcile.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onReconcile(
            String resource, String id, Consumer<? super OnReconcile.Options> options, Handler handler) {
        return onReconcile(ResourceSelector.of(resource), id, options, handler);
    }

    /**
     * Adds a handler of parents for their children, as {@link OnChild}.
     *
     * @param parent the resource of the parents
     * @param child the resource of the children
     * @param id by which its results are stored on the parent
     */
    OperatorBuilder onChild(
            ResourceSelector parent,
            ResourceSelector child,
            String id,
            Consumer<? super OnChild.Options> options,
            Handler handler);

    /** The same for resources by their names, or by their dotted forms: {@code deployments.v1.apps}. */
    default OperatorBuilder onChild(
            String parent, String child, String id, Consumer<? super OnChild.Options> options, Handler handler) {
        return onChild(ResourceSelector.of(parent), ResourceSelector.of(child), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onChild(ResourceSelector parent, ResourceSelector child, String id, Handler handler) {
        return onChild(parent, child, id, options -> {}, handler);
    }

    /** The same without options, for resources by their names. */
    default OperatorBuilder onChild(String parent, String child, String id, Handler handler) {
        return onChild(ResourceSelector.of(parent), ResourceSelector.of(child), id, options -> {}, handler);
    }

    /**
     * Adds a daemon, as {@link OnDaemon}.
     *
     * @param id by which its results are stored
     */
    OperatorBuilder onDaemon(
            ResourceSelector resource, String id, Consumer<? super OnDaemon.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onDaemon(
            String resource, String id, Consumer<? super OnDaemon.Options> options, Handler handler) {
        return onDaemon(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onDaemon(ResourceSelector resource, String id, Handler handler) {
        return onDaemon(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onDaemon(String resource, String id, Handler handler) {
        return onDaemon(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a timer, as {@link OnTimer}.
     *
     * @param id by which its results are stored
     */
    OperatorBuilder onTimer(
            ResourceSelector resource, String id, Consumer<? super OnTimer.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onTimer(
            String resource, String id, Consumer<? super OnTimer.Options> options, Handler handler) {
        return onTimer(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onTimer(ResourceSelector resource, String id, Handler handler) {
        return onTimer(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onTimer(String resource, String id, Handler handler) {
        return onTimer(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a validating admission handler, as {@link OnValidate}.
     *
     * @param id which is part of its webhook's name and address
     */
    OperatorBuilder onValidate(
            ResourceSelector resource, String id, Consumer<? super OnValidate.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onValidate(
            String resource, String id, Consumer<? super OnValidate.Options> options, Handler handler) {
        return onValidate(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onValidate(ResourceSelector resource, String id, Handler handler) {
        return onValidate(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onValidate(String resource, String id, Handler handler) {
        return onValidate(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds a mutating admission handler, as {@link OnMutate}.
     *
     * @param id which is part of its webhook's name and address
     */
    OperatorBuilder onMutate(
            ResourceSelector resource, String id, Consumer<? super OnMutate.Options> options, Handler handler);

    /** The same for a resource by its name, or by its dotted form: {@code kopfexamples.v1.kopf.dev}. */
    default OperatorBuilder onMutate(
            String resource, String id, Consumer<? super OnMutate.Options> options, Handler handler) {
        return onMutate(ResourceSelector.of(resource), id, options, handler);
    }

    /** The same without options. */
    default OperatorBuilder onMutate(ResourceSelector resource, String id, Handler handler) {
        return onMutate(resource, id, options -> {}, handler);
    }

    /** The same without options, for a resource by its name. */
    default OperatorBuilder onMutate(String resource, String id, Handler handler) {
        return onMutate(ResourceSelector.of(resource), id, options -> {}, handler);
    }

    /**
     * Adds functions that convert objects of a custom resource from one version to another, as {@link OnConvert}.
     *
     * @param definition the name of the custom resource definition: {@code widgets.example.com}
     * @param from the version that objects come in, or {@link OnConvert#HUB}
     * @param to the version that they become, or {@link OnConvert#HUB}
     * @param functions what is converted, and how
     */
    OperatorBuilder onConvert(String definition, String from, String to, Consumer<? super OnConvert.Options> functions);

    /** The same for a function that converts the {@code spec}, bound to the type. */
    default <T> OperatorBuilder onConvert(
            String definition, String from, String to, Class<T> spec, OnConvert.Conversion<? super T> function) {
        return onConvert(definition, from, to, c -> c.spec(spec, function));
    }

    /**
     * Adds a handler that is called when the operator starts, as {@link OnStartup}.
     *
     * @param id for logs and results
     */
    OperatorBuilder onStartup(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler);

    /** The same without options. */
    default OperatorBuilder onStartup(String id, ActivityHandler handler) {
        return onStartup(id, options -> {}, handler);
    }

    /**
     * Adds a handler that is called when the operator has stopped, as {@link OnCleanup}.
     *
     * @param id for logs and results
     */
    OperatorBuilder onCleanup(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler);

    /** The same without options. */
    default OperatorBuilder onCleanup(String id, ActivityHandler handler) {
        return onCleanup(id, options -> {}, handler);
    }

    /**
     * Adds a handler that gives credentials, as {@link OnLogin}.
     *
     * @param id for logs and results
     */
    OperatorBuilder onLogin(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler);

    /** The same without options. */
    default OperatorBuilder onLogin(String id, ActivityHandler handler) {
        return onLogin(id, options -> {}, handler);
    }

    /**
     * Adds a handler that tells whether all is well, as {@link OnProbe}.
     *
     * @param id for logs and results
     */
    OperatorBuilder onProbe(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler);

    /** The same without options. */
    default OperatorBuilder onProbe(String id, ActivityHandler handler) {
        return onProbe(id, options -> {}, handler);
    }

    /**
     * Watches these namespaces only: names, which need not exist yet, or patterns, whose namespaces are found as they
     * come and go: globs joined by commas, of which those behind a {@code !} exclude, as in {@code "team-*,!*-test"}.
     */
    OperatorBuilder namespaces(String... names);

    /** Watches the namespaces whose whole names match one of these expressions, besides others that are given. */
    OperatorBuilder namespaces(Pattern... expressions);

    /**
     * Watches the whole cluster; without this and without namespaces, an operator does so, too, and warns at its start.
     */
    OperatorBuilder clusterwide();

    /**
     * Declares a right that handlers need for what they do by themselves, as {@link dev.kopf4j.rbac.PolicyRule} does.
     * It is missed in the report of missing rights; nothing is granted or refused by it.
     */
    OperatorBuilder policyRule(DeclaredRule rule);

    /** Takes the credentials from this file rather than from {@code KUBECONFIG}, the home directory, or the pod. */
    OperatorBuilder kubeconfig(Path file);

    /** Connects with these credentials. */
    OperatorBuilder connection(ConnectionInfo info);

    /** Stops the operator when the condition holds; its handle can stop it, too. */
    OperatorBuilder stopWhen(StopCondition condition);

    /**
     * Stops the operator gracefully by SIGTERM, SIGINT (Ctrl-C) and SIGHUP, or leaves these signals to the application.
     * By default, they stop an operator that {@link Operator#run} runs, and not one that {@link Operator#start} starts.
     * Handlers and cleanups have the time that the settings {@code queueing.exitTimeout} and
     * {@code process.ultimateExitingTimeout} give them; a second signal ends the process at once, with the exit code
     * 130 or 143. When no operator runs any more, the signals do what they did before.
     */
    OperatorBuilder stopOnSignals(boolean stop);

    /**
     * Runs the action when the operator has seen all that exists and watches the cluster, as far as it can, in a thread
     * of its own: it may also {@linkplain OperatorHandle#close close} the operator. What it may not list is told by
     * {@link OperatorHandle#state}. If the action fails, so does the operator; if that is stopping already, an error in
     * the log tells it. An action that does not end is treated as a handler is when the operator stops: it has the time
     * of {@code queueing.exitTimeout}, is interrupted then, and cleanup handlers are called after it.
     */
    OperatorBuilder whenReady(Runnable action);

    /**
     * Makes this the operator's memo, which is copied for each object. It is the same one in each run, and in all
     * operators that are built here.
     */
    OperatorBuilder memo(Memo operatorMemo);

    /**
     * Uses memos of a class of your own: handlers take it as a parameter of its type, or by
     * {@link HandlerContext#memo(Class)}. The class must be fit for the threads of all handlers of an object.
     *
     * @param operatorMemo the operator's own memo
     * @param factory makes an object's memo of it, such as {@code Mine::copy}, or {@link MemoFactory#shared()} for one
     *     memo for all
     */
    <M> OperatorBuilder memo(M operatorMemo, MemoFactory<M> factory);

    /**
     * Serves a page at this URL that tells whether the operator works: 200 with the results of {@link OnProbe}
     * handlers, or 500 with the reason.
     *
     * @param url as {@code http://0.0.0.0:8080/healthz}
     * @throws IllegalArgumentException if it is no such address, or that of another page
     */
    OperatorBuilder liveness(String url);

    /**
     * Serves a page at this URL that tells whether the operator watches everything that it should: 200 or 503, with the
     * state of each watch-stream. The page {@code webhooks} below it tells only whether the webhooks are served, and
     * whether their configurations were refused since the start: probe that one, as in {@code /ready/webhooks}, where a
     * Service leads to them, since an operator that converts objects cannot list them before the Service has it.
     *
     * @param url as {@code http://0.0.0.0:8080/ready}
     * @throws IllegalArgumentException if it is no such address, or that of another page
     */
    OperatorBuilder readiness(String url);

    /**
     * Serves a page at this URL with figures of the operator's work, in the text format of Prometheus.
     *
     * @param url as {@code http://0.0.0.0:8080/metrics}
     * @throws IllegalArgumentException if it is no such address, or that of another page
     */
    OperatorBuilder metrics(String url);

    /**
     * Tells this listener what can be counted and measured, so that it can pass it on to a metrics library. There may
     * be several listeners.
     */
    OperatorBuilder metricsListener(MetricsListener listener);

    /**
     * Makes spans of what the operator does by this library. By default by the one that is on the class path, such as
     * {@code kopf4j-opentelemetry}, if there is any.
     */
    OperatorBuilder tracing(Tracing tracing);

    /** Changes settings. */
    OperatorBuilder settings(Consumer<OperatorSettings> change);

    /**
     * Makes the operator.
     *
     * @throws HandlerDeclarationException if a handler was declared in a way that makes no sense, or there are none
     */
    Operator build();
}
