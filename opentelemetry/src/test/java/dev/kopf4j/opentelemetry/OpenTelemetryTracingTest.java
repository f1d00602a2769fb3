package dev.kopf4j.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Steps.Step;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.Tracing;
import dev.kopf4j.testing.OperatorRunner;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** Spans of an operator on a dev cluster, as OpenTelemetry's SDK exports them. */
@Timeout(120)
class OpenTelemetryTracingTest {
    private static final String CAUSE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CANARY = "canary-8d1f";

    private static final String CONFIG_MAP = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: home
              namespace: default
              annotations:
                tracing.k8s.io/traceparent: 00-%s-b7ad6b7169203331-01
            data:
              colour: %s
            """;

    private static final String SECRET = """
            apiVersion: v1
            kind: Secret
            metadata:
              name: home
              namespace: default
            stringData:
              password: %s
            """.formatted(CANARY);

    private final Exported exported = new Exported();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build();

    @AfterEach
    void close() {
        sdk.close();
        GlobalOpenTelemetry.resetForTest();
    }

    @Test
    void anUpdateIsOneTraceFromTheCycleToThePatch() throws Exception {
        Map<String, String> logged = new ConcurrentHashMap<>();
        try (OperatorRunner runner = start(operator -> operator.onUpdate("configmaps", "paint", context -> {
            MDC.getCopyOfContextMap().forEach(logged::putIfAbsent); // its own label changes the object once more
            sdk.getTracer("mine").spanBuilder("mixing").startSpan().end();
            context.patch().label("painted", "yes");
            return null;
        }))) {
            runner.cluster().apply(CONFIG_MAP.formatted(CAUSE, "red"));
            exported.await(span -> reason(span).equals("create"));
            runner.cluster().apply(CONFIG_MAP.formatted(CAUSE, "blue"));

            SpanData cycle = exported.await(span ->
                    span.getName().equals("cycle configmaps") && reason(span).equals("update"));
            assertThat(cycle.getParentSpanContext().isValid()).isFalse();
            assertThat(cycle.getLinks())
                    .singleElement()
                    .satisfies(link ->
                            assertThat(link.getSpanContext().getTraceId()).isEqualTo(CAUSE));
            assertThat(cycle.getTraceId()).isNotEqualTo(CAUSE);
            assertThat(text(cycle, "kopf4j.decision")).isEqualTo("handle");
            assertThat(text(cycle, "kopf4j.object.name")).isEqualTo("home");
            assertThat(text(cycle, "k8s.namespace.name")).isEqualTo("default");

            SpanData call = exported.child(cycle, "update paint");
            assertThat(text(call, "kopf4j.handler.id")).isEqualTo("paint");
            assertThat(text(call, "kopf4j.handler.outcome")).isEqualTo("succeeded");
            assertThat(call.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(call.getLinks()).hasSize(1);
            assertThat(logged).containsEntry("trace_id", cycle.getTraceId()).containsEntry("span_id", call.getSpanId());
            assertThat(exported.child(call, "mixing").getTraceId()).isEqualTo(cycle.getTraceId());

            SpanData patch = exported.child(cycle, "PATCH /api/v1/namespaces/{namespace}/configmaps/{name}");
            assertThat(patch.getKind()).isEqualTo(SpanKind.CLIENT);
            assertThat(text(patch, "http.request.method")).isEqualTo("PATCH");
            assertThat(text(patch, "url.path")).isEqualTo("/api/v1/namespaces/default/configmaps/home");
            assertThat(patch.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
                    .isEqualTo(200);
            assertThat(List.of(call, patch))
                    .allSatisfy(part -> assertThat(part.getEndEpochNanos())
                            .isLessThanOrEqualTo(cycle.getEndEpochNanos())
                            .isGreaterThanOrEqualTo(part.getStartEpochNanos()));
            assertThat(patch.getStartEpochNanos()).isGreaterThanOrEqualTo(call.getEndEpochNanos());
        }
        List<SpanData> all = exported.all();
        assertThat(all)
                .as("neither cycles with nothing to do, nor requests outside of them")
                .filteredOn(span -> !span.getParentSpanContext().isValid())
                .allSatisfy(root ->
                        assertThat(all).anyMatch(span -> span.getParentSpanId().equals(root.getSpanId())));
    }

    @Test
    void failuresAreToldWithoutWhatIsSecret() throws Exception {
        GlobalOpenTelemetry.set(sdk);
        try (OperatorRunner runner = OperatorRunner.start(
                "",
                operator -> operator.clusterwide()
                        .onCreate("configmaps", "wait", context -> {
                            if (context.retry() == 0) {
                                throw new TemporaryException("not yet", Duration.ZERO);
                            }
                            throw new PermanentException("no luck");
                        })
                        .onCreate("secrets", "open", context -> {
                            throw new IllegalStateException("it holds " + context.body());
                        }))) {
            runner.cluster().apply(SECRET);
            runner.cluster().apply(CONFIG_MAP.formatted(CAUSE, "red"));

            SpanData waits =
                    exported.await(span -> text(span, "kopf4j.handler.outcome").equals("temporary"));
            assertThat(waits.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            SpanData gaveUp =
                    exported.await(span -> text(span, "kopf4j.handler.outcome").equals("permanent"));
            assertThat(gaveUp.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(gaveUp.getStatus().getDescription()).isEqualTo("PermanentException: no luck");
            assertThat(text(gaveUp, "error.type")).isEqualTo("dev.kopf4j.PermanentException");
            assertThat(gaveUp.getAttributes().get(AttributeKey.longKey("kopf4j.handler.retry")))
                    .isEqualTo(1);
            SpanData opened =
                    exported.await(span -> text(span, "kopf4j.handler.id").equals("open"));
            assertThat(opened.getStatus().getDescription()).isEqualTo("IllegalStateException");
            assertThat(exported.all().toString())
                    .doesNotContain(CANARY, runner.cluster().token());
        }
    }

    @Test
    void callsOfTimersAreTracesOfTheirOwn() throws Exception {
        try (OperatorRunner runner = start(operator -> operator.onTimer(
                "configmaps", "look", options -> options.interval(Duration.ofHours(1)), context -> null))) {
            runner.cluster().apply(CONFIG_MAP.formatted(CAUSE, "red"));
            SpanData call = exported.await(span -> span.getName().equals("timer look"));
            assertThat(call.getParentSpanContext().isValid()).isFalse();
            assertThat(call.getLinks()).hasSize(1);
        }
    }

    @Test
    void stepsSideBySideArePartsOfTheirCall() throws Exception {
        try (OperatorRunner runner = start(operator -> operator.onCreate("configmaps", "make", context -> {
            List<Step<String>> steps = Stream.of("dns", "certificate")
                    .map(name -> context.steps().step(name, String.class).call(() -> {
                        sdk.getTracer("mine").spanBuilder(name).startSpan().end();
                        return "made";
                    }))
                    .toList();
            context.steps().all(steps.toArray(Step<?>[]::new));
            return null;
        }))) {
            runner.cluster().apply(CONFIG_MAP.formatted(CAUSE, "red"));
            SpanData call = exported.await(span -> span.getName().equals("create make"));
            assertThat(exported.child(call, "dns").getTraceId()).isEqualTo(call.getTraceId());
            assertThat(exported.child(call, "certificate").getTraceId()).isEqualTo(call.getTraceId());
        }
    }

    @Test
    void isFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(Tracing.class, Tracing.class.getClassLoader()))
                .singleElement()
                .isInstanceOf(OpenTelemetryTracing.class);
    }

    private OperatorRunner start(UnaryOperator<OperatorBuilder> handlers) {
        return OperatorRunner.start(
                "", operator -> handlers.apply(operator.clusterwide().tracing(new OpenTelemetryTracing(sdk))));
    }

    private static String reason(SpanData span) {
        return span.getName().startsWith("cycle ") ? text(span, "kopf4j.reason") : "";
    }

    private static String text(SpanData span, String key) {
        String value = span.getAttributes().get(AttributeKey.stringKey(key));
        return value == null ? "" : value;
    }

    /** What the SDK has exported. Thread-safe. */
    private static final class Exported implements SpanExporter {
        private final Collection<SpanData> seen = new ConcurrentLinkedQueue<>();
        private final Semaphore more = new Semaphore(0);

        /** The first one that is as wanted. */
        SpanData await(Predicate<SpanData> wanted) throws InterruptedException {
            while (true) {
                Optional<SpanData> found = seen.stream().filter(wanted).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
                assertThat(more.tryAcquire(30, TimeUnit.SECONDS))
                        .as("another span after %s", seen)
                        .isTrue();
            }
        }

        SpanData child(SpanData parent, String name) {
            return seen.stream()
                    .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
                    .filter(span -> span.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + name + " below " + parent + " in " + seen));
        }

        List<SpanData> all() {
            return List.copyOf(seen);
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            seen.addAll(spans);
            more.release();
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
