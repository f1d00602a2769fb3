package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.SettingValue;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.login.ConnectionProvider;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.RunState.RunPlatform;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.engine.activity.ActivityRunner.ActivityException;
import dev.kopf4j.engine.call.ContextFactory;
import dev.kopf4j.engine.call.ContextFactory.ChildrenLookup;
import dev.kopf4j.engine.call.ContextFactory.ServiceProvider;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.console.OperatorConsole;
import dev.kopf4j.engine.console.RunningEngine;
import dev.kopf4j.engine.declaration.HandlerDeclarationRules;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.WebhookName;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.orchestration.Orchestrator.StreamReport;
import dev.kopf4j.engine.posting.EventPoster;
import dev.kopf4j.engine.probe.ProbeServer;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.engine.recording.RecordWriter;
import dev.kopf4j.engine.recording.Recorder;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.hierarchy.ObjectEvent.EventSink;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.persistence.StorageFactory;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.settings.SettingTable;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import dev.kopf4j.spi.WriteListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an operator does from its start to its end: start-up handlers, probes, connection, work, cleanup handlers.
 * Confined to its task, but for its state; used once.
 */
final class OperatorRun {
    private static final int LOOKS_AT_START = 3;
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    /** The last lines of the record are written within this time, or never. */
    private static final Duration LAST_LINES = Duration.ofSeconds(2);

    /** What the action of {@code whenReady} may still do after it was interrupted takes no longer. */
    private static final Duration ACTION_END = Duration.ofSeconds(1);

    /** Where the setting comes from that says whether the whole cluster is served. */
    private static final String NAMESPACES = "the operator's namespaces";

    private final OperatorPlan plan;
    private final OperatorSettings settings;
    private final HandlerRegistry registry;
    private final OperatorEnvironment operatorEnvironment;
    private final RunState state;
    private final Platform platform;
    private final Recorder recorder;
    private final OperatorConsole console;
    private final OperatorEndpoints operatorEndpoints;
    private final OperatorParts parts;
    private @Nullable RecordWriter recordWriter;
    private @Nullable Task readyAction;

    OperatorRun(
            OperatorPlan plan,
            OperatorSettings settings,
            HandlerRegistry registry,
            OperatorEnvironment operatorEnvironment,
            RunState state) {
        this.plan = plan;
        this.settings = settings;
        this.registry = registry;
        this.operatorEnvironment = operatorEnvironment;
        this.state = state;
        this.platform = operatorEnvironment.platform();
        this.recorder = new Recorder(platform, settings.recorder());
        this.operatorEndpoints = new OperatorEndpoints(platform, plan, recorder);
        IndexSet indices = IndexSet.of(registry);
        this.console = new OperatorConsole(
                platform,
                settings,
                plan.namespaces().stream().map(NamespacePattern::toString).toList(),
                registry,
                indices,
                recorder);
        this.parts = new OperatorParts(
                platform,
                settings,
                registry,
                indices,
                new OperatorMemos(plan.memo()),
                operatorEnvironment.trace().and(operatorEndpoints.trace()).and(console));
    }

    /** How it is doing; any thread may ask. */
    OperatorState state() {
        return operatorEndpoints.state();
    }

    /** What its probes say; any thread may ask. */
    Map<String, @Nullable Object> probe() throws InterruptedException {
        return operatorEndpoints.probe();
    }

    /** Starts, works until it is asked to stop, and leaves everything as it should be. */
    void run() throws InterruptedException {
        turned(OperatorStep.Stage.STARTS, TransportRequest.USER_AGENT);
        try {
            live();
            turned(OperatorStep.Stage.ENDED, "");
        } catch (RuntimeException e) {
            turned(OperatorStep.Stage.ENDED, e.getClass().getSimpleName());
            throw e;
        } finally {
            try {
                if (recordWriter != null) {
                    recordWriter.end(platform.after(LAST_LINES));
                }
            } finally {
                operatorEndpoints.end();
                if (isOfMachine()) {
                    ModelBinding.forgetTypes();
                }
            }
        }
    }

