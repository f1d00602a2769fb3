package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.Tracing;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.engine.probe.CountedHandlers;
import dev.kopf4j.engine.probe.ListenAddress;
import dev.kopf4j.engine.probe.ListenAddress.ProbeAddresses;
import dev.kopf4j.engine.probe.LivenessPage;
import dev.kopf4j.engine.probe.MetricsPage;
import dev.kopf4j.engine.probe.ProbeServer;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.engine.recording.Recorder;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.engine.tracing.SpanTrace;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells others how the operator is doing: by endpoints, and to listeners of metrics. Thread-safe. */
final class OperatorEndpoints {
    private final Platform platform;
    private final Recorder recorder;
    private final ProbeAddresses probeAddresses;
    private final @Nullable MetricsPage page;
    private final MetricsListener metrics;
    private final @Nullable Tracing tracing;
    private final Supplier<List<String>> processTroubles;
    private volatile Supplier<OperatorState> state = () -> OperatorState.STARTING;
    private volatile ReadinessPage.Recollection recollection = _ -> Optional.empty();
    private volatile Duration patience = Duration.ZERO;
    private volatile @Nullable LivenessPage liveness;
    private volatile boolean ready;
    private volatile boolean stopping;

    OperatorEndpoints(Platform platform, OperatorPlan plan, Recorder recorder) {
        this.platform = platform;
        this.recorder = recorder;
        this.probeAddresses = plan.reports().probeAddresses();
        this.page = probeAddresses.metrics() == null ? null : new MetricsPage(() -> patience);
        List<MetricsListener> listeners = new ArrayList<>(plan.reports().metrics());
        if (page != null) {
            listeners.add(page);
        }
        this.metrics = CombinedMetrics.of(listeners);
        this.tracing = plan.reports().tracing();
        this.processTroubles = plan.reports().processTroubles();
    }

    /** Hears of each step: records it, makes spans of it, and tells the listeners of what can be measured. */
    OperatorTrace trace() {
        OperatorTrace measured = metrics.equals(MetricsListener.NONE)
                ? OperatorTrace.NONE
                : new Measurement(metrics, new CountedHandlers());
        Tracing library = tracing;
        OperatorTrace spans = library == null ? OperatorTrace.NONE : new SpanTrace(platform, library);
        return measured.and(recorder).and(spans);
    }

    /**
     * Tells a listener what can be measured of the steps.
     *
     * @param listener who measures
     * @param handlers under which ids
     */
    private record Measurement(MetricsListener listener, CountedHandlers handlers) implements OperatorTrace {
        @Override
        public boolean hearsOfChildren() {
            return false;
        }

        @Override
        public void happened(OperatorStep step) {
            switch (step) {
                case OperatorStep.CycleBegan began
                when began.type() != null -> listener.processingBegan(began.resource(), began.waited());
                case OperatorStep.CallEnded ended -> ended(ended);
                case OperatorStep.RequestEnded ended ->
                    listener.requestEnded(ended.verb(), ended.status(), ended.took());
                case OperatorStep.ObjectUnreadable unreadable -> listener.objectUnreadable(unreadable.resource());
                case OperatorStep.HandlingPaused paused -> listener.handlingPaused(paused.resource(), paused.paused());
                default -> {}
            }
        }

        private void ended(OperatorStep.CallEnded ended) {
            if (ended.outcome() != null) {
                HandlerContext context = ended.context();
                listener.handlerEnded(new HandlerCall(
                        handlers.counted(context.handlerId()),
                        ended.kind(),
                        context.resource(),
                        ended.outcome(),
                        context.retry(),
                        ended.took()));
            }
        }
    }

    /** How the operator is doing. */
    OperatorState state() {
        return state.get();
    }

    /** What the page of liveness tells, wherever it is served; nothing before {@link #start}. */
    Map<String, @Nullable Object> probe() throws InterruptedException {
        LivenessPage known = liveness;
        return known == null ? Map.of() : known.check();
    }

    /** Begins to answer at the endpoints. */
    ProbeServer start(ActivityRunner activityRunner, OperatorSettings settings) {
        patience = settings.watching().inactivityTimeout();
        LivenessPage alive = new LivenessPage(
                platform,
                () -> activityRunner.run(Activity.PROBE),
                () -> state.get(),
                LivenessPage.patience(settings),
                processTroubles);
        liveness = alive;
        Map<ListenAddress, ProbePage> pages = new LinkedHashMap<>();
        if (probeAddresses.liveness() != null) {
            pages.put(probeAddresses.liveness(), alive);
        }
        if (probeAddresses.readiness() != null) {
            pages.put(
                    probeAddresses.readiness(),
                    new ReadinessPage(
                            () -> state.get(),
                            patience,
                            uid -> recollection.recall(uid),
                            recorder.isOn() ? query -> query.answer(recorder, platform) : null));
            pages.putIfAbsent(
                    probeAddresses.readiness().below("webhooks"), new ReadinessPage.OfWebhooks(() -> state.get()));
        }
        if (probeAddresses.metrics() != null && page != null) {
            pages.put(probeAddresses.metrics(), page);
        }
        metrics.observe(() -> state.get());
        return ProbeServer.start(platform, pages);
    }

