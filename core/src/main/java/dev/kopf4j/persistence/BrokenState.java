package dev.kopf4j.persistence;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Hears of stored state that cannot be read, most likely because it was edited by hand. Thread-safe. */
interface BrokenState {
    /** Writes a warning to the log. */
    BrokenState LOGGED = new BrokenState() {
        private static final Logger LOG = LoggerFactory.getLogger("kopf4j.objects");

        @Override
        public void found(JsonNode body, String place, String problem) {
            LOG.atWarn()
                    .addKeyValue("object", ObjectText.of(body))
                    .log(
                            "Stored state in {} of {} cannot be read, and is ignored: {}",
                            place,
                            ObjectText.of(body),
                            problem);
        }
    };

    /** Says what is wrong, on which object, and in which annotation or field. */
    void found(JsonNode body, String place, String problem);
}
