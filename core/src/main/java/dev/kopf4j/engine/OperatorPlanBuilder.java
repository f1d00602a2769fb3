package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.ActivityOptions;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Memo;
import dev.kopf4j.MemoFactory;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnConvert;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.StopCondition;
import dev.kopf4j.Tracing;
import dev.kopf4j.engine.call.OperatorMemos.MemoSource;
import dev.kopf4j.engine.conversion.ConversionFunction.ConversionOptionsDraft;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.probe.ListenAddress;
import dev.kopf4j.engine.probe.ListenAddress.ProbeAddresses;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.rbac.DeclaredRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what an operator consists of. Not thread-safe. */
final class OperatorPlanBuilder implements OperatorBuilder {
    private final OperatorAssembly.Observer observer;
    private final List<Registration> registrations = new ArrayList<>();
    private final OperatorSettings settings = new OperatorSettings();
    private final List<NamespacePattern> namespaces = new ArrayList<>();
    private boolean clusterwide;
    private @Nullable Path kubeconfig;
    private @Nullable ConnectionInfo connection;
    private @Nullable AtomicReference<@Nullable String> context;
    private @Nullable StopCondition stopWhen;
    private @Nullable Boolean stopOnSignals;
    private @Nullable Runnable whenReady;
    private @Nullable MemoSource<?> memo;
    private ProbeAddresses probeAddresses = ProbeAddresses.NONE;
    private final List<MetricsListener> metrics = new ArrayList<>();
    private @Nullable Tracing tracing;
    private Supplier<List<String>> processTroubles = List::of;

    OperatorPlanBuilder(OperatorAssembly.Observer observer) {
        this.observer = observer;
    }

    @Override
    public OperatorBuilder handlers(Object... beansOrClasses) {
        Arrays.stream(beansOrClasses).map(Registration.Annotated::new).forEach(registrations::add);
        return this;
    }

    @Override
    public OperatorBuilder onCreate(
            ResourceSelector resource, String id, Consumer<? super OnCreate.Options> options, Handler handler) {
        return add(HandlerKind.CREATE, resource, id, new DeclaredOptions.Create(), options, handler);
    }

    @Override
    public OperatorBuilder onUpdate(
            ResourceSelector resource, String id, Consumer<? super OnUpdate.Options> options, Handler handler) {
        return add(HandlerKind.UPDATE, resource, id, new DeclaredOptions.Update(), options, handler);
    }

    @Override
    public OperatorBuilder onDelete(
            ResourceSelector resource, String id, Consumer<? super OnDelete.Options> options, Handler handler) {
        return add(HandlerKind.DELETE, resource, id, new DeclaredOptions.Delete(), options, handler);
    }

    @Override
    public OperatorBuilder onResume(
            ResourceSelector resource, String id, Consumer<? super OnResume.Options> options, Handler handler) {
        return add(HandlerKind.RESUME, resource, id, new DeclaredOptions.Resume(), options, handler);
    }

    @Override
    public OperatorBuilder onField(
            ResourceSelector resource, String id, Consumer<? super OnField.Options> options, Handler handler) {
        return add(HandlerKind.FIELD, resource, id, new DeclaredOptions.Field(), options, handler);
    }

    @Override
    public OperatorBuilder onEvent(
            ResourceSelector resource, String id, Consumer<? super OnEvent.Options> options, Handler handler) {
        return add(HandlerKind.EVENT, resource, id, new DeclaredOptions.Event(), options, handler);
    }

    @Override
    public OperatorBuilder onIndex(
            ResourceSelector resource, String id, Consumer<? super OnIndex.Options> options, Handler handler) {
        return add(HandlerKind.INDEX, resource, id, new DeclaredOptions.Index(), options, handler);
    }

    @Override
    public OperatorBuilder onReconcile(
            ResourceSelector resource, String id, Consumer<? super OnReconcile.Options> options, Handler handler) {
        return add(HandlerKind.RECONCILE, resource, id, new DeclaredOptions.Reconcile(), options, handler);
    }

    @Override
    public OperatorBuilder onChild(
            ResourceSelector parent,
            ResourceSelector child,
            String id,
            Consumer<? super OnChild.Options> options,
            Handler handler) {
        return add(HandlerKind.CHILD, parent, id, new DeclaredOptions.OfChild(child), options, handler);
    }

