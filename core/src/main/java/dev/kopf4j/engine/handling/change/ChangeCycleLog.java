package dev.kopf4j.engine.handling.change;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.progress.SupersededHandling;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Logs how a change is handled, in the words of Kopf.
 *
 * @param logger the logger of the object
 * @param reason why it is handled
 */
record ChangeCycleLog(Logger logger, Reason reason) {
    void superseded(SupersededHandling other) {
        logger.info("{} is superseded by {}: {}.", capitalised(title(other.reason())), title(reason), other.counts());
    }

    void inProgress(ResourceObject resourceObject, Change change) {
        if (!logger.isDebugEnabled()) {
            return;
        }
        String title = capitalised(title(reason));
        logger.debug("{} is in progress: {}", title, resourceObject.body());
        if (change.oldEssence() != null && !change.diff().isEmpty()) {
            logger.debug("{} diff: {}", title, change.diff());
        }
    }

    void processed(ProgressState state) {
        if (logger.isInfoEnabled()) {
            logger.info(
                    "{} is processed: {} succeeded; {} failed.",
                    capitalised(title(reason)),
                    state.succeeded(),
                    state.failed());
        }
    }

    void rerun(Set<String> handlers) {
        logger.debug("The object has changed since {} were called: its newest state is handled next.", handlers);
    }

    static String title(Reason reason) {
        return switch (reason) {
            case CREATE -> "creation";
            case UPDATE -> "updating";
            case DELETE -> "deletion";
            case RESUME -> "resuming";
            case NOOP -> "noop";
            case FREE -> "releasing";
            case GONE -> "vanishing";
        };
    }

    private static String capitalised(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
