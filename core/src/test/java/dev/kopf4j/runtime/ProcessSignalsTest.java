package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With real signals to the JVM of the test. */
@DisabledOnOs(OS.WINDOWS)
@Tag("P07")
class ProcessSignalsTest {
    private final SimulatedPlatform clock = new SimulatedPlatform(0, Instant.EPOCH);
    private final List<Integer> codes = new CopyOnWriteArrayList<>();
    private final ProcessSignals signals = new ProcessSignals(clock, codes::add);

    private static void raise(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Signal");
        type.getMethod("raise", type)
                .invoke(null, type.getConstructor(String.class).newInstance(name));
    }

    @Test
    void allWhoListenAreToldOfTheFirstSignal() throws Exception {
        var told = new CountDownLatch(2);
        var left = new AtomicInteger();
        signals.call(left::incrementAndGet).close();
        try (var one = signals.call(told::countDown);
                var other = signals.call(told::countDown)) {
            assertThat(one).isNotSameAs(other);
            raise("TERM");
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(left).hasValue(0);
    }

    /**
     * GNU timeout sends one to the program, and one to its process group. Ctrl-C after SIGTERM is a wish of its own.
     */
    @ParameterizedTest
    @CsvSource({"15, 999, ''", "15, 1000, 143", "2, 0, 130"})
    void theSameSignalWithinASecondIsTheFirstOne(int second, long millis, String code) {
        var told = new AtomicInteger();
        try (var listening = signals.call(told::incrementAndGet)) {
            assertThat(listening).isNotNull();
            signals.received(15);
            clock.runFor(Duration.ofMillis(millis));
            signals.received(second);
        }
        assertThat(told).hasValue(1);
        assertThat(codes).hasToString("[" + code + "]");
    }

    @Test
    void handlersBeforeComeBackWhenNobodyListensAnyMore() throws Exception {
        var before = new CountDownLatch(1);
        var outer = new ProcessSignals(clock, codes::add);
        try (var listening = outer.call(before::countDown)) {
            assertThat(listening).isNotNull();
            signals.call(() -> {}).close();
            raise("TERM"); // shells let background programs ignore SIGINT
            assertThat(before.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** The JVM calls handlers in threads of their own, which may come too late. */
    @Test
    void aSignalThatComesAsTheLastOneLeavesIsForTheHandlerBefore() throws Exception {
        var before = new CountDownLatch(1);
        var outer = new ProcessSignals(clock, codes::add);
        try (var listening = outer.call(before::countDown)) {
            assertThat(listening).isNotNull();
            Object called;
            try (var leaving = signals.call(() -> {})) {
                assertThat(leaving).isNotNull();
                called = handle("TERM", known("SIG_DFL")); // one that was ignored would stay so
                handle("TERM", called);
            }
            Class<?> type = Class.forName("sun.misc.Signal");
            Class.forName("sun.misc.SignalHandler")
                    .getMethod("handle", type)
                    .invoke(called, type.getConstructor(String.class).newInstance("TERM"));
            assertThat(before.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(codes).isEmpty();
    }

    /** Ignores SIGHUP, or does not; returns the handler before. */
    private static Object handleHangUp(Object handler) throws ReflectiveOperationException {
        return handle("HUP", handler);
    }

    private static Object handle(String name, Object handler) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Signal");
        return type.getMethod("handle", type, Class.forName("sun.misc.SignalHandler"))
                .invoke(null, type.getConstructor(String.class).newInstance(name), handler);
    }

    private static Object known(String field) throws ReflectiveOperationException {
        return Class.forName("sun.misc.SignalHandler").getField(field).get(null);
    }

    @Test
    void aClosedTerminalIsASignalToo() throws Exception {
        Object before = handleHangUp(known("SIG_DFL"));
        assumeThat(before)
                .as("the JVM was started with SIGHUP ignored, as by nohup, and leaves it so")
                .isNotEqualTo(known("SIG_IGN"));
        var told = new CountDownLatch(1);
        try (var listening = signals.call(told::countDown)) {
            assertThat(listening).isNotNull();
            raise("HUP");
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            handleHangUp(before);
        }
    }

    @Test
    void underNohupItStaysIgnored() throws Exception {
        Object before = handleHangUp(known("SIG_IGN"));
        try (var listening = signals.call(() -> {})) {
            assertThat(listening).isNotNull();
            assertThat(handleHangUp(before)).isEqualTo(known("SIG_IGN"));
        } finally {
            handleHangUp(before);
        }
    }
}
