package dev.kopf4j.runtime;

import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Waits until a simulated task ends its turn, and notices if it never will: it waits for something that is not part of
 * the simulation. Real time counts here.
 */
final class TurnWatch {
    private static final int LOOKS_WHILE_WAITING = 3;
    private static final int LOOKS_WHILE_BUSY = 60;
    private static final int FRAMES_MAX = 20;

    private final Semaphore turn;
    private final SimulatedTask task;

    TurnWatch(Semaphore turn, SimulatedTask task) {
        this.turn = turn;
        this.task = task;
    }

    /** Waits for the end of the turn. Fails if the task has waited for three seconds, or has been busy for a minute. */
    void await() {
        int waiting = 0;
        for (int looks = 0; !acquired(); looks++) {
            waiting = isWaiting() ? waiting + 1 : 0;
            if (waiting >= LOOKS_WHILE_WAITING) {
                throw stuck("waits for something that is not part of the simulation");
            }
            if (looks >= LOOKS_WHILE_BUSY) {
                throw stuck("does not come to an end");
            }
        }
    }

    private boolean acquired() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return turn.tryAcquire(1, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isWaiting() {
        return switch (task.state()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }

    private IllegalStateException stuck(String how) {
        String stack = Arrays.stream(task.stack())
                .limit(FRAMES_MAX)
                .map(frame -> "\n\tat " + frame)
                .collect(Collectors.joining());
        return new IllegalStateException("the simulated task '" + task.name() + "' " + how
                + " (a socket, a thread of its own, Thread.sleep): use the injected client and the handler's own"
                + " waiting, or test it in real time; it is here:" + stack);
    }
}
