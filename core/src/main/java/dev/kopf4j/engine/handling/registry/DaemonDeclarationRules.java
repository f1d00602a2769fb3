package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.BackgroundOptions;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.InitialDelay;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What makes no sense in the times of daemons and timers. Pure. */
final class DaemonDeclarationRules {
    /** Calls in a quicker row than this would be a busy loop. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** What is further away never comes. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private DaemonDeclarationRules() {}

    /** The first mistake, with the right form; null if there is none. */
    static @Nullable String problem(HandlerKind kind, BackgroundOptions options) {
        String misplaced = misplaced(kind, options);
        return misplaced == null ? outOfRange(options) : misplaced;
    }

    private static @Nullable String misplaced(HandlerKind kind, BackgroundOptions options) {
        if (options.initialDelay() != null && !kind.isBackground()) {
            return "initialDelay is for daemons and timers; use it as in @OnTimer(value = \"kopfexamples\", interval ="
                    + " \"10s\", initialDelay = \"1m\")";
        }
        boolean timed = options.interval() != null || options.sharp() || options.idle() != null;
        if (timed && kind != HandlerKind.TIMER) {
            return "interval, sharp and idle are for timers; use them as in @OnTimer(value = \"kopfexamples\", interval ="
                    + " \"10s\")";
        }
        boolean cancelled = options.cancellationBackoff() != null
                || options.cancellationTimeout() != null
                || options.cancellationPolling() != null;
        if (cancelled && kind != HandlerKind.DAEMON) {
            return "cancellationBackoff, cancellationTimeout and cancellationPolling are for daemons; use them as in"
                    + " @OnDaemon(value = \"kopfexamples\", cancellationTimeout = \"3s\")";
        }
        if (options.sharp() && options.interval() == null) {
            return "sharp is said of the interval, which is missing; add it, as in interval = \"10s\"";
        }
        return null;
    }

    private static @Nullable String outOfRange(BackgroundOptions options) {
        Duration delay = options.initialDelay() instanceof InitialDelay.Fixed(Duration time) ? time : null;
        return Stream.of(
                        notPositive("interval", options.interval()),
                        notPositive("idle", options.idle()),
                        notPositive("cancellationPolling", options.cancellationPolling()),
                        negative("initialDelay", delay),
                        negative("cancellationBackoff", options.cancellationBackoff()),
                        negative("cancellationTimeout", options.cancellationTimeout()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }

    private static Optional<String> notPositive(String name, @Nullable Duration time) {
        return time != null && time.compareTo(SHORTEST) < 0
                ? Optional.of(name + " must be at least " + SHORTEST.toMillis() + " ms: " + time
                        + "; write for example \"10s\"")
                : tooLong(name, time);
    }

    private static Optional<String> negative(String name, @Nullable Duration time) {
        return time != null && time.isNegative()
                ? Optional.of(name + " must not be negative: " + time + "; leave it out for none")
                : tooLong(name, time);
    }

    private static Optional<String> tooLong(String name, @Nullable Duration time) {
        return time != null && time.compareTo(LONGEST) > 0
                ? Optional.of(
                        name + " must be at most " + LONGEST.toDays() + " days: " + time + "; leave it out for none")
                : Optional.empty();
    }
}
