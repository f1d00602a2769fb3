package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Whatever a handler returns or throws, it is this handler's outcome, and its attempts are counted: neither the object
 * nor the other handlers suffer.
 */
@Tag("C27")
@Tag("L31")
class CallEndsTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private static final String HALF_A_CHARACTER = "\ud83d";

    /** What cannot be stored, however often it is tried. */
    static Stream<Arguments> unserialisableResults() {
        Map<String, Object> endless = new LinkedHashMap<>();
        endless.put("one", endless);
        endless.put("two", List.of(endless));
        Node self = new Node();
        self.next = self;
        return Stream.of(
                row("without properties", new Object()),
                row("a function", (Runnable) () -> {}),
                row("a map in itself", endless),
                row("a bean in itself", self),
                row("2^40 values", doubled(40)),
                row("20 MB in a bean", new Texts(Collections.nCopies(100, "x".repeat(200_000)))),
                row("not a number", List.of(Double.NaN)),
                row("a number of a million digits", new BigDecimal("1e1000000")),
                row("a null key", Collections.singletonMap(null, 1)),
                row("a tree too deep below a list too deep", nested(5_100, nestedTree(5_100))));
    }

    private static Arguments row(String name, Object value) {
        return Arguments.of(Named.of(name, value));
    }

    static final class Node {
        public @Nullable Node next;
    }

    record Texts(List<String> texts) {}

    private static Object doubled(int times) {
        Object value = 1;
        for (int time = 0; time < times; time++) {
            value = List.of(value, value);
        }
        return value;
    }

    private static Object nested(int times, Object inner) {
        Object value = inner;
        for (int time = 0; time < times; time++) {
            value = List.of(value);
        }
        return value;
    }

    private static JsonNode nestedTree(int times) {
        JsonNode tree = JsonNodeFactory.instance.numberNode(1);
        for (int time = 0; time < times; time++) {
            tree = JsonNodeFactory.instance.arrayNode().add(tree);
        }
        return tree;
    }

    @ParameterizedTest
    @MethodSource("unserialisableResults")
    void resultsThatCannotBeStoredAreFailuresForGood(Object result) {
        assertThat(callsOf(context -> result)).isEqualTo(1);
        assertThat(story.lines(Level.ERROR))
                .anyMatch(line -> line.contains("Handler 'fn' failed permanently: the result cannot be stored"));
        assertFailed();
    }

    /** As whoever waits for another thread, or calls through a proxy, finds what was thrown there. */
    static Stream<Arguments> wrapped() {
        return Stream.<UnaryOperator<Throwable>>of(
                        ExecutionException::new,
                        CompletionException::new,
                        InvocationTargetException::new,
                        UndeclaredThrowableException::new,
                        inner -> new ExecutionException(new CompletionException(new ExecutionException(inner))))
                .map(wrapping -> Arguments.of(
                        Named.of(wrapping.apply(new IllegalStateException()).toString(), wrapping)));
    }

    @ParameterizedTest
    @MethodSource("wrapped")
    void failuresForGoodOfOtherThreadsAreNotRetried(UnaryOperator<Throwable> wrapping) {
        assertThat(callsOf(context -> {
                    throw (Exception) wrapping.apply(new PermanentException("never"));
                }))
                .isEqualTo(1);
        assertThat(story.lines(Level.ERROR)).contains("error: Handler 'fn' failed permanently: never");
        assertFailed();
    }

    @ParameterizedTest
    @MethodSource("wrapped")
    void delaysOfOtherThreadsAreKept(UnaryOperator<Throwable> wrapping) {
        story.start(builder -> builder.onCreate("kex", "fn", context -> {
            story.calls.add("fn at " + story.seconds());
            if (context.retry() == 0) {
                throw (Exception) wrapping.apply(new TemporaryException("later", Duration.ofSeconds(7)));
            }
            return null;
        }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("fn at 0.5", "fn at 7.5");
        assertThat(story.lines(Level.ERROR)).contains("error: Handler 'fn' failed temporarily: later");
    }

    @ParameterizedTest
    @MethodSource("wrapped")
    void anyOtherFailureOfAnotherThreadIsToldAsItComes(UnaryOperator<Throwable> wrapping) {
        Exception failure = (Exception) wrapping.apply(new IllegalStateException("on purpose"));
        assertThat(callsOf(context -> {
                    throw failure;
                }))
                .isEqualTo(3);
        String message = failure.getMessage();
        String told = message == null ? failure.getClass().getSimpleName() + "('')" : message;
        assertThat(story.lines(Level.ERROR)).anyMatch(line -> line.endsWith("in 1 seconds: " + told));
    }

    @Test
    void aLongChainOfWrappersIsAFailureLikeAnyOther() {
        Exception chain = new PermanentException("never");
        for (int time = 0; time < 100; time++) {
            chain = new ExecutionException(chain);
        }
        Exception thrown = chain;
        assertThat(callsOf(context -> {
                    throw thrown;
                }))
                .isEqualTo(3);
    }

    /** What fails while it is looked at. */
    static Stream<Arguments> failures() {
        return Stream.of(
                thrown("without a message", new IllegalStateException()),
                thrown("half a character in the message", new IllegalStateException(HALF_A_CHARACTER)),
                thrown("a long message", new IllegalStateException("x".repeat(1_000_000))),
                thrown("a message that fails", new Unspeakable()),
                thrown("a cause that is its own", circular()),
                thrown("a long chain of causes", chained(100_000)),
                thrown("a trace that fails with an error", new Untraceable()),
                thrown("a message that fails with an error", new UnspeakableError()),
                thrown("messages that quote each other", quotingEachOther()),
                thrown("an error", new Error("no exception")),
                thrown("no memory", new OutOfMemoryError("for this")),
                thrown("a class that is missing", new NoClassDefFoundError("x/Y")),
                thrown("a delay that is null", new Delayed(null)),
                thrown("a delay that fails", new UntellableDelay()),
                thrown("a delay that fails with an error", new UntellableDelayError()),
                handler("no end of calls", CallEndsTest::endlessly),
                handler("a map that fails", context -> new FailingMap()),
                handler("a key that fails", context -> Map.of(new FailingText(), 1)),
                handler("a getter with an error", context -> new FailingBean()),
                handler(
                        "a patch that cannot be expressed",
                        context -> context.patch().set("spec.x", new Object()).toMap()),
                handler("the filter of a sub-handler", context -> {
                    context.subHandlers().add("sub", h -> h.when(CallEndsTest::fail), sub -> null);
                    return null;
                }),
                handler("the filter of a sub-handler that is executed", context -> {
                    context.subHandlers().add("sub", h -> h.when(CallEndsTest::fail), sub -> null);
                    context.subHandlers().execute();
                    return null;
                }),
                handler("the filter of a sub-handler, with an error", context -> {
                    context.subHandlers().add("sub", h -> h.when(CallEndsTest::failWithAnError), sub -> null);
                    context.subHandlers().execute();
                    return null;
                }),
                handler("the same, although the parent knows better", context -> {
                    context.subHandlers().add("sub", h -> h.when(CallEndsTest::fail), sub -> null);
                    try {
                        context.subHandlers().execute();
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessage("on purpose");
                    }
                    return null;
                }));
    }

    private static Arguments thrown(String name, Throwable exception) {
        return handler(name, context -> {
            if (exception instanceof Error error) {
                throw error;
            }
            throw (Exception) exception;
        });
    }

    private static Arguments handler(String name, Handler handler) {
        return Arguments.of(Named.of(name, handler));
    }

    private static boolean fail(Object anything) {
        throw new IllegalStateException("on purpose");
    }

    private static boolean failWithAnError(Object anything) {
        throw new ServiceConfigurationError("on purpose");
    }

    /** As a filter in another language of the JVM, or one with Lombok, may throw it. */
    private static boolean failWithACheckedException(Object anything) {
        return CallEndsTest.<RuntimeException>thrown(new IOException("on purpose"));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> boolean thrown(Exception exception) throws E {
        throw (E) exception;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static @Nullable Object endlessly(Object anything) {
        return endlessly(anything);
    }

    private static Exception circular() {
        IllegalStateException outer = new IllegalStateException("outer");
        outer.initCause(new IllegalStateException("inner", outer));
        return outer;
    }

    private static Exception chained(int times) {
        Exception last = new IllegalStateException("first");
        for (int time = 0; time < times; time++) {
            last = new IllegalStateException("more", last);
        }
        return last;
    }

    private static RuntimeException quotingEachOther() {
        Quoting outer = new Quoting();
        outer.initCause(new Quoting().initCause(outer));
        return outer;
    }

    private static final class Quoting extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("NullAway") // users' compilers may not look
        public String getMessage() {
            return "failed: " + getCause().getMessage();
        }
    }

    private static final class Untraceable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new AssertionError("no trace");
        }
    }

    private static final class UnspeakableError extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new AssertionError("no message");
        }
    }

    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("no message");
        }
    }

    private static class Delayed extends TemporaryException {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable Duration own;

        Delayed(@Nullable Duration own) {
            super("later");
            this.own = own;
        }

        @Override
        @SuppressWarnings("NullAway") // users' compilers may not look
        public Duration delay() {
            return own;
        }
    }

    private static final class UntellableDelay extends TemporaryException {
        private static final long serialVersionUID = 1L;

        UntellableDelay() {
            super("later");
        }

        @Override
        public Duration delay() {
            throw new UnsupportedOperationException("no delay");
        }
    }

    private static final class UntellableDelayError extends TemporaryException {
        private static final long serialVersionUID = 1L;

        UntellableDelayError() {
            super("later");
        }

        @Override
        public Duration delay() {
            throw new NoClassDefFoundError("x/Y");
        }
    }

    private static final class FailingMap extends AbstractMap<String, Object> {
        @Override
        public Set<Entry<String, Object>> entrySet() {
            throw new IllegalStateException("on purpose");
        }
    }

    private static final class FailingText {
        @Override
        public String toString() {
            throw new IllegalStateException("on purpose");
        }
    }

    public static final class FailingBean {
        @SuppressWarnings("DoNotCallSuggester")
        public String getText() {
            throw new AssertionError("on purpose");
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whateverFailsIsAnAttemptOfTheHandler(Handler handler) {
        assertThat(callsOf(handler)).isEqualTo(3);
        assertFailed();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void timersGoOnAndStopAfterTheirLastAttempt(Handler handler) {
        story.start(builder -> builder.onTimer(
                "kex",
                "fn",
                h -> h.interval(Duration.ofSeconds(1))
                        .backoff(Duration.ofSeconds(1))
                        .retries(3),
                context -> {
                    story.calls.add("fn");
                    return handler.handle(context);
                }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).hasSize(3);
        assertNoThrottling();
    }

    static Stream<Arguments> longDelays() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        return Stream.of(
                thrown("the longest delay", new TemporaryException("never", longest)),
                thrown("a million years", new TemporaryException("hardly ever", Duration.ofDays(365_000_000L))));
    }

    @ParameterizedTest
    @MethodSource("longDelays")
    void delaysMayBeLongerThanAnyTime(Handler handler) {
        story.start(builder -> builder.onCreate("kex", "fn", context -> {
                    story.calls.add("fn");
                    return handler.handle(context);
                })
                .onCreate("kex", "other", story.noting("other")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactlyInAnyOrder("fn", "other");
        assertNoThrottling();
        assertThat(Json.parse(story.at("/metadata/annotations/kopf.zalando.org~1fn")
                                .asString())
                        .path("delayed")
                        .asString())
                .as("a time that Python knows, too")
                .matches("2\\d{3}-.*");
    }

    @Test
    void timeoutsMayBeLongerThanAnyTime() {
        story.start(builder ->
                builder.onCreate("kex", "fn", h -> h.timeout(Duration.ofSeconds(Long.MAX_VALUE)), story.noting("fn")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("fn");
        assertNoThrottling();
    }

    @Test
    void backoffsMayBeLongerThanAnyTime() {
        story.start(builder ->
                builder.onCreate("kex", "fn", h -> h.backoff(Duration.ofSeconds(Long.MAX_VALUE)), CallEndsTest::fail));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.lines(Level.ERROR)).anyMatch(line -> line.contains("will try again in 3153600000 seconds"));
        assertNoThrottling();
    }

    /** What the framework can mend is no failure. */
    static Stream<Arguments> successes() {
        return Stream.of(
                handler("half a character", context -> HALF_A_CHARACTER),
                handler("half a character in a key", context -> Map.of(HALF_A_CHARACTER, 1)),
                handler("half a character in a bean", context -> new Texts(List.of(HALF_A_CHARACTER))),
                handler(
                        "a transformation that fails",
                        context -> context.patch().transform(CallEndsTest::fail).isEmpty()),
                handler(
                        "a transformation whose failure cannot be told",
                        context -> context.patch()
                                .transform(body -> {
                                    throw new Unspeakable();
                                })
                                .isEmpty()),
                handler(
                        "a transformation without an end",
                        context -> context.patch()
                                .transform(CallEndsTest::endlessly)
                                .isEmpty()),
                handler(
                        "a transformation that cannot be expressed",
                        context -> context.patch()
                                .transform(body -> body.put("spec", new Object()))
                                .isEmpty()));
    }

    @ParameterizedTest
    @MethodSource("successes")
    void whatCanBeMendedIsNoFailure(Handler handler) {
        assertThat(callsOf(handler)).isEqualTo(1);
        assertThat(story.infos()).contains("info: Creation is processed: 2 succeeded; 0 failed.");
        assertNoThrottling();
    }

    /** What the lifecycle throws, which is nobody's attempt. */
    static Stream<Arguments> failingLifecycles() {
        return Stream.of(
                lifecycle("a message that fails", (due, body) -> {
                    throw new Unspeakable();
                }),
                lifecycle("messages that quote each other", (due, body) -> {
                    throw quotingEachOther();
                }),
                lifecycle("no end of calls", (due, body) -> {
                    var _ = endlessly(body);
                    return due;
                }));
    }

    private static Arguments lifecycle(String name, HandlerLifecycle.Custom lifecycle) {
        return Arguments.of(Named.of(name, lifecycle));
    }

    /** Be it for a reason that looks as if the object had too many levels. */
    @ParameterizedTest
    @MethodSource("failingLifecycles")
    void anObjectWhoseLifecycleFailsIsTriedAgain(HandlerLifecycle.Custom failing) {
        boolean[] fails = {true};
        HandlerLifecycle.Custom lifecycle = (due, body) -> fails[0] ? failing.plan(due, body) : due;
        story.start(builder -> builder.settings(s -> s.execution().lifecycle(lifecycle))
                .onCreate("kex", "fn", story.noting("fn"))
                .onCreate("kex", "other", story.noting("other")));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.log.lines(Level.ERROR)).anyMatch(line -> line.contains("K4-020: Throttling for 1 seconds"));
        assertThat(story.calls).isEmpty();
        fails[0] = false;
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("fn", "other");
    }

    private long callsOf(Handler handler) {
        story.start(builder -> builder.onCreate(
                        "kex", "fn", h -> h.retries(3).backoff(Duration.ofSeconds(1)), context -> {
                            story.calls.add("fn");
                            return handler.handle(context);
                        })
                .onCreate("kex", "other", story.noting("other")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls.stream().filter("other"::equals)).hasSize(1);
        return story.calls.stream().filter("fn"::equals).count();
    }

    private void assertFailed() {
        assertThat(story.infos()).contains("info: Creation is processed: 1 succeeded; 1 failed.");
        assertThat(story.hasAnnotation("kopf.zalando.org/fn"))
                .as("progress of what has ended")
                .isFalse();
        assertNoThrottling();
    }

    private void assertNoThrottling() {
        assertThat(story.log.lines(Level.ERROR)).noneMatch(line -> line.contains("Throttling"));
    }

    @Test
    void aMetricsListenerThatFailsIsNoFailureOfTheHandler() {
        List<HandlerCall> told = new ArrayList<>();
        MetricsListener failing = new MetricsListener() {
            @Override
            public void handlerEnded(HandlerCall call) {
                told.add(call);
                throw new IllegalStateException("on purpose");
            }
        };
        story.start(builder -> builder.metricsListener(failing).onCreate("kex", "fn", story.noting("fn")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("fn");
        assertThat(told).hasSize(1);
        assertThat(story.infos()).contains("info: Creation is processed: 1 succeeded; 0 failed.");
    }

    /** The first handler makes the filter of the second one fail. */
    @Test
    @Tag("L02")
    void whatHasSucceededIsRecordedWhateverFiltersMakeOfItsChanges() {
        story.start(builder -> builder.onCreate("kex", "first", context -> {
                    story.calls.add("first");
                    context.patch().set("spec.bad", true);
                    return null;
                })
                .onCreate(
                        "kex",
                        "second",
                        h -> h.when(context -> !context.spec().has("bad") || fail(context)),
                        story.noting("second"))
                .onCreate("kex", "third", story.noting("third")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("first", "third");
        JsonNode record = Json.parse(
                story.at("/metadata/annotations/kopf.zalando.org~1first").asString());
        assertThat(record.path("success").asBoolean()).isTrue();
    }

    /** The filter is that of the first handler, which is asked before all others. */
    @ParameterizedTest
    @EnumSource
    void aFilterThatFailsIsAFailureOfItsHandlerAlone(FirstHandler first) {
        start(first);
        story.server.create(Scenario.example());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(10));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsSubsequence("create", "delete");
        assertNoThrottling();
        assertThat(story.server.exists("x")).isFalse();
    }

    private void start(FirstHandler first) {
        story.start(builder -> first(first, builder)
                .onCreate("kex", "create", story.noting("create"))
                .onDelete("kex", "delete", story.noting("delete")));
    }

    private OperatorBuilder first(FirstHandler first, OperatorBuilder builder) {
        Handler never = story.noting("the first one");
        return switch (first) {
            case UPDATE -> builder.onUpdate("kex", "first", h -> h.when(CallEndsTest::fail), never);
            case UPDATE_WITH_AN_ERROR ->
                builder.onUpdate("kex", "first", h -> h.when(CallEndsTest::failWithAnError), never);
            case UPDATE_WITH_A_CHECKED_EXCEPTION ->
                builder.onUpdate("kex", "first", h -> h.when(CallEndsTest::failWithACheckedException), never);
            case FIELD ->
                builder.onField("kex", "first", h -> h.field("spec.field").when(CallEndsTest::fail), never);
            case RESUME -> builder.onResume("kex", "first", h -> h.when(CallEndsTest::fail), never);
            case EVENT -> builder.onEvent("kex", "first", h -> h.when(CallEndsTest::fail), never);
            case EVENT_WITH_AN_ERROR ->
                builder.onEvent("kex", "first", h -> h.when(CallEndsTest::failWithAnError), never);
            case TIMER ->
                builder.onTimer(
                        "kex", "first", h -> h.interval(Duration.ofMinutes(1)).when(CallEndsTest::fail), never);
            case TIMER_WITH_AN_ERROR ->
                builder.onTimer(
                        "kex",
                        "first",
                        h -> h.interval(Duration.ofMinutes(1)).when(CallEndsTest::failWithAnError),
                        never);
            case DELETE_THAT_DOES_NOT_FIT ->
                builder.onDelete(
                        "kex", "first", h -> h.when(context -> context.spec().getInt("field", 0) > 1), never);
        };
    }

    /** Whose filter fails. */
    enum FirstHandler {
        UPDATE,
        UPDATE_WITH_AN_ERROR,
        UPDATE_WITH_A_CHECKED_EXCEPTION,
        FIELD,
        RESUME,
        EVENT,
        EVENT_WITH_AN_ERROR,
        TIMER,
        TIMER_WITH_AN_ERROR,
        DELETE_THAT_DOES_NOT_FIT
    }

    @Test
    void aPatchThatIsChangedAfterTheCallSaysThatItIsTooLate() {
        List<Exception> late = new ArrayList<>();
        List<dev.kopf4j.Patch> kept = new ArrayList<>();
        story.start(builder -> builder.onCreate("kex", "fn", context -> {
            kept.add(context.patch());
            return null;
        }));
        story.server.create(Scenario.example());
        story.rest();
        try {
            kept.getFirst().set("spec.late", true);
        } catch (IllegalStateException e) {
            late.add(e);
        }
        assertThat(late).singleElement().asString().contains("after the call of its handler has ended");
    }
}
