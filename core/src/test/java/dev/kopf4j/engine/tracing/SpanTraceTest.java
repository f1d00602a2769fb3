package dev.kopf4j.engine.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Resource;
import dev.kopf4j.Tracing;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.tracing.OperatorStep.CycleBegan;
import dev.kopf4j.engine.tracing.OperatorStep.CycleEnded;
import dev.kopf4j.engine.tracing.OperatorStep.RequestEnded;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What is special about cycles; real spans are looked at in the module for OpenTelemetry. */
class SpanTraceTest {
    private static final Resource WIDGETS = new Resource(
            "example.com",
            "v1",
            new Resource.Names("widgets", "Widget", "widget", Set.of(), Set.of()),
            Set.of(),
            true,
            true,
            Set.of());
    private static final ObjectReference OBJECT =
            new ObjectReference("example.com/v1", "Widget", "one", "uid-1", "default");

    private final Listed tracing = new Listed();
    private final OperatorTrace trace = new SpanTrace(new SystemPlatform(), tracing);

    @AfterEach
    void leave() {
        trace.happened(ended());
        MDC.clear();
    }

    @Test
    void cyclesInWhichNothingIsDoneHaveNoSpan() {
        trace.happened(began());
        trace.happened(ended());
        assertThat(tracing.lines).isEmpty();
    }

    @Test
    void requestsOutsideOfCyclesHaveNone() {
        trace.happened(request("/apis/example.com/v1/widgets?limit=500", 200));
        trace.happened(began());
        trace.happened(request("/apis/example.com/v1/widgets?watch=true", 200));
        trace.happened(ended());
        trace.happened(request("/apis/example.com/v1/widgets?limit=500", 200));
        assertThat(tracing.lines).isEmpty();
    }

    @Test
    void theCycleHasTheIdsInTheLogUntilItEnds() {
        trace.happened(began());
        trace.happened(request("/apis/example.com/v1/namespaces/default/widgets/one?fieldManager=x", 409));
        assertThat(MDC.get("trace_id")).isEqualTo("trace");
        assertThat(MDC.get("span_id")).isEqualTo("span");
        trace.happened(ended());
        assertThat(MDC.get("trace_id")).isNull();
        assertThat(tracing.lines)
                .containsExactly(
                        "begin cycle widgets",
                        "begin PATCH /apis/example.com/v1/namespaces/{namespace}/widgets/{name}",
                        "fail",
                        "end",
                        "end");
    }

    @Test
    void aCycleThatWasGivenUpEndsWithTheNextOne() {
        trace.happened(began());
        trace.happened(request("/apis/example.com/v1/namespaces/default/widgets/one", 200));
        trace.happened(began());
        assertThat(tracing.lines).last().isEqualTo("end");
        assertThat(MDC.get("trace_id")).isNull();
    }

    @Test
    void aLibraryThatFailsIsNotAskedAgain() {
        tracing.failure = new IllegalStateException("no disk");
        trace.happened(began());
        trace.happened(request("/apis/example.com/v1/namespaces/default/widgets/one", 200));
        tracing.failure = null;
        trace.happened(request("/apis/example.com/v1/namespaces/default/widgets/one", 200));
        trace.happened(ended());
        assertThat(tracing.lines).isEmpty();
    }

    private static CycleBegan began() {
        return new CycleBegan(WIDGETS, OBJECT, WatchEventType.ADDED, "7", Duration.ofMillis(3));
    }

    private static CycleEnded ended() {
        return new CycleEnded(WIDGETS, OBJECT, Deadline.NEVER, false);
    }

    private static RequestEnded request(String path, int status) {
        return new RequestEnded(
                new RequestDescription("patch", WIDGETS, "default", "one", null, path),
                new TransportRequest("PATCH", path, Map.of(), new byte[0]),
                status,
                Duration.ofMillis(4));
    }

    /** Lists what is told. */
    private static final class Listed implements Tracing {
        private final List<String> lines = new ArrayList<>();
        private @Nullable RuntimeException failure;

        @Override
        public Span begin(Start start) {
            if (failure != null) {
                throw failure;
            }
            lines.add("begin " + start.name());
            return new ListedSpan(lines);
        }
    }

    private record ListedSpan(List<String> lines) implements Tracing.Span {
        @Override
        public String traceId() {
            return "trace";
        }

        @Override
        public String spanId() {
            return "span";
        }

        @Override
        public Tracing.Scope enter() {
            return Tracing.Scope.NONE;
        }

        @Override
        public void set(String key, String value) {}

        @Override
        public void set(String key, long value) {}

        @Override
        public void set(String key, double value) {}

        @Override
        public void link(String traceparent) {
            lines.add("link");
        }

        @Override
        public void fail(String description) {
            lines.add("fail");
        }

        @Override
        public void end(Instant at) {
            lines.add("end");
        }
    }
}
