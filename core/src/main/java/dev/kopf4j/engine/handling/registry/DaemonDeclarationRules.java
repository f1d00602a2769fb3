package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What makes no sense in the times of daemons and timers. Pure. */
final class DaemonDeclarationRules {
    /** More frequent calls than this would be a busy loop. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** A longer time counts as never. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private DaemonDeclarationRules() {}

    /** The first mistake, with the right form; null if there is none. */
    static @Nullable String problem(BackgroundDeclaration declared) {
        if (declared.sharp() && declared.interval() == null) {
            return "sharp changes how the interval is measured, but the interval is missing; add it, as in interval = \"10s\"";
        }
        return outOfRange(declared);
    }

    private static @Nullable String outOfRange(BackgroundDeclaration declared) {
        Duration delay = declared.initialDelay() instanceof InitialDelay.Fixed(Duration time) ? time : null;
        return Stream.of(
                        notPositive("interval", declared.interval()),
                        notPositive("idle", declared.idle()),
                        notPositive("cancellationPolling", declared.cancellationPolling()),
                        negative("initialDelay", delay),
                        negative("cancellationBackoff", declared.cancellationBackoff()),
                        negative("cancellationTimeout", declared.cancellationTimeout()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }

    private static Optional<String> notPositive(String name, @Nullable Duration time) {
        return time != null && time.compareTo(SHORTEST) < 0
                ? Optional.of(name + " must be at least " + SHORTEST.toMillis() + " ms: " + DurationText.format(time)
                        + "; write for example \"10s\"")
                : tooLong(name, time);
    }

    private static Optional<String> negative(String name, @Nullable Duration time) {
        return time != null && time.isNegative()
                ? Optional.of(name + " must not be negative: " + DurationText.format(time) + "; leave it out for none")
                : tooLong(name, time);
    }

    private static Optional<String> tooLong(String name, @Nullable Duration time) {
        return time != null && time.compareTo(LONGEST) > 0
                ? Optional.of(name + " must be at most " + LONGEST.toDays() + " days: " + DurationText.format(time)
                        + "; leave it out for none")
                : Optional.empty();
    }
}
