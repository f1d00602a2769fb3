package dev.kopf4j.engine.handling.invocation;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leaves of a stack trace what a handler's author has written: how the framework came to call it is cut off. */
final class HandlerStackTrace {
    /** What stands below a handler's frames, in packages and classes. */
    private static final List<String> CALLERS = List.of(
            "dev.kopf4j.engine.",
            "dev.kopf4j.hierarchy.",
            "dev.kopf4j.runtime.",
            "java.lang.ScopedValue",
            "java.lang.Thread",
            "java.lang.VirtualThread",
            "java.lang.reflect.",
            "jdk.internal.reflect.",
            "jdk.internal.vm.");

    private HandlerStackTrace() {}

    /** The same exception, with shorter traces of itself and its causes. */
    static <T extends Throwable> T cut(T exception) {
        cut(exception, Collections.newSetFromMap(new IdentityHashMap<>()));
        return exception;
    }

    private static void cut(@Nullable Throwable exception, Set<Throwable> seen) {
        if (exception != null && seen.add(exception)) {
            StackTraceElement[] frames = exception.getStackTrace();
            int end = frames.length;
            while (end > 0 && isCaller(frames[end - 1])) {
                end--;
            }
            if (end > 0) {
                exception.setStackTrace(Arrays.copyOf(frames, end));
            }
            cut(exception.getCause(), seen);
            for (Throwable suppressed : exception.getSuppressed()) {
                cut(suppressed, seen);
            }
        }
    }

    private static boolean isCaller(StackTraceElement frame) {
        return CALLERS.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
