package dev.kopf4j.engine.probe;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.Kopf;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts and measures, and shows it in the <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">text
 * format of Prometheus</a>. Thread-safe.
 */
public final class MetricsPage implements ProbePage, MetricsListener {
    private static final String TYPE = "text/plain; version=0.0.4";
    private static final String OUTCOMES =
            Stream.of(HandlerCall.Outcome.values()).map(MetricsPage::word).collect(Collectors.joining(", "));

    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> retries = new ConcurrentHashMap<>();
    private final Map<String, DurationHistogram> callTimes = new ConcurrentHashMap<>();
    private final Map<String, DurationHistogram> waits = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> unreadable = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> pauses = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, DurationHistogram> requestTimes = new ConcurrentHashMap<>();
    private volatile Supplier<OperatorState> state = () -> OperatorState.STARTING;

    private final Supplier<Duration> patience;

    /**
     * Nothing has been counted yet.
     *
     * @param patience for how long the server may be silent, as for the page of readiness
     */
    public MetricsPage(Supplier<Duration> patience) {
        this.patience = patience;
    }

    @Override
    public void handlerEnded(HandlerCall call) {
        String handler = label("handler", call.handler()) + "," + label("kind", word(call.kind())) + ","
                + labels(call.resource());
        count(calls, handler + "," + label("outcome", word(call.outcome())));
        if (call.retry() > 0) {
            count(retries, handler);
        }
        time(callTimes, handler, call.took());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void processingBegan(Resource resource, Duration waited) {
        time(waits, labels(resource), waited);
    }

    @Override
    public void objectUnreadable(Resource resource) {
        count(unreadable, labels(resource));
    }

    @Override
    public void handlingPaused(Resource resource, boolean paused) {
        count(pauses, labels(resource) + "," + label("transition", paused ? "paused" : "resumed"));
    }

    @Override
    public void requestEnded(String verb, int status, Duration took) {
        count(requests, label("verb", verb) + "," + label("code", String.valueOf(status)));
        time(requestTimes, label("verb", verb), took);
    }

    @Override
    public void observe(Supplier<OperatorState> observed) {
        this.state = observed;
    }

    private static void count(Map<String, LongAdder> counters, String labels) {
        counters.computeIfAbsent(labels, any -> new LongAdder()).increment();
    }

    private static void time(Map<String, DurationHistogram> times, String labels, Duration took) {
        times.computeIfAbsent(labels, any -> new DurationHistogram()).add(took);
    }

    /** Without its version: what is counted goes on when an upgrade of the definition changes it. */
    private static String labels(Resource resource) {
        return label("resource", resource.plural()) + "," + label("group", resource.group());
    }

    /**
     * With the version, as handlers of two versions have a stream each. The namespace is empty for the whole cluster:
     * for Prometheus, that is as if there were no such label. It is not called {@code namespace}, which scrapers give
     * to the namespace of the pod.
     */
    private static String labels(StreamState stream) {
        return labels(stream.resource()) + ","
                + label("version", stream.resource().version()) + ","
                + label("watched_namespace", Objects.requireNonNullElse(stream.namespace(), ""));
    }

    private static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    @Override
    public ProbePage.Response content() {
        StringBuilder out = new StringBuilder();
        counters(
                "kopf4j_handler_calls_total",
                "Calls of handlers, also each attempt of a daemon or timer, but not what is interrupted to stop or pause; the outcomes are "
                        + OUTCOMES + ".",
                calls,
                out);
        counters("kopf4j_handler_retries_total", "Calls of handlers that were not the first attempt.", retries, out);
        times(
                "kopf4j_handler_seconds",
                "How long calls of handlers take; those of daemons last as long as their objects.",
                callTimes,
                out);
        times("kopf4j_event_wait_seconds", "From the receipt of an event to its processing.", waits, out);
        counters(
                "kopf4j_unreadable_objects_total",
                "States of objects that could not be read, so that no handler was called for them.",
                unreadable,
                out);
        counters("kopf4j_object_pauses_total", "Objects that were paused by annotation, or resumed.", pauses, out);
        counters(
                "kopf4j_api_requests_total",
                "Requests to the API server; code 0 is no answer, verb WATCH a stream.",
                requests,
                out);
        times(
                "kopf4j_api_request_seconds",
                "How long requests take: the API server's answer, and before it the wait while as many as networking.requestsInFlight permits are under way.",
                requestTimes,
                out);
        state(state.get(), patience.get(), out);
        return new ProbePage.Response(200, TYPE, out.toString());
    }

    private static void state(OperatorState now, Duration patience, StringBuilder out) {
        head("kopf4j_build_info", "gauge", "Always 1; the label tells which version of kopf4j runs.", out);
        sample("kopf4j_build_info", label("version", Kopf.version()), 1, out);
        gauge("kopf4j_ready", "1 while the readiness page answers 200.", now.isWell(patience) ? 1 : 0, out);
        gauge(
                "kopf4j_paused",
                "1 if there is a reason not to act at the moment, such as a peer or another leader.",
                now.pauses().isEmpty() ? 0 : 1,
                out);
        gauge(
                "kopf4j_troubles",
                "How many things are in the way, as the readiness page lists them.",
                now.troubles().size(),
                out);
        OperatorState.Shards shards = now.shards();
        if (shards != null) {
            gauge("kopf4j_shards", "With shards: how many there are.", shards.count(), out);
            gauge("kopf4j_shards_served", "With shards: how many this replica acts on.", shards.served(), out);
        }
        streams("kopf4j_stream_queue", "Objects with work, waiting or in progress.", now, StreamState::waiting, out);
        streams(
                "kopf4j_stream_silence_seconds",
                "The time since the server was last heard.",
                now,
                stream -> stream.silence().toMillis() / 1e3,
                out);
        streams(
                "kopf4j_stream_disturbed",
                "1 if the stream is being restored.",
                now,
                stream -> stream.trouble() == null ? 0 : 1,
                out);
        streams("kopf4j_stream_paused", "1 if the stream is paused.", now, stream -> stream.paused() ? 1 : 0, out);
    }

    private static void streams(
            String name, String help, OperatorState now, ToDoubleFunction<StreamState> figure, StringBuilder out) {
        head(name, "gauge", help, out);
        now.streams().forEach(stream -> sample(name, labels(stream), figure.applyAsDouble(stream), out));
    }

    private static void counters(String name, String help, Map<String, LongAdder> counters, StringBuilder out) {
        head(name, "counter", help, out);
        new TreeMap<>(counters).forEach((labels, count) -> sample(name, labels, count.sum(), out));
    }

    private static void times(String name, String help, Map<String, DurationHistogram> times, StringBuilder out) {
        head(name, "histogram", help, out);
        new TreeMap<>(times).forEach((labels, durationHistogram) -> durationHistogram.write(name, labels, out));
    }

    private static void gauge(String name, String help, int value, StringBuilder out) {
        head(name, "gauge", help, out);
        out.append(name).append(' ').append(value).append('\n');
    }

    private static void sample(String name, String labels, Number value, StringBuilder out) {
        out.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    private static void head(String name, String type, String help, StringBuilder out) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /** How long something has taken, counted in steps. Thread-safe. */
    private static final class DurationHistogram {
        /** The upper ends of the steps in seconds. */
        private static final double[] STEPS = {0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120};

        private final LongAdder[] counts = new LongAdder[STEPS.length + 1];
        private final LongAdder nanos = new LongAdder();

        DurationHistogram() {
            for (int step = 0; step < counts.length; step++) {
                counts[step] = new LongAdder();
            }
        }

        void add(Duration duration) {
            double seconds = duration.toNanos() / 1e9;
            int step = 0;
            while (step < STEPS.length && seconds > STEPS[step]) {
                step++;
            }
            counts[step].increment();
            nanos.add(duration.toNanos());
        }

        /** Writes it as a histogram: each step counts what is below it. */
        void write(String name, String labels, StringBuilder out) {
            long sum = 0;
            for (int step = 0; step < counts.length; step++) {
                sum += counts[step].sum();
                String end = step < STEPS.length ? String.valueOf(STEPS[step]) : "+Inf";
                sample(name + "_bucket", labels + "," + label("le", end), sum, out);
            }
            sample(name + "_sum", labels, nanos.sum() / 1e9, out);
            sample(name + "_count", labels, sum, out);
        }
    }
}
