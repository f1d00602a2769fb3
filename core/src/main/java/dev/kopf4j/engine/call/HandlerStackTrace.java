package dev.kopf4j.engine.call;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows stack traces to the authors of handlers: their own frames, not those by which the framework has called them.
 */
public final class HandlerStackTrace {
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

    /**
     * The same exception, with shorter traces of itself and its causes; as it is if its own code does not allow that.
     */
    static <T extends Throwable> T cut(T exception) {
        try {
            cut(exception, Collections.newSetFromMap(new IdentityHashMap<>()));
        } catch (RuntimeException e) {
            // Of an exception that does not show its own trace or cause.
            return exception;
        }
        return exception;
    }

    /** The frames as lines of text, for the log. */
    public static String text(StackTraceElement[] frames) {
        return Arrays.stream(frames).map(frame -> "    at " + frame).collect(Collectors.joining("\n"));
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