    private void live() throws InterruptedException {
        log.debug("Starting {}.", TransportRequest.USER_AGENT);
        warnIfUnscoped();
        settings.from(
                NAMESPACES,
                known -> known.peering().clusterwide(plan.namespaces().isEmpty()));
        ClusterAccess access = access();
        try (IntegrationServices services =
                new IntegrationServices(platform, access, this::network, IntegrationServices::integration)) {
            ActivityRunner activityRunner = activityRunner(access, services);
            StartupAndCleanup startupAndCleanup = new StartupAndCleanup(platform, activityRunner);
            startupAndCleanup.startUp(settings, operatorEnvironment.alone());
            try {
                serve(access, services, activityRunner, startupAndCleanup);
            } finally {
                // What the start-up handlers have begun is ended, too, if something has failed before the first
                // request.
                state.leave();
                startupAndCleanup.cleanUp(this::exitDeadline);
            }
        }
        log.debug("The operator has stopped.");
    }

    /** As Kopf does, which wants to make an error of it. */
    private void warnIfUnscoped() {
        if (!plan.scope().isChosen()) {
            log.warn("Neither namespaces nor the whole cluster was chosen: watching the whole cluster. Choose it by"
                    + " `run -A`, clusterwide() or kopf4j.clusterwide=true in Spring; namespaces by `run -n`,"
                    + " namespaces(...) or kopf4j.namespaces.");
        }
    }

    private void serve(
            ClusterAccess access,
            IntegrationServices services,
            ActivityRunner activityRunner,
            StartupAndCleanup startupAndCleanup)
            throws InterruptedException {
        recorder.settle(settings.recorder());
        if (isOfMachine()) {
            // The folder is one of this machine: what never was does not belong there, beside what a real operator
            // does.
            recordWriter = RecordWriter.start(platform, recorder, settings.recorder());
        }
        checkIds();
        if (operatorEnvironment.webhooks() == null) {
            ServedWebhooks.check(registry, settings);
        }
        ProbeServer probes = operatorEndpoints.start(activityRunner, settings);
        startConsole();
        try (ConnectionProvider connection = access.connect(platform, network())) {
            services.renewWith(connection);
            try {
                work(connection, services);
            } finally {
                state.leave();
                startupAndCleanup.cleanUp(this::exitDeadline);
            }
        } finally {
            console.close();
            probes.close();
        }
    }

    private void turned(OperatorStep.Stage stage, String detail) {
        parts.trace().happened(new OperatorStep.OperatorTurned(stage, detail));
    }

    /** Checks the ids only now, as start-up handlers may have chosen where progress is stored. */
    private void checkIds() {
        try {
            HandlerDeclarationRules.checkIds(registry.handlers(), storedProgress());
            WebhookName.checkDistinct(registry.admission());
        } catch (HandlerDeclarationException e) {
            throw new OperatorException("The operator does not start: " + e.getMessage(), e);
        }
    }

    private ProgressPersistence storedProgress() {
        OperatorSettings.Persistence persistence = settings.persistence();
        return StorageFactory.progress(persistence.progressStorage(), persistence.prefix());
    }

    /** The user's login handlers take the place of the built-in logins. */
    private ClusterAccess access() {
        ClusterAccess planned = operatorEnvironment.access().ofRun();
        ActivityRunner logins = activityRunner(planned, ServiceProvider.NONE);
        return logins.has(Activity.LOGIN) ? planned.with(new LoginHandlerCredentials(logins)) : planned;
    }

    private ActivityRunner activityRunner(ClusterAccess access, ServiceProvider services) {
        return new ActivityRunner(
                platform, registry.activities(), settings, services, access.logins(), parts.memos(), parts.indices());
    }

    /** Watches and handles until it is asked to stop. */
    private void work(ConnectionProvider connection, IntegrationServices services) throws InterruptedException {
        KubernetesApi api = new KubernetesApi(platform, connection, network(), this::requestEnded);
        ServerConnectionCheck.make(api);
        try (EventPoster events = EventPoster.start(platform, api, settings.posting())) {
            ServedWebhooks webhooks = webhooks(api, services.with(EventSink.class, events));
            ActingOperator acting =
                    new ActingOperator(parts, api, plan.namespaces(), services, events, webhooks::found);
            services.tellWritesTo(acting.writes());
            webhooks.shareMemos(acting::findMemo);
            act(acting, webhooks, api);
        }
    }

    private void requestEnded(RequestDescription description, TransportRequest request, int status, Duration took) {
        parts.trace().happened(new OperatorStep.RequestEnded(description, request, status, took));
    }

    private ServedWebhooks webhooks(KubernetesApi api, ServiceProvider services) {
        return new ServedWebhooks(
                parts,
                api,
                new ContextFactory(platform, services, parts.indices(), ChildrenLookup.NONE, storedProgress()::fetch),
                plan.namespaces(),
                operatorEnvironment.webhooks(),
                state::fail);
    }

