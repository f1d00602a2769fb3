package dev.kopf4j.engine.cycle;

import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cycle.OutgoingPatch.StateDroppedException;
import dev.kopf4j.engine.cycle.PatchSender.StaleVersionException;
import dev.kopf4j.runtime.FailureSums.Telling;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;

/**
 * Holds an object back after unexpected errors of the framework, longer each time, so that it holds up nobody else.
 * Thread-safe; each object's memory is confined to its worker.
 *
 * @param delays after the first error in a row, the second one, and so on; the last one, if there is one, holds for all
 *     further ones
 * @param writes knows how it is told what meets many objects at the same time
 */
record ObjectThrottling(Iterable<Duration> delays, FailingWrites writes) {
    private static final Duration CONFLICT = Duration.ofSeconds(1);
    private static final Duration OUTAGE = Duration.ofSeconds(5);

    private static final String OF_WEBHOOK =
            ". If the webhook is the operator's own, let it ask about changes of the spec only (matchConditions): it refuses"
                    + " what the operator writes, too";

    /** How servers name the root of an object that a rule refuses, by the rule's reason. */
    private static final List<String> REFUSED_AS_A_WHOLE = List.of(
            "<nil>: Invalid value: \"object\"",
            "<nil>: Forbidden: ",
            "<nil>: Required value: ",
            "<nil>: Duplicate value: \"object\"");

    private static final String OF_RULE =
            ". The rule is one of the whole object, which each write changes, so the server asks it even when a finalizer is"
                    + " taken off: mend the object (kubectl edit), and let the definition have the rule at the field that it"
                    + " is for, such as the spec";

    /** The cycle has failed: counts the error, logs it, and says how long the object waits. */
    Duration begin(ObjectMemory memory, ResourceObject object, Throwable failed) {
        Throwable error = Platform.tellable(failed);
        Duration delay = at(memory.errorsInRow(), Duration.ZERO);
        if (!delay.isZero()) {
            memory.countError();
        }
        // A refusal says all by its message: where in the framework it was met helps nobody, object by object.
        Logger logger = object.localLogger();
        if (error instanceof ClientException failure) {
            tell(logger, failure, line -> logger.error(Platform.UNEXPECTED, line), throttled(delay, failure));
        } else if (saysAll(error)) {
            logger.error(Platform.UNEXPECTED, throttled(delay, error));
        } else {
            logger.error(Platform.UNEXPECTED, throttled(delay, error), error);
        }
        return delay;
    }

    private static String throttled(Duration delay, Throwable error) {
        return "K4-020: Throttling for " + delay.toSeconds() + " seconds due to an unexpected error: "
                + (saysAll(error) ? error.getMessage() : error)
                + wayOut(String.valueOf(error.getMessage()));
    }

    private static boolean saysAll(Throwable error) {
        return error instanceof ClientException
                || error instanceof StateDroppedException
                || error instanceof StaleVersionException;
    }

    private static String wayOut(String message) {
        if (message.contains("admission webhook")) {
            return OF_WEBHOOK;
        }
        return REFUSED_AS_A_WHOLE.stream().anyMatch(message::contains) ? OF_RULE : "";
    }

    /** What may meet all objects alike is told of the first ones, then in sums; what the server says of one, always. */
    private void tell(Logger logger, ClientException failure, Consumer<String> log, String line) {
        Telling telling = failure.mayMeetAll() ? writes.waits().failed() : new Telling.ByItself();
        switch (telling) {
            case Telling.ByItself() -> log.accept(line);
            case Telling.InSum(int times, Duration within) ->
                log.accept("K4-025: " + times + " more times within " + DurationText.format(within)
                        + ", an object could not be written, and waits; now this one: " + line);
            case Telling.Later() -> logger.debug(line);
        }
    }

    /**
     * The server could not be reached, or has refused everybody: that does not count against the object. Says how long
     * it waits: the same each time, so that all objects go on soon after the outage, and not all in the same moment.
     */
    Duration awaitServer(ResourceObject object, ClientException failure, RandomGenerator random) {
        Duration delay = OUTAGE.plusMillis(random.nextLong(OUTAGE.toMillis()));
        Logger logger = object.localLogger();
        String line = "The object waits for the API server, and goes on " + delay.toSeconds()
                + " seconds from now at the earliest: " + failure.getMessage();
        tell(logger, failure, logger::warn, line);
        return delay;
    }

    /** The cycle has ended well. */
    void end(ObjectMemory memory, ResourceObject object) {
        if (memory.errorsInRow() > 0) {
            memory.forgetErrors();
            object.localLogger().info("Throttling is over. Switching back to normal operations.");
        }
    }

    /** The pause before a change that conflicted is tried again, by the number of earlier conflicts; never none. */
    Duration delayAfterConflict(int earlier) {
        Duration delay = at(earlier, CONFLICT);
        return delay.isZero() ? CONFLICT : delay;
    }

    private Duration at(int step, Duration otherwise) {
        Duration delay = otherwise;
        Iterator<Duration> iterator = delays.iterator();
        for (int i = 0; i <= step && iterator.hasNext(); i++) {
            delay = iterator.next();
        }
        return delay;
    }
}
