package dev.kopf4j.engine.tracing;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.Tracing;
import dev.kopf4j.Tracing.Scope;
import dev.kopf4j.Tracing.Span;
import dev.kopf4j.Tracing.Start;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Makes spans of an operator's work: cycle, call of a handler, request. What belongs together is known by the thread: a
 * worker is in one cycle at a time, and a handler's thread is {@link #entered} for its call. A cycle has a span from
 * its begin on, but only once something is done in it; requests outside of both, such as watches, have none, and
 * neither have index functions, which are called for each event.
 *
 * <p>While a thread has a span, its log lines have the ids of it in the MDC. Thread-safe.
 */
public final class SpanTrace implements OperatorTrace {
    /** Where an object says which trace has caused its state, by the draft of KEP-5915. */
    static final String TRACEPARENT = "tracing.k8s.io/traceparent";

    private static final Pattern TRACEPARENT_FORM = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");
    private static final double NANOS = 1e9;

    /** What the thread is in. */
    private static final ThreadLocal<@Nullable Place> PLACE = new ThreadLocal<>();

    private final Platform platform;
    private final Tracing tracing;
    private final Map<HandlerContext, Place> calls = Collections.synchronizedMap(new IdentityHashMap<>());
    private final AtomicBoolean hasFailed = new AtomicBoolean();

    /** Makes them there. */
    public SpanTrace(Platform platform, Tracing tracing) {
        this.platform = platform;
        this.tracing = tracing;
    }

    @Override
    public boolean hearsOfChildren() {
        return false;
    }

    @Override
    public void happened(OperatorStep step) {
        if (hasFailed.get()) {
            return;
        }
        try {
            trace(step);
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            failed(e);
        }
    }

    private void failed(Throwable failure) {
        if (hasFailed.compareAndSet(false, true)) {
            log.error(
                    "{} has failed: no spans are made any more.",
                    tracing.getClass().getName(),
                    Platform.tellable(failure));
        }
    }

    private void trace(OperatorStep step) {
        switch (step) {
            case OperatorStep.CycleBegan began -> {
                leaveCycle();
                PLACE.set(new Cycle(began, platform.now()));
            }
            case OperatorStep.CycleDecided decided -> decided(decided);
            case OperatorStep.CycleFailed failed -> {
                if (PLACE.get() instanceof Cycle cycle) {
                    fail(cycle.span(), failed.failure(), LoggedContent.isSecret(failed.resource()));
                }
            }
            case OperatorStep.CycleEnded _, OperatorStep.WorkDropped _, OperatorStep.WorkerLeft _ -> leaveCycle();
            case OperatorStep.CallBegan began when began.kind() != HandlerKind.INDEX -> begin(began);
            case OperatorStep.CallEnded ended when ended.kind() != HandlerKind.INDEX -> ended(ended);
            case OperatorStep.RequestEnded ended -> request(ended);
            default -> {}
        }
    }

    private static void decided(OperatorStep.CycleDecided decided) {
        if (PLACE.get() instanceof Cycle cycle) {
            cycle.decided = decided;
        }
    }

    /** A thread that is in a call stays there: what is told of other objects there has no part in it. */
    private void leaveCycle() {
        if (PLACE.get() instanceof Cycle left) {
            PLACE.remove();
            left.end(platform.now());
        }
    }

    private void begin(OperatorStep.CallBegan began) {
        HandlerContext context = began.context();
        Place parent = PLACE.get();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("kopf4j.handler.id", context.handlerId());
        attributes.put("kopf4j.handler.kind", word(began.kind()));
        attributes.put("kopf4j.reason", word(context.reason()));
        describe(attributes, context.resource(), context.namespace().orElse(null), context.name(), context.uid());
        Span span = tracing.begin(new Start(
                word(began.kind()) + " " + context.handlerId(),
                false,
                parent == null ? null : parent.span(),
                platform.now(),
                attributes));
        span.set("kopf4j.handler.retry", context.retry());
        String cause = context.annotations().getOrDefault(TRACEPARENT, "");
        if (TRACEPARENT_FORM.matcher(cause).matches()) {
            span.link(cause);
            if (parent != null) {
                parent.link(cause);
            }
        }
        calls.put(context, new Call(span));
    }

    private void ended(OperatorStep.CallEnded ended) {
        Place call = calls.remove(ended.context());
        if (call == null) {
            return; // it began before the operator could make spans
        }
        Span span = call.span();
        HandlerCall.Outcome outcome = ended.outcome();
        span.set("kopf4j.handler.outcome", outcome == null ? "interrupted" : word(outcome));
        switch (outcome) {
            case PERMANENT, ERROR -> fail(span, ended.failure(), LoggedContent.isSecret(ended.kind(), ended.context()));
            case TIMEOUT -> {
                span.set("error.type", "timeout");
                span.fail("");
            }
            case null, default -> {} // to be tried again later is no failure
        }
        span.end(platform.now());
    }

    private static void fail(Span span, @Nullable Throwable failure, boolean secret) {
        span.set("error.type", failure == null ? "_OTHER" : failure.getClass().getName());
        span.fail(failure == null ? "" : FailureText.of(failure, secret, false));
    }

