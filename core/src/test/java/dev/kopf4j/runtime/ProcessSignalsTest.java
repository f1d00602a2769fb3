package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** With real signals to the JVM of the test. */
@DisabledOnOs(OS.WINDOWS)
@Tag("P07")
class ProcessSignalsTest {
    private final ProcessSignals signals = new ProcessSignals();

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

    @Test
    void handlersBeforeComeBackWhenNobodyListensAnyMore() throws Exception {
        var before = new CountDownLatch(1);
        var outer = new ProcessSignals();
        try (var listening = outer.call(before::countDown)) {
            assertThat(listening).isNotNull();
            signals.call(() -> {}).close();
            raise("TERM"); // shells let background programs ignore SIGINT
            assertThat(before.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
