package dev.kopf4j.persistence.conventions;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Hears of stored state that cannot be read, most likely because it was edited by hand. Thread-safe. */
public interface UnreadableStateListener {
    /** Writes a warning to the log. */
    UnreadableStateListener LOGGED = new UnreadableStateListener() {
        private static final Logger LOG = LoggerFactory.getLogger("kopf4j.objects");

        @Override
        public void foundUnreadable(JsonNode body, String place, String problem) {
            LOG.atWarn()
                    .addKeyValue("object", ObjectTitle.of(body))
                    .log(
                            "Stored state in {} of {} cannot be read, and is ignored: {}",
                            place,
                            ObjectTitle.of(body),
                            problem);
        }
    };

    /** Says what is wrong, on which object, and in which annotation or field. */
    void foundUnreadable(JsonNode body, String place, String problem);
}