    private void request(OperatorStep.RequestEnded ended) {
        Place place = PLACE.get();
        if (place == null || ended.request().isWatch()) {
            return;
        }
        Instant now = platform.now();
        String template = template(ended.description());
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("http.request.method", ended.request().method());
        attributes.put("url.path", withoutQuery(ended.request().path()));
        attributes.put("url.template", template);
        Span span = tracing.begin(new Start(
                ended.request().method() + " " + template, true, place.span(), now.minus(ended.took()), attributes));
        if (ended.status() > 0) {
            span.set("http.response.status_code", ended.status());
        }
        if (ended.status() == 0 || ended.status() >= 400) {
            span.set("error.type", ended.status() == 0 ? "_OTHER" : Integer.toString(ended.status()));
            span.fail("");
        }
        span.end(now);
    }

    /** The path with words in place of names, so that there are few of them. */
    private static String template(RequestDescription description) {
        Resource resource = description.resource();
        if (resource == null) {
            return withoutQuery(description.path());
        }
        StringBuilder path = new StringBuilder(resource.group().isEmpty() ? "/api" : "/apis/" + resource.group());
        path.append('/').append(resource.version());
        path.append(description.namespace() == null ? "" : "/namespaces/{namespace}");
        path.append('/').append(resource.plural());
        path.append(description.name() == null ? "" : "/{name}");
        return path.append(description.subresource() == null ? "" : "/" + description.subresource())
                .toString();
    }

    private static String withoutQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    @Override
    public Scope entered(HandlerContext context) {
        Place call = calls.get(context);
        return call == null ? Scope.NONE : call.entered();
    }

    /** Runs the rest of a call in another thread, with the span of this one. */
    public static Runnable carried(Runnable action) {
        return PLACE.get() instanceof Call call
                ? () -> {
                    try (Scope _ = call.entered()) {
                        action.run();
                    }
                }
                : action;
    }

    private static void describe(
            Map<String, String> attributes,
            Resource resource,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid) {
        attributes.put("kopf4j.resource", resource.toString());
        attributes.put("kopf4j.object.kind", resource.kind());
        if (namespace != null) {
            attributes.put("k8s.namespace.name", namespace);
        }
        if (name != null) {
            attributes.put("kopf4j.object.name", name);
        }
        if (uid != null) {
            attributes.put("kopf4j.object.uid", uid);
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** What a thread is in: a cycle or a call. */
    private abstract class Place {
        abstract Span span();

        /** Another trace has caused it. */
        abstract void link(String cause);

        /** Enters it; without a span if the library has failed. */
        Scope entered() {
            if (hasFailed.get()) {
                return Scope.NONE;
            }
            try {
                return enter();
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                failed(e);
                return Scope.NONE;
            }
        }

        private Scope enter() {
            Span span = span();
            Place before = PLACE.get();
            Scope inner = span.enter();
            PLACE.set(this);
            putIds(span);
            return () -> {
                if (before == null) {
                    PLACE.remove();
                    removeIds();
                } else {
                    PLACE.set(before);
                    putIds(before.span());
                }
                try {
                    inner.close();
                } catch (Throwable e) {
                    TaskEndError.letThrough(e);
                    failed(e);
                }
            };
        }

        static void putIds(Span span) {
            if (!span.traceId().isEmpty()) {
                MDC.put("trace_id", span.traceId());
                MDC.put("span_id", span.spanId());
            }
        }

        static void removeIds() {
            MDC.remove("trace_id");
            MDC.remove("span_id");
        }
    }

    /** A call of a handler. Thread-safe. */
    private final class Call extends Place {
        private final Span span;

        Call(Span span) {
            this.span = span;
        }

        @Override
        Span span() {
            return span;
        }

        @Override
        void link(String cause) {
            // Its cycle is linked, and it is itself.
        }
    }

    /** A cycle, whose span begins when it is first asked for. Confined to its worker. */
    private final class Cycle extends Place {
        private final OperatorStep.CycleBegan began;
        private final Instant at;
        private @Nullable Span span;
        private boolean linked;
        private OperatorStep.@Nullable CycleDecided decided;

        Cycle(OperatorStep.CycleBegan began, Instant at) {
            this.began = began;
            this.at = at;
        }

        @Override
        Span span() {
            Span known = span;
            if (known == null) {
                known = tracing.begin(new Start("cycle " + began.resource().plural(), false, null, at, attributes()));
                known.set("kopf4j.event.wait", began.waited().toNanos() / NANOS);
                span = known;
                putIds(known);
            }
            return known;
        }

        private Map<String, String> attributes() {
            Map<String, String> attributes = new LinkedHashMap<>();
            ObjectReference object = began.object();
            describe(attributes, began.resource(), object.namespace(), object.name(), object.uid());
            if (began.type() != null) {
                attributes.put("kopf4j.event.type", word(began.type()));
            }
            return attributes;
        }

        /** Once: all its handlers see the same object. */
        @Override
        void link(String cause) {
            if (!linked) {
                linked = true;
                span().link(cause);
            }
        }

        void end(Instant now) {
            Span known = span;
            if (known == null) {
                return;
            }
            removeIds();
            if (decided != null) {
                known.set("kopf4j.decision", word(decided.decision()));
                if (decided.reason() != null) {
                    known.set("kopf4j.reason", word(decided.reason()));
                }
            }
            known.end(now);
        }
    }
}
