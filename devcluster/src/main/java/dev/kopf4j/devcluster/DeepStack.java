package dev.kopf4j.devcluster;

import dev.kopf4j.json.JsonLimits;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

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
        FutureTask<T> call = new FutureTask<>(action::get);
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
        if (call.state() == Future.State.SUCCESS) {
            return call.resultNow();
        }
        switch (call.exceptionNow()) {
            case RuntimeException failure -> throw failure;
            case StackOverflowError overflow -> throw overflow;
            case Throwable error -> throw new IllegalStateException("the thread has ended with an error", error);
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
