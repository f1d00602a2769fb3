package dev.kopf4j.engine.handling.declaration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link BackgroundDeclaration} in the making. Confined. */
final class BackgroundDraft {
    @Nullable InitialDelay initialDelay;

    @Nullable Duration interval;

    boolean sharp;

    @Nullable Duration idle;

    @Nullable Duration cancellationBackoff;

    @Nullable Duration cancellationTimeout;

    @Nullable Duration cancellationPolling;

    BackgroundDeclaration declare() {
        return new BackgroundDeclaration(
                initialDelay, interval, sharp, idle, cancellationBackoff, cancellationTimeout, cancellationPolling);
    }
}
