package dev.kopf4j;

import dev.kopf4j.engine.OperatorAssembly;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Collects what an operator consists of: handlers, scope, settings. Order matters: handlers of one object are called in
 * the order of their registration.
 *
 * <p>Not thread-safe.
 */
public final class OperatorBuilder {
    private final List<Registration> registrations = new ArrayList<>();
    private final OperatorSettings settings = new OperatorSettings();
    private final List<String> namespaces = new ArrayList<>();
    private boolean clusterwide;
    private @Nullable Path kubeconfig;
    private @Nullable ConnectionInfo connection;
    private @Nullable StopCondition stopWhen;
    private Runnable whenReady = () -> {};
    private @Nullable MemoSource<?> memo;
    private Endpoints endpoints = Endpoints.NONE;
    private final List<MetricsListener> metrics = new ArrayList<>();

    OperatorBuilder() {}

    /**
     * Adds annotated handlers.
     *
     * @param beansOrClasses instances, or classes; a class with instance methods gets one instance by its no-argument
     *     constructor
     */
    public OperatorBuilder handlers(Object... beansOrClasses) {
        Arrays.stream(beansOrClasses).map(Registration.Annotated::new).forEach(registrations::add);
        return this;
    }

    /** Adds a handler of creations, as {@link OnCreate}. */
    public OperatorBuilder onCreate(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onCreate(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of creations, as {@link OnCreate}. */
    public OperatorBuilder onCreate(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.CREATE, resource, options, handler);
    }

    /** Adds a handler of changes, as {@link OnUpdate}. */
    public OperatorBuilder onUpdate(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onUpdate(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of changes, as {@link OnUpdate}. */
    public OperatorBuilder onUpdate(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.UPDATE, resource, options, handler);
    }

    /** Adds a handler of deletions, as {@link OnDelete}. */
    public OperatorBuilder onDelete(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onDelete(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of deletions, as {@link OnDelete}. */
    public OperatorBuilder onDelete(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.DELETE, resource, options, handler);
    }

    /** Adds a handler of objects that were handled before the start, as {@link OnResume}. */
    public OperatorBuilder onResume(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onResume(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of objects that were handled before the start, as {@link OnResume}. */
    public OperatorBuilder onResume(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.RESUME, resource, options, handler);
    }

    /** Adds a handler of changes of one field, as {@link OnField}; the options name the field. */
    public OperatorBuilder onField(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onField(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of changes of one field, as {@link OnField}; the options name the field. */
    public OperatorBuilder onField(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.FIELD, resource, options, handler);
    }

    /** Adds a handler of raw events, as {@link OnEvent}. */
    public OperatorBuilder onEvent(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onEvent(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a handler of raw events, as {@link OnEvent}. */
    public OperatorBuilder onEvent(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.EVENT, resource, options, handler);
    }

    /** Adds an index function, as {@link OnIndex}; the options name the index: {@code h -> h.id("podsByNode")}. */
    public OperatorBuilder onIndex(String resource, UnaryOperator<HandlerOptions> options, Handler function) {
        return onIndex(ResourceSelector.of(resource), options, function);
    }

    /** Adds an index function, as {@link OnIndex}; the options name the index: {@code h -> h.id("podsByNode")}. */
    public OperatorBuilder onIndex(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler function) {
        return add(HandlerKind.INDEX, resource, options, function);
    }

    /** Adds a handler that is called when the operator starts, as {@link OnStartup}. */
    public OperatorBuilder onStartup(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.STARTUP, options, handler);
    }

    /** Adds a handler that is called when the operator has stopped, as {@link OnCleanup}. */
    public OperatorBuilder onCleanup(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.CLEANUP, options, handler);
    }

    /** Adds a handler that gives credentials, as {@link OnLogin}. */
    public OperatorBuilder onLogin(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.LOGIN, options, handler);
    }

    /** Adds a handler that tells whether all is well, as {@link OnProbe}. */
    public OperatorBuilder onProbe(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.PROBE, options, handler);
    }

    private OperatorBuilder add(Activity activity, UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        registrations.add(
                new Registration.Active(options.apply(new ActivityOptions()).define(activity), handler));
        return this;
    }

    /** Adds a daemon, as {@link OnDaemon}. */
    public OperatorBuilder onDaemon(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onDaemon(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a daemon, as {@link OnDaemon}. */
    public OperatorBuilder onDaemon(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.DAEMON, resource, options, handler);
    }

    /** Adds a timer, as {@link OnTimer}. */
    public OperatorBuilder onTimer(String resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return onTimer(ResourceSelector.of(resource), options, handler);
    }

    /** Adds a timer, as {@link OnTimer}. */
    public OperatorBuilder onTimer(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.TIMER, resource, options, handler);
    }

    private OperatorBuilder add(
            HandlerKind kind, ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        HandlerOptions chosen = options.apply(new HandlerOptions());
        registrations.add(new Registration.Functional(HandlerDefinition.of(kind, resource, chosen), handler));
        return this;
    }

    /**
     * Watches these namespaces only: names, which need not exist yet, or patterns, whose namespaces are found as they
     * come and go: globs joined by commas, of which those behind a {@code !} exclude, as in {@code "team-*,!*-test"}.
     */
    public OperatorBuilder namespaces(String... names) {
        namespaces.addAll(List.of(names));
        return this;
    }

    /** Watches the whole cluster. */
    public OperatorBuilder clusterwide() {
        this.clusterwide = true;
        return this;
    }

    /** Takes the credentials from this file rather than from {@code KUBECONFIG}, the home directory, or the pod. */
    public OperatorBuilder kubeconfig(Path file) {
        this.kubeconfig = file;
        return this;
    }

    /** Connects with these credentials. */
    public OperatorBuilder connection(ConnectionInfo info) {
        this.connection = info;
        return this;
    }

    /** Stops the operator when the condition holds; its handle can stop it, too. */
    public OperatorBuilder stopWhen(StopCondition condition) {
        this.stopWhen = condition;
        return this;
    }

    /** Runs the action, quickly, when the operator has seen all that exists and watches the cluster. */
    public OperatorBuilder whenReady(Runnable action) {
        this.whenReady = action;
        return this;
    }

    /** Begins with these values in the operator's memo, which is copied for each object. */
    public OperatorBuilder memo(Memo operatorMemo) {
        return memo(operatorMemo, Memo::copy);
    }

    /**
     * Has memos of a class of one's own: handlers take it as a parameter of its type, or by
     * {@link HandlerContext#memo(Class)}. The class must be fit for the threads of all handlers of an object.
     *
     * @param operatorMemo the operator's own memo
     * @param factory makes an object's memo of it, such as {@code Mine::copy}, or {@link MemoFactory#shared()} for one
     *     memo for all
     */
    public <M> OperatorBuilder memo(M operatorMemo, MemoFactory<M> factory) {
        this.memo = new MemoSource<>(operatorMemo, factory);
        return this;
    }

    /**
     * Answers there whether the operator works, by HTTP: 200 with the results of {@link OnProbe} handlers, or 500 with
     * the reason.
     *
     * @param url as {@code http://0.0.0.0:8080/healthz}
     * @throws IllegalArgumentException if it is no such address
     */
    public OperatorBuilder liveness(String url) {
        endpoints = endpoints.withLiveness(Endpoint.parse(url));
        return this;
    }

    /**
     * Answers there whether the operator watches everything that it should, by HTTP: 200 or 503, with the state of each
     * watch-stream.
     *
     * @param url as {@code http://0.0.0.0:8080/ready}
     * @throws IllegalArgumentException if it is no such address
     */
    public OperatorBuilder readiness(String url) {
        endpoints = endpoints.withReadiness(Endpoint.parse(url));
        return this;
    }

    /**
     * Shows figures of the operator's work there, in the text format of Prometheus.
     *
     * @param url as {@code http://0.0.0.0:8080/metrics}
     * @throws IllegalArgumentException if it is no such address
     */
    public OperatorBuilder metrics(String url) {
        endpoints = endpoints.withMetrics(Endpoint.parse(url));
        return this;
    }

    /** Tells this one what can be counted and measured, to bind it to a library for metrics. Several are all told. */
    public OperatorBuilder metricsListener(MetricsListener listener) {
        metrics.add(listener);
        return this;
    }

    /** Changes settings. */
    public OperatorBuilder settings(Consumer<OperatorSettings> change) {
        change.accept(settings);
        return this;
    }

    /**
     * Makes the operator.
     *
     * @throws HandlerDeclarationException if a handler was declared in a way that makes no sense, or there are none
     */
    public Operator build() {
        return OperatorAssembly.assemble(plan());
    }

    /** What was collected so far. */
    public OperatorPlan plan() {
        if (clusterwide && !namespaces.isEmpty()) {
            throw new IllegalStateException(
                    "either namespaces or the whole cluster can be watched, not both: " + namespaces);
        }
        return new OperatorPlan(
                registrations,
                settings,
                List.copyOf(namespaces),
                clusterwide,
                kubeconfig,
                connection,
                stopWhen,
                whenReady,
                memo,
                endpoints,
                metrics);
    }
}
