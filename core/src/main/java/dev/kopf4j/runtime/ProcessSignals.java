package dev.kopf4j.runtime;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over SIGTERM, SIGINT and SIGHUP while somebody listens. The first one is told to all who do; the second one
 * ends the JVM at once, with the exit code that a shell reports (128 + the signal's number). The same signal again
 * within a second is the first one: {@code timeout} of GNU sends its to the program and to its process group. A SIGHUP
 * that is ignored, as under {@code nohup}, stays so. One that comes as the last listener leaves is for the handler
 * before. Thread-safe.
 *
 * <p>With shutdown hooks, the JVM's own way, the program could not go on after its operator, and would always end with
 * the code of a failure. {@code sun.misc.Signal} is the only other way. It is called by reflection because javac's
 * warning about it cannot be switched off.
 */
final class ProcessSignals implements StopSignals {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");
    private static final String TERMINAL_CLOSED = "HUP";
    private static final List<String> NAMES = List.of("TERM", "INT", TERMINAL_CLOSED);

    private static final Duration ECHO_MAX = Duration.ofSeconds(1);

    private final Platform platform;
    private final IntConsumer halt;
    private final Map<Object, Runnable> listeners = new LinkedHashMap<>();
    private final Map<String, Object> handlersBefore = new HashMap<>();
    private boolean received;
    private int first;
    private Deadline echoUntil = Deadline.NEVER;

    /**
     * Nobody listens yet.
     *
     * @param halt ends the JVM at once, with an exit code
     */
    ProcessSignals(Platform platform, IntConsumer halt) {
        this.platform = platform;
        this.halt = halt;
    }

    @Override
    public synchronized Listening call(Runnable stop) {
        if (listeners.isEmpty()) {
            received = false;
            NAMES.forEach(this::takeOver);
        }
        Object listener = new Object();
        listeners.put(listener, stop);
        return () -> remove(listener);
    }

    private synchronized void remove(Object listener) {
        if (listeners.remove(listener) != null && listeners.isEmpty()) {
            handlersBefore.forEach(ProcessSignals::giveBack);
            handlersBefore.clear();
        }
    }

    private void takeOver(String name) {
        try {
            Object before = handle(name, handler());
            if (name.equals(TERMINAL_CLOSED) && ignoring().equals(before)) {
                giveBack(name, before);
            } else {
                handlersBefore.put(name, before);
            }
        } catch (ReflectiveOperationException e) {
            // A JVM that was started with -Xrs leaves signals alone; so does one without the module jdk.unsupported.
            // Windows has no SIGHUP.
            if (name.equals(TERMINAL_CLOSED)) {
                return;
            }
            log.warn("SIG{} does not stop the operator: {}", name, e.getCause() == null ? e : e.getCause());
        }
    }

    private static void giveBack(String name, Object handler) {
        try {
            handle(name, handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("SIG" + name + " was taken over, but cannot be given back", e);
        }
    }

    /** Returns the handler before. */
    private static Object handle(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signalType = Class.forName("sun.misc.Signal");
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        return signalType.getMethod("handle", signalType, handlerType()).invoke(null, signal, handler);
    }

    private Object handler() throws ReflectiveOperationException {
        return Proxy.newProxyInstance(
                ProcessSignals.class.getClassLoader(), new Class<?>[] {handlerType()}, (proxy, method, arguments) -> {
                    Object signal = arguments[0];
                    Class<?> signalType = signal.getClass();
                    if (!received((int) signalType.getMethod("getNumber").invoke(signal))) {
                        signalType.getMethod("raise", signalType).invoke(null, signal);
                    }
                    return null;
                });
    }

    private static Object ignoring() throws ReflectiveOperationException {
        return handlerType().getField("SIG_IGN").get(null);
    }

    private static Class<?> handlerType() throws ReflectiveOperationException {
        return Class.forName("sun.misc.SignalHandler");
    }

    /** Returns false if nobody listens any more. */
    boolean received(int number) {
        List<Runnable> told;
        synchronized (this) {
            if (listeners.isEmpty()) {
                return false; // the JVM calls in a thread of its own, which was slower than the end of the operator
            }
            told = firstOrHalt(number);
        }
        if (told == null) {
            // Without the lock: if nobody reads the log, the next signal must end the program all the same.
            log.info("The same signal again within a second counts as one. Once more ends the program at once.");
        } else {
            told.forEach(Runnable::run);
        }
        return true;
    }

    /** Whom to tell of the first signal, and nobody of another one; null if it is the echo of the first. */
    private @Nullable List<Runnable> firstOrHalt(int number) {
        if (received) {
            if (number == first && !echoUntil.hasPassed(platform)) {
                return null;
            }
            halt.accept(128 + number);
            return List.of();
        }
        received = true;
        first = number;
        echoUntil = platform.after(ECHO_MAX);
        return List.copyOf(listeners.values());
    }
}
