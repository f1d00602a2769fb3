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
    private static final long FIRST_LOOK_MILLIS = 5;
    private static final long LOOK_MILLIS = 1000;
    private static final int LOOKS_WHILE_WAITING = 3;
    private static final int LOOKS_WHILE_BUSY = 30;
    private static final int FRAMES_MAX = 20;
    private static final int FRAMES_OF_SLEEP = 6;

    private final Semaphore turn;
    private final SimulatedTask task;

    TurnWatch(Semaphore turn, SimulatedTask task) {
        this.turn = turn;
        this.task = task;
    }

    /**
     * Waits for the end of the turn.
     *
     * @throws StuckException if the task sleeps, has waited for three seconds, or has been busy for half a minute
     */
    void await() {
        int waiting = 0;
        long patience = FIRST_LOOK_MILLIS;
        for (int looks = 0; !acquired(patience); looks++) {
            patience = LOOK_MILLIS;
            StackTraceElement[] stack = task.stack();
            if (isWaiting() && sleeps(stack)) {
                throw stuck("sleeps, and no time of the simulation passes meanwhile", stack);
            }
            waiting = isWaiting() && looks > 0 ? waiting + 1 : 0;
            if (waiting >= LOOKS_WHILE_WAITING) {
                throw stuck("waits for something that is not part of the simulation", stack);
            }
            if (looks > LOOKS_WHILE_BUSY) {
                throw stuck("does not come to an end", stack);
            }
        }
    }

    private static boolean sleeps(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .limit(FRAMES_OF_SLEEP)
                .anyMatch(frame -> frame.getClassName().equals("java.lang.Thread")
                        && frame.getMethodName().equals("sleep"));
    }

    private boolean acquired(long millis) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return turn.tryAcquire(millis, TimeUnit.MILLISECONDS);
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

    private StuckException stuck(String how, StackTraceElement[] stack) {
        String frames = Arrays.stream(stack)
                .limit(FRAMES_MAX)
                .map(frame -> "\n\tat " + frame)
                .collect(Collectors.joining());
        return new StuckException("the simulated task '" + task.name() + "' " + how
                + " (a socket, a thread of its own, Thread.sleep): use the injected client and the handler's own"
                + " waiting, or test it in real time; it is here:" + frames);
    }
}
