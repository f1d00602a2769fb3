package dev.kopf4j.cli.process;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Ends the process by force if it does not end by itself. */
public final class ForcedExit {
    /** The exit code that a shell reports for a killed process: 128 + 9. */
    public static final int CODE = 137;

    /** A log that nobody reads holds up the end no longer than that; it may be what the end has waited for. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private static volatile @Nullable Deadline end;

    private ForcedExit() {}

    /**
     * The exit code of a process that ends by itself: what has given up because its time was over has not ended well,
     * even if it does so a moment before it is ended.
     */
    public static int code(int code) {
        Deadline known = end;
        return known != null && known.hasPassed(new SystemPlatform()) ? CODE : code;
    }

    /** Ends the process after the time, unless it has ended before. */
    public static void after(Duration time) {
        end = new SystemPlatform().after(time);
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
        LoggerFactory.getLogger("kopf4j.cli")
                .error(
                        "The operator has not ended within {} seconds (process.ultimateExitingTimeout):"
                                + " the process is ended by force.",
                        time.toSeconds());
    }
}
