package dev.kopf4j.engine.cycle;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.FailureSums;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds whose objects cannot be written at the moment: a right was revoked, there are no credentials, the storage
 * of the server is down. What is read may still come, so that the streams do not tell it. A kind is told from a minute
 * after the first write that failed on, if its repetitions have ended, until one succeeds, or until nothing was written
 * any more for longer than objects are held back after errors. What admission refuses is a trouble of that object
 * alone, also if a webhook fails, which may be the operator's own, and come back once it is ready.
 *
 * <p>The log has the first objects that wait for that, then sums, and the end. Thread-safe.
 */
public final class FailingWrites {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.objects");
    private static final int TOLD_BY_THEMSELVES = 5;
    private static final Duration TOLD_AFTER = Duration.ofMinutes(1);
    private static final Duration DROPPED_TOLD_EVERY = Duration.ofMinutes(1);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);

    private final Platform platform;
    private final Map<Resource, Failing> kinds = new ConcurrentHashMap<>();
    private final FailureSums waits;
    private final Monitor monitor;

    /** Guarded by the monitor: when it is told again that what was achieved is not recorded. */
    private Deadline droppedToldAgain;

    /** In nanoseconds of the platform: since when all writes fail, and the last one. */
    private record Failing(long since, long last, String message) {}

    FailingWrites(Platform platform) {
        this.platform = platform;
        this.waits = new FailureSums(platform, TOLD_BY_THEMSELVES);
        this.monitor = platform.monitor();
        this.droppedToldAgain = platform.after(Duration.ZERO);
    }

    /** How it is told that an object waits for what meets all of them. */
    FailureSums waits() {
        return waits;
    }

    /**
     * What was achieved for an object is not recorded, as this replica may not act any more. It meets all objects at
     * the same time: it is told of one of them, once a minute.
     */
    void dropped(Logger logger, LeadershipLostException lost) {
        boolean told = monitor.locked(() -> {
            boolean due = droppedToldAgain.hasPassed(platform);
            droppedToldAgain = due ? platform.after(DROPPED_TOLD_EVERY) : droppedToldAgain;
            return due;
        });
        String line = "K4-009: What handlers have achieved for the object is not recorded, and they are called again by"
                + " whoever acts from now on; so it may be for others. " + lost.getMessage();
        if (told) {
            logger.warn(line);
        } else {
            logger.debug(line);
        }
    }

    /** A write that began at that moment, in nanoseconds of the platform, has failed, with all its attempts. */
    void failed(Resource resource, long begun, ClientException failure) {
        boolean ofOneObject = failure instanceof ApiException e && e.isAboutObject();
        if (ofOneObject || failure instanceof LeadershipLostException || failure instanceof ConflictException) {
            return;
        }
        long now = platform.nanos();
        kinds.compute(resource, (_, before) -> {
            boolean goesOn = before != null && !isOver(before, now);
            return new Failing(goesOn ? before.since() : begun, now, String.valueOf(failure.getMessage()));
        });
    }

    /** The server has taken a write, or has refused this very one. */
    void succeeded(Resource resource) {
        if (!kinds.isEmpty()) {
            kinds.remove(resource);
        }
        int over = waits.succeeded();
        if (over > TOLD_BY_THEMSELVES) {
            log.info("Objects are written again, after {} writes that failed.", over);
        }
    }

    /** What cannot be written, and why, for people; empty if nothing is in the way. */
    public List<String> troubles() {
        long now = platform.nanos();
        return kinds.entrySet().stream()
                .filter(each -> now - each.getValue().since() >= TOLD_AFTER.toNanos())
                .filter(each -> !isOver(each.getValue(), now))
                .map(each -> "%s cannot be written for %s s: %s"
                        .formatted(
                                each.getKey(),
                                Duration.ofNanos(now - each.getValue().since()).toSeconds(),
                                each.getValue().message()))
                .sorted()
                .toList();
    }

    private static boolean isOver(Failing failing, long now) {
        return now - failing.last() > FORGOTTEN_AFTER.toNanos();
    }
}
