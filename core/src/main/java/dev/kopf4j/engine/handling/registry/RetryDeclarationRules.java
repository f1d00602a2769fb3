package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.text.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says what makes no sense in a declaration of retries, of handlers and activities alike. Pure. */
public final class RetryDeclarationRules {
    private RetryDeclarationRules() {}

    /** The first mistake, with the right form; null if there is none. */
    public static @Nullable String problem(Retryable declared) {
        Integer retries = declared.retries();
        if (retries != null && retries < 1) {
            return "retries is the number of attempts in all, and must be positive: " + retries
                    + "; leave it out for unlimited attempts";
        }
        Duration timeout = declared.timeout();
        if (timeout != null && !timeout.isPositive()) {
            return "timeout must be positive: " + DurationText.format(timeout) + "; leave it out for unlimited time";
        }
        Duration backoff = declared.backoff();
        if (backoff != null && backoff.isNegative()) {
            return "backoff must not be negative: " + DurationText.format(backoff) + "; zero is to retry at once";
        }
        return null;
    }
}
