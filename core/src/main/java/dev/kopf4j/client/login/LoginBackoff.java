package dev.kopf4j.client.login;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The delays between logins: none if the last login's credentials have been good for a minute, longer and longer ones
 * if logins fail or give credentials that the server rejects soon. Confined to its owner's lock.
 */
final class LoginBackoff {
    /** A login may run a command or ask a person, so it must not come often; nor must people wait long for a repair. */
    private static final List<Duration> DELAYS =
            Stream.of(0, 1, 1, 2, 3, 5, 8, 10).map(Duration::ofSeconds).toList();

    private static final Duration GOOD_AFTER = Duration.ofMinutes(1);

    private final Platform platform;
    private int failures;
    private Deadline due;
    private Deadline goodFrom;

    LoginBackoff(Platform platform) {
        this.platform = platform;
        this.due = platform.after(Duration.ZERO);
        this.goodFrom = due;
    }

    /** When the next login may begin. */
    Deadline due() {
        return due;
    }

    boolean isDue() {
        return due.hasPassed(platform);
    }

    /** A login has given credentials; they count as good if nothing rejects them for a minute. */
    void succeeded() {
        goodFrom = platform.after(GOOD_AFTER);
    }

    /** A login has failed, or the server has rejected the last credential of a login. */
    void failed() {
        if (goodFrom.hasPassed(platform)) {
            failures = 0;
        }
        due = platform.after(DELAYS.get(Math.min(failures, DELAYS.size() - 1)));
        failures++;
        goodFrom = platform.after(GOOD_AFTER);
    }
}
