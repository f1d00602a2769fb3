package dev.kopf4j.persistence.conventions;

import dev.kopf4j.object.ObjectReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Is told of stored state that cannot be read, most likely because somebody edited it. Thread-safe. */
public interface UnreadableStateListener {
    /** Writes a warning to the log. */
    UnreadableStateListener LOGGED = new UnreadableStateListener() {
        private static final Logger LOG = LoggerFactory.getLogger("kopf4j.objects");

        @Override
        public void foundUnreadable(JsonNode body, String place, String problem) {
            String object = ObjectReference.of(body).describe();
            LOG.atWarn()
                    .addKeyValue("object", object)
                    .log("Stored state in {} of {} cannot be read, and is ignored: {}", place, object, problem);
        }
    };

    /**
     * State cannot be read.
     *
     * @param body the object
     * @param place the annotation or field
     * @param problem what is wrong
     */
    void foundUnreadable(JsonNode body, String place, String problem);
}