    @Override
    public OperatorBuilder onDaemon(
            ResourceSelector resource, String id, Consumer<? super OnDaemon.Options> options, Handler handler) {
        return add(HandlerKind.DAEMON, resource, id, new DeclaredOptions.Daemon(), options, handler);
    }

    @Override
    public OperatorBuilder onTimer(
            ResourceSelector resource, String id, Consumer<? super OnTimer.Options> options, Handler handler) {
        return add(HandlerKind.TIMER, resource, id, new DeclaredOptions.Timer(), options, handler);
    }

    @Override
    public OperatorBuilder onValidate(
            ResourceSelector resource, String id, Consumer<? super OnValidate.Options> options, Handler handler) {
        return add(HandlerKind.VALIDATE, resource, id, new DeclaredOptions.Validate(), options, handler);
    }

    @Override
    public OperatorBuilder onMutate(
            ResourceSelector resource, String id, Consumer<? super OnMutate.Options> options, Handler handler) {
        return add(HandlerKind.MUTATE, resource, id, new DeclaredOptions.Mutate(), options, handler);
    }

    @Override
    public OperatorBuilder onConvert(
            String definition, String from, String to, Consumer<? super OnConvert.Options> functions) {
        registrations.add(new Registration.Converting(ConversionOptionsDraft.declare(definition, from, to, functions)));
        return this;
    }

    private <D extends DeclaredOptions.Filling<?>> OperatorBuilder add(
            HandlerKind kind,
            ResourceSelector resource,
            String id,
            D given,
            Consumer<? super D> options,
            Handler handler) {
        options.accept(given);
        registrations.add(new Registration.Functional(given.declare(kind, resource, id), handler));
        return this;
    }

    @Override
    public OperatorBuilder onStartup(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.STARTUP, id, options, handler);
    }

    @Override
    public OperatorBuilder onCleanup(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.CLEANUP, id, options, handler);
    }

    @Override
    public OperatorBuilder onLogin(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.LOGIN, id, options, handler);
    }

    @Override
    public OperatorBuilder onProbe(String id, Consumer<? super ActivityOptions> options, ActivityHandler handler) {
        return add(Activity.PROBE, id, options, handler);
    }

    private OperatorBuilder add(
            Activity activity, String id, Consumer<? super ActivityOptions> options, ActivityHandler handler) {
        DeclaredOptions.Active given = new DeclaredOptions.Active();
        options.accept(given);
        registrations.add(new Registration.Active(given.declare(activity, id), handler));
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
    public OperatorBuilder policyRule(DeclaredRule rule) {
        registrations.add(new Registration.Entitled(rule));
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
    public OperatorBuilder stopOnSignals(boolean stop) {
        this.stopOnSignals = stop;
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
        this.memo = new MemoSource<>(operatorMemo, factory, null);
        return this;
    }

    void memos(MemoSource<?> source) {
        this.memo = source;
    }

    void processTroubles(Supplier<List<String>> troubles) {
        this.processTroubles = troubles;
    }

    void context(AtomicReference<@Nullable String> known) {
        this.context = known;
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
    public OperatorBuilder tracing(Tracing tracing) {
        this.tracing = tracing;
        return this;
    }

    @Override
    public OperatorBuilder settings(Consumer<OperatorSettings> change) {
        change.accept(settings);
        return this;
    }

    @Override
    public Operator build() {
        return OperatorAssembly.assemble(plan(), observer);
    }

    /** What was collected so far. */
    OperatorPlan plan() {
        if (clusterwide && !namespaces.isEmpty()) {
            throw new IllegalStateException(
                    "either namespaces or the whole cluster can be watched, not both: " + namespaces);
        }
        return new OperatorPlan(
                registrations,
                settings.copy(),
                new OperatorPlan.Scope(namespaces, clusterwide),
                new OperatorPlan.Login(kubeconfig, connection, context),
                new OperatorPlan.Course(whenReady, stopWhen, stopOnSignals),
                memo,
                new OperatorPlan.Reports(
                        probeAddresses,
                        metrics,
                        tracing == null ? IntegrationLookup.tracing() : tracing,
                        processTroubles));
    }
}
