package dev.kopf4j.opentelemetry;

import dev.kopf4j.Tracing;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Makes spans by OpenTelemetry: of each cycle of an object in which something is done, of the calls of handlers in it,
 * and of the requests in these. Found on the class path without a word of code; then the spans go to the
 * {@link GlobalOpenTelemetry global} instance, such as the agent's. Another instance is given by
 * {@code Operator.builder().tracing(new OpenTelemetryTracing(openTelemetry))}. Thread-safe.
 *
 * <p>An object's annotation {@code tracing.k8s.io/traceparent} becomes a link, not the parent: many traces can have led
 * to the state of an object, and the operator may meet it long afterwards. The operator never writes that annotation.
 */
public final class OpenTelemetryTracing implements Tracing {
    private static final String SCOPE = "dev.kopf4j";

    private final Supplier<Tracer> tracer;

    /** Spans of the global instance, once there is one. */
    public OpenTelemetryTracing() {
        // Asked each time: an operator may be made before the instance is set, and must not set it by asking.
        this.tracer = () -> GlobalOpenTelemetry.getOrNoop().getTracer(SCOPE);
    }

    /** Spans of that instance. */
    public OpenTelemetryTracing(OpenTelemetry openTelemetry) {
        Tracer fixed = openTelemetry.getTracer(SCOPE);
        this.tracer = () -> fixed;
    }

    @Override
    public Span begin(Start start) {
        SpanBuilder builder = tracer.get()
                .spanBuilder(start.name())
                .setSpanKind(start.outgoing() ? SpanKind.CLIENT : SpanKind.INTERNAL)
                .setStartTimestamp(start.at());
        if (start.parent() instanceof OpenTelemetrySpan parent) {
            builder.setParent(Context.root().with(parent.span()));
        } else {
            builder.setNoParent();
        }
        start.attributes().forEach(builder::setAttribute);
        return new OpenTelemetrySpan(builder.startSpan());
    }

    /**
     * One span.
     *
     * @param span as the library has it
     */
    private record OpenTelemetrySpan(io.opentelemetry.api.trace.Span span) implements Span {
        @Override
        public String traceId() {
            SpanContext context = span.getSpanContext();
            return context.isValid() ? context.getTraceId() : "";
        }

        @Override
        public String spanId() {
            SpanContext context = span.getSpanContext();
            return context.isValid() ? context.getSpanId() : "";
        }

        @Override
        @SuppressWarnings("MustBeClosedChecker") // whoever enters closes
        public Scope enter() {
            return Context.current().with(span).makeCurrent()::close;
        }

        @Override
        public void set(String key, String value) {
            span.setAttribute(key, value);
        }

        @Override
        public void set(String key, long value) {
            span.setAttribute(key, value);
        }

        @Override
        public void set(String key, double value) {
            span.setAttribute(key, value);
        }

        @Override
        public void link(String traceparent) {
            String[] parts = traceparent.split("-", -1);
            span.addLink(SpanContext.createFromRemoteParent(
                    parts[1], parts[2], TraceFlags.fromHex(parts[3], 0), TraceState.getDefault()));
        }

        @Override
        public void fail(String description) {
            span.setStatus(StatusCode.ERROR, description);
        }

        @Override
        public void end(Instant at) {
            span.end(at);
        }
    }
}
