package dev.kopf4j.engine.orchestration;

import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.runtime.ActionSchedule;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once a minute while handlers wait for the indices, so that they do not wait silently for ever. Thread-safe.
 *
 * @param gate holds the handlers back
 * @param actionSchedule runs the warning when it is due
 */
record IndexReadinessWarning(IndexReadinessGate gate, ActionSchedule actionSchedule) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.reactor");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Begins to warn, in a minute. */
    void begin() {
        actionSchedule.after(PATIENCE, this::warn);
    }

    private void warn() {
        List<String> blockers = gate.blockers();
        if (!blockers.isEmpty()) {
            log.warn(
                    "No handlers are called yet: they wait until the objects of all indices are listed and indexed. Still to"
                            + " come: {}. If a list fails, its reason was logged; an index function that hangs needs a timeout.",
                    String.join(", ", blockers));
        }
        begin();
    }
}
