package dev.kopf4j.engine.call;

import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

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
            cutAll(exception);
        } catch (Throwable e) {
            // Of an exception that does not show its own trace or cause.
            TaskEndError.letThrough(e);
        }
        return exception;
    }

    /** Without recursion: whoever wraps in a loop makes long chains. */
    private static void cutAll(Throwable exception) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>(List.of(exception));
        while (!open.isEmpty()) {
            Throwable each = open.pop();
            if (seen.add(each)) {
                cutAlone(each);
                Collections.addAll(open, each.getSuppressed());
                Throwable cause = each.getCause();
                if (cause != null) {
                    open.push(cause);
                }
            }
        }
    }

    private static void cutAlone(Throwable exception) {
        StackTraceElement[] frames = exception.getStackTrace();
        int end = frames.length;
        while (end > 0 && isCaller(frames[end - 1])) {
            end--;
        }
        if (end > 0 && end < frames.length) {
            exception.setStackTrace(Arrays.copyOf(frames, end));
        }
    }

    private static boolean isCaller(StackTraceElement frame) {
        String name = frame.getClassName();
        for (String caller : CALLERS) {
            if (name.startsWith(caller)) {
                return true;
            }
        }
        return false;
    }
}
