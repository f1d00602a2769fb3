package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link HandlerStackTrace}: which frames of a handler's exception are logged. */
class HandlerStackTraceTest {
    private static final String[] OURS = {
        "java.lang.reflect.Method", "dev.kopf4j.engine.injection.MethodInvoker", "java.lang.VirtualThread"
    };

    private static <T extends Throwable> T at(T exception, String... classes) {
        exception.setStackTrace(Arrays.stream(classes)
                .map(each -> new StackTraceElement(each, "method", null, 1))
                .toArray(StackTraceElement[]::new));
        return exception;
    }

    private static List<String> trace(Throwable exception) {
        return Arrays.stream(exception.getStackTrace())
                .map(StackTraceElement::getClassName)
                .toList();
    }

    @Test
    void endsWithTheHandler() {
        Exception failure = at(
                new IllegalStateException(), "java.util.List", "my.Deeper", "my.Handlers", OURS[0], OURS[1], OURS[2]);
        assertThat(trace(HandlerStackTrace.cut(failure))).containsExactly("java.util.List", "my.Deeper", "my.Handlers");
    }

    @Test
    void showsWhatTheHandlerHasCalledOfTheFramework() {
        Exception failure =
                at(new IllegalStateException(), "dev.kopf4j.engine.index.KeyedIndex", "my.Handlers", OURS[1]);
        assertThat(trace(HandlerStackTrace.cut(failure)))
                .containsExactly("dev.kopf4j.engine.index.KeyedIndex", "my.Handlers");
    }

    @Test
    void staysWholeIfThereIsNothingElse() {
        Exception failure = at(new IllegalStateException(), OURS);
        assertThat(trace(HandlerStackTrace.cut(failure))).containsExactly(OURS);
    }

    @Test
    void causesAndSuppressedAreCutTooEvenInCircles() {
        Exception cause = at(new IllegalStateException(), "my.Cause", OURS[0]);
        Exception suppressed = at(new IllegalStateException(), "my.Suppressed", OURS[0]);
        Exception failure = at(new IllegalStateException("outer", cause), "my.Handlers", OURS[0]);
        failure.addSuppressed(suppressed);
        cause.addSuppressed(failure);
        HandlerStackTrace.cut(failure);
        assertThat(trace(failure)).containsExactly("my.Handlers");
        assertThat(trace(cause)).containsExactly("my.Cause");
        assertThat(trace(suppressed)).containsExactly("my.Suppressed");
    }

    @Test
    void chainsOfCausesMayHaveAnyLength() {
        Exception first = at(new IllegalStateException(), "my.First", OURS[0]);
        Exception last = first;
        for (int i = 0; i < 100_000; i++) {
            last = new IllegalStateException("more", last);
        }
        HandlerStackTrace.cut(last);
        assertThat(trace(first)).containsExactly("my.First");
    }

    private static final class Untraceable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new AssertionError("no trace");
        }
    }

    @Test
    void exceptionsThatDoNotShowTheirTraceStayAsTheyAre() {
        Exception failure = new Untraceable();
        assertThat(HandlerStackTrace.cut(failure)).isSameAs(failure);
    }
}
