package dev.kopf4j.cli;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into a request to stop; the second signal ends the JVM at once, as a shell would
 * report it (128 + the signal's number).
 *
 * <p>The JVM's own way, shutdown hooks, would make the exit code 143 or 130 after a graceful stop too, and has no say
 * at a second signal. {@code sun.misc.Signal} is the only other way; it is called by reflection, since javac's warning
 * about it cannot be switched off.
 */
final class StopSignals {
    private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Runnable stop;

    private StopSignals(Runnable stop) {
        this.stop = stop;
    }

    /** From now on the first of the signals runs {@code stop} on a thread of the JVM's. */
    static void handle(Runnable stop) {
        var signals = new StopSignals(stop);
        for (String name : NAMES) {
            try {
                signals.register(name);
            } catch (ReflectiveOperationException e) {
                // Windows has no SIGHUP, and a JVM started with -Xrs lends no signals.
                LoggerFactory.getLogger(StopSignals.class).debug("Not handling SIG{}: {}", name, e.getCause());
            }
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
        if (stopping.compareAndSet(false, true)) {
            stop.run();
        } else {
            Runtime.getRuntime().halt(128 + number);
        }
    }
}
