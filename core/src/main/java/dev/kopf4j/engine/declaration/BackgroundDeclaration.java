package dev.kopf4j.engine.declaration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a daemon or a timer starts, runs, and is stopped. Immutable.
 *
 * @param initialDelay how long to wait before the start; null for not at all
 * @param interval the time between two calls of a timer; null for none
 * @param sharp true if the interval is measured from start to start, not from end to start
 * @param idle how long an object must be unchanged before a timer is called; null for not at all
 * @param cancellationBackoff how long a daemon may take to end by itself; null for no such stage
 * @param cancellationTimeout how long a daemon may take to end after it was interrupted; null to never interrupt it
 * @param cancellationPolling how often a daemon is reported that does not end; null for the setting
 */
public record BackgroundDeclaration(
        @Nullable InitialDelay initialDelay,
        @Nullable Duration interval,
        boolean sharp,
        @Nullable Duration idle,
        @Nullable Duration cancellationBackoff,
        @Nullable Duration cancellationTimeout,
        @Nullable Duration cancellationPolling) {
    /** Nothing is given. */
    public static final BackgroundDeclaration NONE =
            new BackgroundDeclaration(null, null, false, null, null, null, null);

    /** One in the making, by options or by an annotation. Confined. */
    public static final class Draft {
        private @Nullable InitialDelay initialDelay;

        @Nullable Duration interval;

        boolean sharp;

        @Nullable Duration idle;

        @Nullable Duration cancellationBackoff;

        @Nullable Duration cancellationTimeout;

        @Nullable Duration cancellationPolling;

        /** Takes what an annotation says, but for the initial delay, which may be a method's. */
        public Draft read(AnnotationAttributes attributes) {
            interval = attributes.duration("interval");
            sharp = attributes.flag("sharp");
            idle = attributes.duration("idle");
            cancellationBackoff = attributes.duration("cancellationBackoff");
            cancellationTimeout = attributes.duration("cancellationTimeout");
            cancellationPolling = attributes.duration("cancellationPolling");
            return this;
        }

        /** How long to wait before the start; null for not at all. */
        public Draft initialDelay(@Nullable InitialDelay delay) {
            initialDelay = delay;
            return this;
        }

        /** What has come together. */
        public BackgroundDeclaration declare() {
            return new BackgroundDeclaration(
                    initialDelay, interval, sharp, idle, cancellationBackoff, cancellationTimeout, cancellationPolling);
        }
    }
}