    private void act(ActingOperator acting, ServedWebhooks webhooks, KubernetesApi api) throws InterruptedException {
        try {
            operatorEndpoints.watch(acting, webhooks);
            console.watch(new ToldEngine(acting, api, operatorEndpoints));
            acting.start();
            becomeReady(acting);
            state.awaitStopRequest();
            log.info("The operator is stopping.");
            turned(OperatorStep.Stage.STOPS, "");
        } finally {
            state.leave();
            operatorEndpoints.markStopping();
            Deadline endOfAction = platform.after(settings.queueing().exitTimeout());
            try {
                acting.stop();
            } finally {
                webhooks.end();
                endReadyAction(endOfAction);
            }
        }
    }

    /** In a simulation, nobody could ask while its clock stands still. */
    private void startConsole() {
        if (isOfMachine()) {
            console.start();
        }
    }

    private boolean isOfMachine() {
        return platform instanceof RunPlatform own && own.isOfMachine();
    }

    /** What the console asks. */
    record ToldEngine(ActingOperator acting, KubernetesApi api, OperatorEndpoints endpoints) implements RunningEngine {
        /** Whoever looks at a page waits no longer: it then says that the server does not answer. */
        private static final Duration READ_WITHIN = Duration.ofSeconds(5);

        @Override
        public OperatorState state() {
            return endpoints.state();
        }

        @Override
        public List<StreamReport> reports() {
            return acting.reports();
        }

        @Override
        public Optional<ObjectNode> recall(String uid) {
            return acting.recall(uid);
        }

        @Override
        public List<LiveChild> children(String uid) {
            return acting.children(uid);
        }

        /** By a list, since operators may list and watch what they handle, but not get it. */
        @Override
        public Optional<ObjectNode> read(Resource resource, @Nullable String namespace, String name)
                throws InterruptedException {
            List<ObjectNode> found = new ArrayList<>();
            ListListener listener = body -> {
                if (body.path("metadata").path("name").asString("").equals(name)) {
                    found.add(body);
                }
            };
            var _ = api.with(api.settings().withErrorBackoffs().withRequestTimeout(READ_WITHIN))
                    .list(resource, namespace, Narrowing.named(name), 1, listener);
            return found.stream().findFirst();
        }
    }

    private void becomeReady(ActingOperator acting) throws InterruptedException {
        state.becomeReady();
        turned(OperatorStep.Stage.READY, "");
        operatorEndpoints.markReady();
        OperatorState now = acting.state(true, List.of(), true);
        // A peering may have let streams begin just now, which were paused when the start looked at them.
        for (int time = 0; time < LOOKS_AT_START && ReadinessPage.isListing(now); time++) {
            acting.awaitListed();
            now = acting.state(true, List.of(), true);
        }
        List<String> obstacles = ReadinessPage.obstacles(now);
        if (obstacles.isEmpty()) {
            log.info(ReadinessPage.readyMessage(now));
        } else {
            log.warn(ReadinessPage.notReadyMessage(obstacles));
        }
        Runnable action = plan.course().whenReady();
        if (action != null) {
            state.awaitsAction();
            readyAction = platform.spawn("when ready", () -> tellReady(action));
        }
    }

    /** The action of {@code whenReady} ends before the cleanup handlers are called, as handlers do. */
    private void endReadyAction(Deadline deadline) throws InterruptedException {
        Task action = readyAction;
        if (action == null || state.awaitAction(deadline)) {
            return;
        }
        action.interrupt();
        if (!state.awaitAction(platform.after(ACTION_END))) {
            log.warn("The action of whenReady goes on although it was interrupted: it is left behind.");
        }
    }

    /** In a task of its own: it may close the operator, and wait for its end. */
    private void tellReady(Runnable action) {
        try {
            state.act(action);
        } catch (TaskEndError e) {
            throw e;
        } catch (Throwable e) { // also checked ones, which other languages throw
            Throwable told = Platform.tellable(e);
            boolean counts = state.fail(
                    new OperatorException("The action when the operator is ready has failed: " + told, told));
            if (!counts) {
                log.error("The action when the operator is ready has failed, as the operator was stopping.", told);
            }
        }
    }

    private NetworkSettings network() {
        return NetworkSettings.of(settings.networking());
    }

    private Deadline exitDeadline() {
        Duration timeout = settings.process().ultimateExitingTimeout();
        return timeout == null ? Deadline.NEVER : platform.after(timeout);
    }

