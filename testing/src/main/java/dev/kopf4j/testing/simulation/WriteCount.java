package dev.kopf4j.testing.simulation;

import dev.kopf4j.Tracing.Scope;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Counts the writes of operators and their handlers, and tells those apart that timers and daemons make or cause: what
 * such a handler writes itself, what is written for it after its calls (its patch, its result, the records of its
 * steps), and for a minute after each of these writes, as many as the operator may need for what has changed. Confined
 * to the simulation.
 */
final class WriteCount {
    /** What an operator writes to be seen alive. */
    private static final Pattern SIGNS_OF_LIFE = Pattern.compile(".*/(leases|(cluster)?kopfpeerings|events)(/.*)?");

    private static final Duration REACTION = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final int reactions;
    /** The threads that run the code of timers and daemons, or write for it. */
    private final Set<Thread> background = new HashSet<>();
    /** When they cannot be made any more, one for each write that something of the background may cause. */
    private final Deque<Instant> excused = new ArrayDeque<>();

    private int all;
    private int restless;
    private int ofBackground;
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
        if (background.contains(Thread.currentThread())) {
            ofBackground++;
            excused.addAll(Collections.nCopies(reactions, clock.instant().plus(REACTION)));
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

    /** The running thread begins to run a timer or a daemon; it does so no more when the scope is closed. */
    Scope entered() {
        background.add(Thread.currentThread());
        return () -> background.remove(Thread.currentThread());
    }

    /** The same machine, where tasks that are started by timers and daemons, or write for them, belong to them. */
    Platform counted(Platform machine) {
        return new ForwardingPlatform(machine) {
            @Override
            public Task spawn(String name, Runnable body) {
                boolean ofBackground =
                        name.startsWith(OperatorDaemons.CHANGES_OF) || background.contains(Thread.currentThread());
                return super.spawn(
                        name,
                        ofBackground
                                ? () -> {
                                    try (Scope _ = entered()) {
                                        body.run();
                                    }
                                }
                                : body);
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

    /** Those that timers and daemons have made, or that were made for them. */
    int ofBackground() {
        return ofBackground;
    }

    String last() {
        return last;
    }
}