    /** From now on, the endpoints tell how this operator is doing. */
    void watch(ActingOperator acting, ServedWebhooks webhooks) {
        recollection = acting::recall;
        state = () -> acting.state(ready && !stopping, troubles(webhooks), !stopping && webhooks.areServed());
    }

    private List<String> troubles(ServedWebhooks webhooks) {
        return stopping
                ? List.of("the operator is stopping")
                : Stream.concat(processTroubles.get().stream(), webhooks.troubles().stream())
                        .toList();
    }

    /** From now on nobody should send anything new: the operator ends. */
    void markStopping() {
        stopping = true;
    }

    /**
     * The operator has ended: whoever still asks hears that, and why it did not act. Listeners and handles are often
     * kept for much longer, and must not keep its handlers and objects.
     */
    void end() {
        OperatorState now = state.get();
        OperatorState last =
                new OperatorState(false, List.of("the operator has ended"), now.pauses(), List.of(), false, null);
        state = () -> last;
        recollection = _ -> Optional.empty();
        liveness = null;
    }

    void markReady() {
        ready = true;
    }

    /**
     * Tells several listeners what can be measured.
     *
     * @param all the listeners
     */
    private record CombinedMetrics(List<MetricsListener> all) implements MetricsListener {
        /** A listener that tells all of these. */
        static MetricsListener of(List<MetricsListener> all) {
            return switch (all.size()) {
                case 0 -> NONE;
                case 1 -> new GuardedMetrics(all.getFirst());
                default ->
                    new CombinedMetrics(all.stream()
                            .<MetricsListener>map(GuardedMetrics::new)
                            .toList());
            };
        }

        @Override
        public void handlerEnded(HandlerCall call) {
            all.forEach(each -> each.handlerEnded(call));
        }

        @Override
        public void processingBegan(Resource resource, Duration waited) {
            all.forEach(each -> each.processingBegan(resource, waited));
        }

        @Override
        public void objectUnreadable(Resource resource) {
            all.forEach(each -> each.objectUnreadable(resource));
        }

        @Override
        public void handlingPaused(Resource resource, boolean paused) {
            all.forEach(each -> each.handlingPaused(resource, paused));
        }

        @Override
        public void requestEnded(String verb, int status, Duration took) {
            all.forEach(each -> each.requestEnded(verb, status, took));
        }

        @Override
        public void observe(Supplier<OperatorState> state) {
            all.forEach(each -> each.observe(state));
        }

        /** Protects calls, requests and streams from a listener that fails. Logs its first failure. Thread-safe. */
        private static final class GuardedMetrics implements MetricsListener {
            private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

            private final MetricsListener guarded;
            private final AtomicBoolean hasFailed = new AtomicBoolean();

            GuardedMetrics(MetricsListener guarded) {
                this.guarded = guarded;
            }

            @Override
            public void handlerEnded(HandlerCall call) {
                guard(() -> guarded.handlerEnded(call));
            }

            @Override
            public void processingBegan(Resource resource, Duration waited) {
                guard(() -> guarded.processingBegan(resource, waited));
            }

            @Override
            public void objectUnreadable(Resource resource) {
                guard(() -> guarded.objectUnreadable(resource));
            }

            @Override
            public void handlingPaused(Resource resource, boolean paused) {
                guard(() -> guarded.handlingPaused(resource, paused));
            }

            @Override
            public void requestEnded(String verb, int status, Duration took) {
                guard(() -> guarded.requestEnded(verb, status, took));
            }

            @Override
            public void observe(Supplier<OperatorState> state) {
                guard(() -> guarded.observe(state));
            }

            private void guard(Runnable told) {
                try {
                    told.run();
                } catch (Throwable e) {
                    TaskEndError.letThrough(e);
                    if (hasFailed.compareAndSet(false, true)) {
                        log.error(
                                "The metrics listener {} has failed: what it has missed is not told again, nor are its further"
                                        + " failures.",
                                guarded.getClass().getName(),
                                Platform.tellable(e));
                    }
                }
            }
        }
    }
}