    /**
     * The clients of other libraries that handlers have asked for: one of each type for the whole operator.
     * Thread-safe.
     */
    static final class IntegrationServices implements ServiceProvider, CredentialRenewal, AutoCloseable {

        private final ClusterAccess access;
        private final Supplier<NetworkSettings> settings;
        private final Function<Class<?>, Integration> integrations;
        private volatile @Nullable ConnectionProvider connection;
        private volatile @Nullable WriteListener listener;
        /** One login at a time. Those that wait may be interrupted, however long it takes. */
        private final ConcurrencyLimit logins;
        /** Guards what follows, and is never held for long. */
        private final Monitor monitor;

        private final Map<Class<?>, AutoCloseable> open = new LinkedHashMap<>();
        private boolean closed;

        /**
         * No clients.
         *
         * @param settings asked for when a client is made: start-up handlers may change them
         */
        IntegrationServices(
                Platform platform,
                ClusterAccess access,
                Supplier<NetworkSettings> settings,
                Function<Class<?>, Integration> integrations) {
            this.logins = new ConcurrencyLimit(platform, 1);
            this.monitor = platform.monitor();
            this.access = access;
            this.integrations = integrations;
            this.settings = settings;
        }

        /** From now on, the clients use the credentials of the operator, and those are renewed together. */
        void renewWith(ConnectionProvider own) {
            connection = own;
        }

        /** From now on, that one hears what the clients write. */
        void tellWritesTo(WriteListener other) {
            listener = other;
        }

        private void answered(String method, String target, byte[] answer) {
            WriteListener known = listener;
            if (known != null) {
                known.answered(method, target, answer);
            }
        }

        @Override
        public ConnectionInfo renew(ConnectionInfo rejected) throws InterruptedException {
            ConnectionProvider own = connection;
            return own == null ? rejected : own.renew(rejected);
        }

        @Override
        public ConnectionInfo tlsFailed(ConnectionInfo used) throws InterruptedException {
            ConnectionProvider own = connection;
            return own == null ? used : own.tlsFailed(used);
        }

        @Override
        public ConnectionInfo latest(ConnectionInfo used) {
            ConnectionProvider own = connection;
            return own == null ? used : own.latest(used);
        }

        @Override
        public Object get(Class<?> type) {
            AutoCloseable known = find(type);
            return known == null ? inTurn(type) : known;
        }

        private @Nullable AutoCloseable find(Class<?> type) {
            return monitor.locked(() -> {
                if (closed) {
                    throw ended(type);
                }
                return open.get(type);
            });
        }

        private static IllegalStateException ended(Class<?> type) {
            return new IllegalStateException("the operator has ended: there is no " + type.getSimpleName()
                    + " for handlers that go on although they were interrupted");
        }

        private AutoCloseable inTurn(Class<?> type) {
            try {
                logins.acquire(Deadline.NEVER);
            } catch (InterruptedException e) {
                throw interrupted(type, e);
            }
            try {
                AutoCloseable known = find(type);
                return known == null ? keep(type, make(type)) : known;
            } finally {
                logins.release();
            }
        }

        private AutoCloseable keep(Class<?> type, AutoCloseable made) {
            boolean late = monitor.locked(() -> {
                if (!closed) {
                    open.put(type, made);
                }
                return closed;
            });
            if (late) {
                close(type, made);
                throw ended(type);
            }
            return made;
        }

        private AutoCloseable make(Class<?> type) {
            try {
                return access.open(integrations.apply(type), type, settings.get(), this, this::answered);
            } catch (InterruptedException e) {
                throw interrupted(type, e);
            }
        }

        private static IllegalStateException interrupted(Class<?> type, InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("interrupted while logging in for a " + type.getSimpleName(), e);
        }

        private static Integration integration(Class<?> type) {
            return IntegrationLookup.forServiceType(type)
                    .orElseThrow(() -> new IllegalStateException("no integration makes services of " + type.getName()
                            + "; add its module, such as kopf4j-fabric8"));
        }

        @Override
        public void close() {
            Map<Class<?>, AutoCloseable> left = monitor.locked(() -> {
                closed = true;
                Map<Class<?>, AutoCloseable> all = new LinkedHashMap<>(open);
                open.clear();
                return all;
            });
            left.forEach(this::close);
        }

