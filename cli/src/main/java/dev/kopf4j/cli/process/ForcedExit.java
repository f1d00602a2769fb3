package dev.kopf4j.cli.process;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the process by force if it does not end by itself. */
public final class ForcedExit {
    /** The exit code that a shell reports for a killed process: 128 + 9. */
    public static final int CODE = 137;

    private static final Logger LOG = LoggerFactory.getLogger("kopf4j.cli");

    /** A log that nobody reads holds up the end no longer than that; it may be what the end has waited for. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private ForcedExit() {}

    /** Ends the process after the time, unless it has ended before. */
    public static void after(Duration time) {
        Thread.ofPlatform().daemon().name("forced exit").start(() -> {
            try {
                Thread.sleep(time);
                Thread.ofPlatform()
                        .daemon()
                        .name("last words")
                        .start(() -> tell(time))
                        .join(LAST_WORDS);
                Runtime.getRuntime().halt(CODE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void tell(Duration time) {
        LOG.error(
                "The operator has not ended within {} seconds (process.ultimateExitingTimeout):"
                        + " the process is ended by force.",
                time.toSeconds());
    }
}
