package dev.kopf4j.micrometer;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Reports to a registry what an operator counts and measures: {@code Operator.builder().metricsListener(new
 * MicrometerMetrics(registry))}. Thread-safe.
 *
 * <p>Meters: the timers {@code kopf4j.handler} (handler, kind, resource, group, outcome), {@code kopf4j.event.wait}
 * (resource, group) and {@code kopf4j.api.request} (verb, code); the counters {@code kopf4j.handler.retries},
 * {@code kopf4j.unreadable.objects} (resource, group) and {@code kopf4j.object.pauses} (resource, group, transition);
 * the gauges {@code kopf4j.ready}, {@code kopf4j.paused}, {@code kopf4j.troubles}, {@code kopf4j.shards} and
 * {@code kopf4j.shards.served} (0 without shards), {@code kopf4j.queue}, {@code kopf4j.streams.disturbed}, and
 * {@code kopf4j.streams.silence} (the longest one, in seconds). The operator counts as ready if it has seen all that
 * exists, and neither a stream nor anything else is in trouble. The gauges are over all streams, because streams come
 * and go.
 */
public final class MicrometerMetrics implements MetricsListener {
    private final MeterRegistry registry;
    private final Tags common;

    /** Reports to this registry. */
    public MicrometerMetrics(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * Reports to this registry, with these tags at all meters: for several operators in one process at a time, each of
     * which needs a listener of its own. Operators that follow each other may have the same tags.
     *
     * @param tags such as {@code Tags.of("operator", "databases")}; the same keys for all of them
     */
    public MicrometerMetrics(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = registry;
        this.common = Tags.of(tags);
    }

    private Tags tags(String... keysAndValues) {
        return common.and(keysAndValues);
    }

    /** Without its version, which changes by upgrades of the definition. */
    private Tags tags(Resource resource, String... keysAndValues) {
        return tags("resource", resource.plural(), "group", resource.group()).and(keysAndValues);
    }

    @Override
    public void handlerEnded(HandlerCall call) {
        Tags tags = tags(call.resource(), "handler", call.handler(), "kind", word(call.kind()));
        registry.timer("kopf4j.handler", tags.and("outcome", word(call.outcome())))
                .record(call.took());
        if (call.retry() > 0) {
            registry.counter("kopf4j.handler.retries", tags).increment();
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void processingBegan(Resource resource, Duration waited) {
        registry.timer("kopf4j.event.wait", tags(resource)).record(waited);
    }

    @Override
    public void objectUnreadable(Resource resource) {
        registry.counter("kopf4j.unreadable.objects", tags(resource)).increment();
    }

    @Override
    public void handlingPaused(Resource resource, boolean paused) {
        Tags tags = tags(resource, "transition", paused ? "paused" : "resumed");
        registry.counter("kopf4j.object.pauses", tags).increment();
    }

    @Override
    public void requestEnded(String verb, int status, Duration took) {
        Timer timer = registry.timer("kopf4j.api.request", tags("verb", verb, "code", String.valueOf(status)));
        timer.record(took);
    }

    /** The gauges are those of the run that was started last, also if it is another operator's. */
    @Override
    public void observe(Supplier<OperatorState> state) {
        gauge("kopf4j.ready", state, now -> now.isWell(ChronoUnit.FOREVER.getDuration()) ? 1 : 0);
        gauge("kopf4j.paused", state, now -> now.pauses().isEmpty() ? 0 : 1);
        gauge("kopf4j.troubles", state, now -> now.troubles().size());
        gauge(
                "kopf4j.shards",
                state,
                now -> now.shards() == null ? 0 : now.shards().count());
        gauge(
                "kopf4j.shards.served",
                state,
                now -> now.shards() == null ? 0 : now.shards().served());
        gauge("kopf4j.queue", state, now -> sum(now.streams(), StreamState::waiting));
        gauge("kopf4j.streams.disturbed", state, now -> sum(now.streams(), each -> each.trouble() == null ? 0 : 1));
        gauge(
                "kopf4j.streams.silence",
                state,
                now -> now.streams().stream()
                        .mapToDouble(each -> each.silence().toMillis() / 1e3)
                        .max()
                        .orElse(0));
    }

    /** A registry would keep the gauge of an earlier run. */
    private void gauge(String name, Supplier<OperatorState> state, ToDoubleFunction<OperatorState> figure) {
        registry.removeByPreFilterId(new Meter.Id(name, common, null, null, Meter.Type.GAUGE));
        Gauge.builder(name, state, each -> figure.applyAsDouble(each.get()))
                .tags(common)
                .strongReference(true)
                .register(registry);
    }

    private static double sum(List<StreamState> streams, ToDoubleFunction<StreamState> figure) {
        return streams.stream().mapToDouble(figure).sum();
    }
}
