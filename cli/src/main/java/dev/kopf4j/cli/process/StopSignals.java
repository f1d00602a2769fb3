package dev.kopf4j.cli.process;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into a request to stop. The second signal ends the JVM at once, with the exit code
 * that a shell reports (128 + the signal's number). Thread-safe.
 *
 * <p>Shutdown hooks, the JVM's own way, would make the exit code 143 or 130 after a graceful stop as well, and cannot
 * react to a second signal. {@code sun.misc.Signal} is the only other way. It is called by reflection because javac's
 * warning about it cannot be switched off.
 */
public final class StopSignals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

    private final AtomicInteger received = new AtomicInteger();
    private final AtomicReference<Runnable> stop = new AtomicReference<>(() -> {});

    private StopSignals() {}

    /** Takes over the signals: they no longer end the JVM. */
    public static StopSignals install() {
        var signals = new StopSignals();
        for (String name : NAMES) {
            try {
                signals.register(name);
            } catch (ReflectiveOperationException e) {
                // Windows has no SIGHUP, and a JVM that was started with -Xrs refuses all signals.
                LoggerFactory.getLogger(StopSignals.class).debug("Not handling SIG{}: {}", name, e.getCause());
            }
        }
        return signals;
    }

    /** Runs {@code stop} at the first signal, in a thread of the JVM; at once if there was a signal already. */
    public void onStop(Runnable stop) {
        this.stop.set(stop);
        if (received.get() > 0) {
            stop.run();
        }
    }

    private void register(String name) throws ReflectiveOperationException {
        Class<?> signalType = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        int number = (int) signalType.getMethod("getNumber").invoke(signal);
        Object handler = Proxy.newProxyInstance(
                StopSignals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                    received(number);
                    return null;
                });
        signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
    }

    private void received(int number) {
        if (received.incrementAndGet() == 1) {
            stop.get().run();
        } else {
            Runtime.getRuntime().halt(128 + number);
        }
    }
}
