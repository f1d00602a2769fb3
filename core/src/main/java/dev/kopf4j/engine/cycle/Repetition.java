package dev.kopf4j.engine.cycle;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What has to be done again, as it was of no avail: somebody undoes what is written each time. It is done seldomer and
 * seldomer. Somebody who undoes it later than a minute after it was done does not answer the operator: that is the
 * first time again. Kept until a cycle finds that it is over. Confined to the object's worker.
 */
final class Repetition {
    private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(1);

    private int times;
    /** When it was done last; never if it was not. */
    private Deadline done = Deadline.NEVER;
    /** When it may be done the next time; null if it need not be done. */
    private @Nullable Deadline next;

    /** Does not wait any more; true if it is over. */
    boolean ends(Platform platform) {
        next = null;
        return isOver(platform);
    }

    private boolean isOver(Platform platform) {
        return done.plus(ANSWERED_WITHIN).hasPassed(platform);
    }

    boolean waits() {
        return next != null;
    }

    /**
     * It has to be done again: how often that was the case, if that is found only now; empty if it was known.
     *
     * @param delays how long after the last time it is done again, by how often it was
     */
    OptionalInt begins(Platform platform, IntFunction<Duration> delays) {
        if (next != null) {
            return OptionalInt.empty();
        }
        if (isOver(platform)) {
            times = 0;
        }
        Deadline now = platform.after(Duration.ZERO);
        next = done.isNever() ? now : done.plus(delays.apply(times));
        return OptionalInt.of(times);
    }

    /** How long it waits; zero if it is done now. */
    Duration left(Platform platform) {
        Duration left = next == null ? Duration.ZERO : next.remaining(platform);
        if (left.isZero()) {
            next = null;
            times++;
            done = platform.after(Duration.ZERO);
        }
        return left;
    }

    /**
     * What somebody may do to the object each time that the operator writes it.
     *
     * <p>Annotations and finalizers are removed for a reason once, but not again within a minute. Handlers may well
     * write what calls them again, such as the next phase of the object, and others may write together with the
     * operator: so many such updates are followed, and then still one in five seconds.
     */
    enum Fight {
        FINALIZER_REMOVED(
                1,
                Duration.ofDays(1),
                "StateRemoved",
                "K4-027: Something keeps removing the operator's finalizer from the object: it is added again, and changes are"
                        + " handled"),
        STATE_REMOVED(
                1,
                Duration.ofDays(1),
                "StateRemoved",
                "K4-027: Something keeps removing the operator's annotations from the object, which looks new therefore: its"
                        + " creation is handled again"),
        CHANGED_WITH_WRITING(
                100,
                Duration.ofSeconds(5),
                "KeepsChanging",
                "K4-028: The object is changed again each time that the operator writes it: the next change is handled");

        /** Delays may be without an end: they are not asked for further ones. */
        private static final int LAST_STEP = 30;

        /** How often it is taken for meant so. */
        private final int free;

        private final Duration longest;
        private final String reason;
        private final String trouble;

        Fight(int free, Duration longest, String reason, String trouble) {
            this.free = free;
            this.longest = longest;
            this.reason = reason;
            this.trouble = trouble;
        }

        Duration delay(int earlier, ObjectThrottling throttling) {
            Duration delay =
                    earlier < free ? Duration.ZERO : throttling.delayAfterConflict(Math.min(earlier - free, LAST_STEP));
            return delay.compareTo(longest) > 0 ? longest : delay;
        }

        /** The first, the second, the fourth time and so on. */
        boolean isToldAgain(int earlier) {
            return Integer.bitCount(earlier - free + 1) == 1;
        }

        /** The reason of the Kubernetes event. */
        String reason() {
            return reason;
        }

        /** What is wrong, and what waits, in words for people, with a code; how long it waits follows. */
        String trouble() {
            return trouble;
        }
    }
}