        private void close(Class<?> type, AutoCloseable service) {
            try {
                integrations.apply(type).close(service);
            } catch (Exception e) {
                log.warn(
                        "The {} of the handlers could not be closed: {}",
                        type.getSimpleName(),
                        Platform.tellable(e).toString());
            }
        }
    }

    /** Calls the start-up handlers before everything else, and the cleanup handlers after it. Used once. */
    private static final class StartupAndCleanup {
        /** Origins of settings that nobody has given from outside. */
        private static final Set<String> IN_CODE =
                Set.of("default", "code", SettingTable.OPERATOR_NAME.name(), NAMESPACES);

        private final Platform platform;
        private final ActivityRunner activityRunner;
        private final Monitor monitor;
        private @Nullable OperatorException failure;
        private boolean cleansUp;

        StartupAndCleanup(Platform platform, ActivityRunner activityRunner) {
            this.platform = platform;
            this.activityRunner = activityRunner;
            this.monitor = platform.monitor();
        }

        /**
         * Calls the start-up handlers; when they have ended, the settings are final.
         *
         * @param alone whether there is no peering, whatever they say
         */
        void startUp(OperatorSettings settings, boolean alone) throws InterruptedException {
            try {
                List<SettingValue> before = settings.values();
                activityRunner.run(Activity.STARTUP);
                tellOverridden(before, settings.values());
                if (alone) {
                    settings.peering().standalone(true);
                }
                settings.freeze();
            } catch (ActivityException e) {
                throw new OperatorException("The operator does not start: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                log.warn("Startup activity is only partially executed due to cancellation.");
                throw e;
            }
        }

        /** What people have given from outside, and does not count, as start-up handlers are called last. */
        private static void tellOverridden(List<SettingValue> before, List<SettingValue> after) {
            for (int i = 0; i < before.size(); i++) {
                SettingValue given = before.get(i);
                SettingValue now = after.get(i);
                if (!IN_CODE.contains(given.origin()) && !given.text().equals(now.text())) {
                    log.warn(
                            "A start-up handler has set {} to {}, so that {}, which comes from {}, does not count.",
                            given.setting(),
                            now.text(),
                            given.text(),
                            given.origin());
                }
            }
        }

        /**
         * Calls the cleanup handlers, unless they were called, in a task of their own: an interrupt of the caller, by
         * which the operator is to stop at once, does not reach them.
         *
         * @throws OperatorException if one of them has failed for good
         */
        void cleanUp(Supplier<Deadline> deadline) throws InterruptedException {
            if (cleansUp || !activityRunner.has(Activity.CLEANUP)) {
                return;
            }
            cleansUp = true;
            Task task = platform.spawn("cleanup", this::runCleanup);
            if (!task.join(deadline.get())) {
                task.interrupt();
                log.warn("Cleanup activity is only partially executed, as its time is over"
                        + " (process.ultimateExitingTimeout).");
                return;
            }
            OperatorException failed = monitor.locked(() -> failure);
            if (failed != null) {
                throw failed;
            }
        }

        private void runCleanup() {
            try {
                activityRunner.run(Activity.CLEANUP);
            } catch (ActivityException e) {
                monitor.locked(() -> {
                    failure =
                            new OperatorException("The operator has stopped, but not cleaned up: " + e.getMessage(), e);
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Credentials from the user's login handlers.
     *
     * @param activityRunner whose handlers are called at each login
     */
    private record LoginHandlerCredentials(ActivityRunner activityRunner) implements CredentialSource {
        @Override
        public Map<String, ConnectionInfo> retrieve() throws InterruptedException {
            Map<String, ConnectionInfo> found = new LinkedHashMap<>();
            try {
                for (Map.Entry<String, Object> result :
                        activityRunner.run(Activity.LOGIN).entrySet()) {
                    credential(result.getKey(), result.getValue()).ifPresent(info -> found.put(result.getKey(), info));
                }
            } catch (ActivityException e) {
                throw new NoCredentialsException(String.valueOf(e.getMessage()), e);
            }
            return found;
        }

        private static Optional<ConnectionInfo> credential(String id, Object result) {
            return switch (result) {
                case ConnectionInfo info -> Optional.of(info);
                case Optional<?> none when none.isEmpty() -> Optional.empty();
                case Optional<?> some when some.get() instanceof ConnectionInfo info -> Optional.of(info);
                default ->
                    throw new NoCredentialsException("the login handler '" + id
                            + "' must return a ConnectionInfo, an Optional of one, or null, but has returned a "
                            + result.getClass().getName());
            };
        }
    }
}
