package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.engine.probe.ListenAddress;
import dev.kopf4j.engine.probe.LivenessPage;
import dev.kopf4j.engine.probe.MetricsPage;
import dev.kopf4j.engine.probe.ProbeAddresses;
import dev.kopf4j.engine.probe.ProbePage;
import dev.kopf4j.engine.probe.ProbeServer;
import dev.kopf4j.engine.probe.ReadinessPage;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells others how the operator is doing: by endpoints, and to listeners of metrics. Thread-safe. */
final class OperatorEndpoints {
    private final Platform platform;
    private final ProbeAddresses probeAddresses;
    private final @Nullable MetricsPage page;
    private final MetricsListener metrics;
    private volatile Supplier<OperatorState> state = () -> OperatorState.STARTING;
    private volatile boolean ready;
    private volatile boolean stopping;

    OperatorEndpoints(Platform platform, OperatorPlan plan) {
        this.platform = platform;
        this.probeAddresses = plan.probeAddresses();
        this.page = probeAddresses.metrics() == null ? null : new MetricsPage();
        List<MetricsListener> listeners = new ArrayList<>(plan.metrics());
        if (page != null) {
            listeners.add(page);
        }
        this.metrics = CombinedMetrics.of(listeners);
    }

    /** The listeners of what can be measured. */
    MetricsListener metrics() {
        return metrics;
    }

    /** Begins to answer at the endpoints. */
    ProbeServer start(ActivityRunner activityRunner, OperatorSettings settings) {
        Map<ListenAddress, ProbePage> pages = new LinkedHashMap<>();
        if (probeAddresses.liveness() != null) {
            pages.put(
                    probeAddresses.liveness(),
                    new LivenessPage(
                            platform,
                            () -> activityRunner.run(Activity.PROBE),
                            () -> state.get(),
                            LivenessPage.patience(settings)));
        }
        if (probeAddresses.readiness() != null) {
            pages.put(
                    probeAddresses.readiness(),
                    new ReadinessPage(() -> state.get(), settings.watching().inactivityTimeout()));
        }
        if (probeAddresses.metrics() != null && page != null) {
            pages.put(probeAddresses.metrics(), page);
        }
        metrics.observe(() -> state.get());
        return ProbeServer.start(platform, pages);
    }

    /** From now on, the endpoints tell how this operator is doing. */
    void watch(ActingOperator acting, ServedWebhooks webhooks) {
        state = () -> acting.state(ready && !stopping, troubles(webhooks));
    }

    private List<String> troubles(ServedWebhooks webhooks) {
        return stopping ? List.of("the operator is stopping") : webhooks.troubles();
    }

    /** From now on nobody should send anything new: the operator ends. */
    void markStopping() {
        stopping = true;
    }

    void markReady() {
        ready = true;
    }
}
