package dev.kopf4j.engine.recording;

import dev.kopf4j.HandlerCall.Outcome;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.recording.LineRing.Lines;
import dev.kopf4j.engine.recording.RecordedSteps.Cycle;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records the steps of one run of an operator: the newest ones in memory, as many as {@code recorder.memory} allows,
 * for whoever reads them from a position on. Nobody who reads holds up the operator: what was overwritten meanwhile is
 * told as a number of lines. Each list tells of each object: what leads to nothing then leaves no lines, so that a
 * repeated list does not push out what has happened. Thread-safe; a step costs about a microsecond.
 */
public final class Recorder implements OperatorTrace {
    private static final long MEGABYTE = 1024 * 1024;
    private static final int PIECE = 64 * 1024;

    private final Platform platform;
    private final Monitor monitor;
    private final LineRing ring;
    private final RecordedSteps steps;
    private volatile boolean on;

    /** The cycle that a thread is in, so that its requests are known to be of that object. */
    @SuppressWarnings("ThreadLocalUsage") // tests have a recorder beside that of the operator
    private final ThreadLocal<@Nullable Cycle> cycle = new ThreadLocal<>();

    /** A recorder as the settings say so far. */
    public Recorder(Platform platform, OperatorSettings.Recorder settings) {
        this.platform = platform;
        this.monitor = platform.monitor();
        this.ring = new LineRing(settings.memory() * MEGABYTE, PIECE);
        this.steps = new RecordedSteps(platform, settings.values());
        this.on = ring.isOn();
    }

    /** The settings are final; start-up handlers may have changed them. */
    public void settle(OperatorSettings.Recorder settings) {
        monitor.locked(() -> {
            ring.resize(settings.memory() * MEGABYTE);
            steps.values(settings.values());
            on = ring.isOn();
        });
    }

    /** False if nothing is recorded. */
    public boolean isOn() {
        return on;
    }

    @Override
    public boolean hearsOfChildren() {
        return false;
    }

    @Override
    public void happened(OperatorStep step) {
        if (!on) {
            return;
        }
        switch (step) {
            case OperatorStep.CycleBegan began -> cycle.set(Cycle.of(began, platform.nanos()));
            case OperatorStep.EventCame came when came.type() == WatchEventType.LISTED -> {
                // Its cycle tells it, if it leads to anything.
            }
            case OperatorStep.CallBegan began when began.kind() == HandlerKind.INDEX -> {
                // Each event of each object has such calls: only those that fail are told.
            }
            case OperatorStep.CallEnded ended
            when ended.kind() == HandlerKind.INDEX && ended.outcome() == Outcome.SUCCEEDED -> {
                // See above.
            }
            case OperatorStep.CycleEnded ended -> {
                Cycle current = cycle.get();
                if (current == null || current.isTold() || !ended.next().isNever()) {
                    record(ended, told(current));
                }
                cycle.remove();
            }
            case OperatorStep.CycleDecided decided -> {
                Cycle current = cycle.get();
                if (current != null && !current.isTold() && isIdle(decided)) {
                    cycle.set(current.idle(decided));
                } else {
                    record(decided, told(current));
                }
            }
            default -> {
                if (RecordedSteps.hasLine(step)) {
                    record(step, told(cycle.get()));
                }
            }
        }
    }

    private static boolean isIdle(OperatorStep.CycleDecided decided) {
        return switch (decided.decision()) {
            case NOTHING, NOT_CONCERNED -> true;
            case HANDLE -> decided.handlers().isEmpty();
            default -> false;
        };
    }

    /** The cycle of the thread, of which the begin is recorded now at the latest. */
    private @Nullable Cycle told(@Nullable Cycle current) {
        if (current == null || current.isTold()) {
            return current;
        }
        Cycle told = current.told();
        cycle.set(told);
        for (OperatorStep step : current.untold()) {
            record(step, told);
        }
        return told;
    }

    /**
     * Records what somebody else than the operator does: a test, its cluster, the log.
     *
     * @param kind what it is, in a word
     */
    public void note(String kind, String text) {
        if (on) {
            monitor.locked(() -> {
                steps.note(ring.next(), kind, text);
                boolean _ = ring.add(steps.bytes(), steps.length());
            });
        }
    }

    private void record(OperatorStep step, @Nullable Cycle current) {
        RecordedSteps.Details details = steps.details(step);
        monitor.locked(() -> {
            if (steps.write(ring.next(), step, current, details) && !ring.add(steps.bytes(), steps.length())) {
                steps.lost(ring.next(), 1);
                boolean _ = ring.add(steps.bytes(), steps.length());
            }
        });
    }

    /** The number of the line that comes next. */
    public long next() {
        return monitor.locked(ring::next);
    }

    /**
     * Some of the lines from a number on, as far as they are there; to be called again for more.
     *
     * @param from the number of the first line; 0 for the oldest one
     */
    public Lines read(long from) {
        return monitor.locked(() -> ring.read(from));
    }

    /** The line that says that so many lines from that number on are not there any more. */
    String lost(long number, long count) {
        return monitor.locked(() -> {
            steps.lost(number, count);
            return steps.text() + '\n';
        });
    }

    /** The line at the end of an answer. */
    String position(long next, Iterable<String> kinds) {
        return monitor.locked(() -> {
            steps.position(next, kinds);
            return steps.text() + '\n';
        });
    }

    /**
     * Waits until there is a line with that number.
     *
     * @return false if the deadline came first
     */
    public boolean await(long number, Deadline deadline) throws InterruptedException {
        Optional<Boolean> there =
                monitor.await(() -> ring.next() > number ? Optional.of(true) : Optional.empty(), deadline);
        return there.isPresent();
    }
}
