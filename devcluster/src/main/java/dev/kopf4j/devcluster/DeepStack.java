package dev.kopf4j.devcluster;

import dev.kopf4j.json.JsonLimits;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests about objects with so many levels that they do not fit into the stack of a usual thread: those have
 * room for some two thousand, and a real server accepts {@value JsonLimits#SERVER_LEVELS_MAX}.
 */
final class DeepStack {
    /** Only what is used of it takes memory. */
    private static final long BYTES = 256L << 20;

    /** Far fewer than overflow any stack. */
    private static final int USUAL_LEVELS_MAX = 200;

    private DeepStack() {}

    /** Calls in a thread with a large stack; what it throws is thrown here. */
    static <T> T call(Supplier<T> action) {
        Call<T> call = new Call<>(action);
        Thread thread =
                Thread.ofPlatform().name("devcluster-deep").stackSize(BYTES).start(call);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return call.result();
    }

    private static final class Call<T> implements Runnable {
        private final Supplier<T> action;
        private @Nullable T result;
        private @Nullable RuntimeException failure;
        private @Nullable StackOverflowError overflow;

        Call(Supplier<T> action) {
            this.action = action;
        }

        @Override
        public void run() {
            try {
                result = action.get();
            } catch (RuntimeException e) {
                failure = e;
            } catch (StackOverflowError e) {
                overflow = e;
            }
        }

        T result() {
            if (failure != null) {
                throw failure;
            }
            if (overflow != null) {
                throw overflow;
            }
            if (result == null) {
                throw new IllegalStateException("the thread has ended with an error");
            }
            return result;
        }
    }

    /** True if a body has unusually many levels: the brackets that are open at a time, texts included. */
    static boolean isNeededFor(byte[] body) {
        int level = 0;
        int most = 0;
        for (byte each : body) {
            if (each == '{' || each == '[') {
                most = Math.max(most, ++level);
            } else if (each == '}' || each == ']') {
                level--;
            }
        }
        return most > USUAL_LEVELS_MAX;
    }
}
