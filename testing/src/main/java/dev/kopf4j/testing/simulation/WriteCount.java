package dev.kopf4j.testing.simulation;

import dev.kopf4j.Tracing.Scope;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Counts the writes of operators and their handlers, and tells those apart that timers and daemons make or cause: what
 * such a handler writes itself, and for a minute after it, and after the end of a call that wrote or hands over
 * changes, as many as the operator may need for what has changed. Confined to the simulation.
 */
final class WriteCount {
    /** What an operator writes to be seen alive. */
    private static final Pattern SIGNS_OF_LIFE = Pattern.compile(".*/(leases|(cluster)?kopfpeerings|events)(/.*)?");

    private static final Duration REACTION = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final int reactions;
    /** The calls of timers and daemons, by the threads that run their code. */
    private final Map<Thread, BackgroundCall> background = new HashMap<>();
    /** When they cannot be made any more, one for each write that something of the background may cause. */
    private final Deque<Instant> excused = new ArrayDeque<>();

    private int all;
    private int restless;
    private boolean backgroundWrote;
    private String last = "none";

    /**
     * Nothing is written yet.
     *
     * @param handlers how many the operator has: each may be called in a cycle of its own, whose end is written to the
     *     object and to its status
     */
    WriteCount(InstantSource clock, int handlers) {
        this.clock = clock;
        this.reactions = 2 * (handlers + 1);
    }

    /** A call of a timer or a daemon. */
    static final class BackgroundCall {
        private boolean wrote;
    }

    /** A request was answered, in the thread that makes it. */
    void answered(ApiRequest request, ApiResponse response) {
        boolean byOperator = request.header("User-Agent").orElse("").startsWith("kopf4j/");
        boolean signOfLife = SIGNS_OF_LIFE.matcher(request.path()).matches();
        if (!byOperator
                || request.method().equals("GET")
                || request.query().containsKey("dryRun")
                || signOfLife
                || response.status() == 404) {
            return;
        }
        all++;
        last = request.method() + " " + request.path();
        BackgroundCall call = background.get(Thread.currentThread());
        if (call != null) {
            call.wrote = true;
            mayCauseWrites();
        } else if (!isExcused()) {
            restless++;
        }
    }

    private boolean isExcused() {
        Instant now = clock.instant();
        while (!excused.isEmpty() && excused.element().isBefore(now)) {
            excused.remove();
        }
        return excused.poll() != null;
    }

    /** Something of the background is written, which the operator may answer by writes. */
    private void mayCauseWrites() {
        backgroundWrote = true;
        excused.addAll(Collections.nCopies(reactions, clock.instant().plus(REACTION)));
    }

    /** The running thread begins to run the code of a call; it does so no more when the scope is closed. */
    Scope entered(BackgroundCall call) {
        background.put(Thread.currentThread(), call);
        return () -> background.remove(Thread.currentThread());
    }

    /**
     * A call has ended.
     *
     * @param handsOver true if the operator has to write what it wants to be changed
     */
    void ended(BackgroundCall call, boolean handsOver) {
        if (call.wrote || handsOver) {
            mayCauseWrites();
        }
    }

    /** The same machine, where tasks that are started by the code of a call belong to that call. */
    Platform counted(Platform machine) {
        return new ForwardingPlatform(machine) {
            @Override
            public Task spawn(String name, Runnable body) {
                BackgroundCall call = background.get(Thread.currentThread());
                return super.spawn(
                        name,
                        call == null
                                ? body
                                : () -> {
                                    try (Scope _ = entered(call)) {
                                        body.run();
                                    }
                                });
            }
        };
    }

    int all() {
        return all;
    }

    /** Those that no timer and no daemon has made or caused. */
    int restless() {
        return restless;
    }

    /** True if a timer or a daemon has written. */
    boolean hasBackgroundWritten() {
        return backgroundWrote;
    }

    String last() {
        return last;
    }
}
