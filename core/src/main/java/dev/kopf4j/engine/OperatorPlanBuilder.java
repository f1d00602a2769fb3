package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.ActivityOptions;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDefinition;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.Memo;
import dev.kopf4j.MemoFactory;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.StopCondition;
import dev.kopf4j.engine.handling.context.MemoSource;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.probe.ListenAddress;
import dev.kopf4j.engine.probe.ProbeAddresses;
import dev.kopf4j.engine.registration.Registration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what an operator consists of. Not thread-safe. */
final class OperatorPlanBuilder implements OperatorBuilder {
    private final List<Registration> registrations = new ArrayList<>();
    private final OperatorSettings settings = new OperatorSettings();
    private final List<NamespacePattern> namespaces = new ArrayList<>();
    private boolean clusterwide;
    private @Nullable Path kubeconfig;
    private @Nullable ConnectionInfo connection;
    private @Nullable StopCondition stopWhen;
    private Runnable whenReady = () -> {};
    private @Nullable MemoSource<?> memo;
    private ProbeAddresses probeAddresses = ProbeAddresses.NONE;
    private final List<MetricsListener> metrics = new ArrayList<>();

    @Override
    public OperatorBuilder handlers(Object... beansOrClasses) {
        Arrays.stream(beansOrClasses).map(Registration.Annotated::new).forEach(registrations::add);
        return this;
    }

    @Override
    public OperatorBuilder onCreate(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.CREATE, resource, options, handler);
    }

    @Override
    public OperatorBuilder onUpdate(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.UPDATE, resource, options, handler);
    }

    @Override
    public OperatorBuilder onDelete(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.DELETE, resource, options, handler);
    }

    @Override
    public OperatorBuilder onResume(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.RESUME, resource, options, handler);
    }

    @Override
    public OperatorBuilder onField(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.FIELD, resource, options, handler);
    }

    @Override
    public OperatorBuilder onEvent(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.EVENT, resource, options, handler);
    }

    @Override
    public OperatorBuilder onIndex(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler function) {
        return add(HandlerKind.INDEX, resource, options, function);
    }

    @Override
    public OperatorBuilder onStartup(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.STARTUP, options, handler);
    }

    @Override
    public OperatorBuilder onCleanup(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.CLEANUP, options, handler);
    }

    @Override
    public OperatorBuilder onLogin(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.LOGIN, options, handler);
    }

    @Override
    public OperatorBuilder onProbe(UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.PROBE, options, handler);
    }

    private OperatorBuilder add(Activity activity, UnaryOperator<ActivityOptions> options, ActivityHandler handler) {
        registrations.add(
                new Registration.Active(options.apply(new ActivityOptions()).define(activity), handler));
        return this;
    }

    @Override
    public OperatorBuilder onDaemon(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.DAEMON, resource, options, handler);
    }

    @Override
    public OperatorBuilder onTimer(ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        return add(HandlerKind.TIMER, resource, options, handler);
    }

    private OperatorBuilder add(
            HandlerKind kind, ResourceSelector resource, UnaryOperator<HandlerOptions> options, Handler handler) {
        HandlerOptions chosen = options.apply(new HandlerOptions());
        registrations.add(new Registration.Functional(HandlerDefinition.of(kind, resource, chosen), handler));
        return this;
    }

    @Override
    public OperatorBuilder namespaces(String... names) {
        Arrays.stream(names).map(NamespacePattern::new).forEach(namespaces::add);
        return this;
    }

    @Override
    public OperatorBuilder namespaces(Pattern... expressions) {
        Arrays.stream(expressions).map(NamespacePattern::new).forEach(namespaces::add);
        return this;
    }

    @Override
    public OperatorBuilder clusterwide() {
        this.clusterwide = true;
        return this;
    }

    @Override
    public OperatorBuilder kubeconfig(Path file) {
        this.kubeconfig = file;
        return this;
    }

    @Override
    public OperatorBuilder connection(ConnectionInfo info) {
        this.connection = info;
        return this;
    }

    @Override
    public OperatorBuilder stopWhen(StopCondition condition) {
        this.stopWhen = condition;
        return this;
    }

    @Override
    public OperatorBuilder whenReady(Runnable action) {
        this.whenReady = action;
        return this;
    }

    @Override
    public OperatorBuilder memo(Memo operatorMemo) {
        return memo(operatorMemo, Memo::copy);
    }

    @Override
    public <M> OperatorBuilder memo(M operatorMemo, MemoFactory<M> factory) {
        this.memo = new MemoSource<>(operatorMemo, factory);
        return this;
    }

    @Override
    public OperatorBuilder liveness(String url) {
        probeAddresses = probeAddresses.withLiveness(ListenAddress.parse(url));
        return this;
    }

    @Override
    public OperatorBuilder readiness(String url) {
        probeAddresses = probeAddresses.withReadiness(ListenAddress.parse(url));
        return this;
    }

    @Override
    public OperatorBuilder metrics(String url) {
        probeAddresses = probeAddresses.withMetrics(ListenAddress.parse(url));
        return this;
    }

    @Override
    public OperatorBuilder metricsListener(MetricsListener listener) {
        metrics.add(listener);
        return this;
    }

    @Override
    public OperatorBuilder settings(Consumer<OperatorSettings> change) {
        change.accept(settings);
        return this;
    }

    @Override
    public Operator build() {
        return OperatorAssembly.assemble(plan());
    }

    /** What was collected so far. */
    OperatorPlan plan() {
        if (clusterwide && !namespaces.isEmpty()) {
            throw new IllegalStateException(
                    "either namespaces or the whole cluster can be watched, not both: " + namespaces);
        }
        return new OperatorPlan(
                registrations,
                settings,
                namespaces,
                clusterwide,
                kubeconfig,
                connection,
                stopWhen,
                whenReady,
                memo,
                probeAddresses,
                metrics);
    }
}
