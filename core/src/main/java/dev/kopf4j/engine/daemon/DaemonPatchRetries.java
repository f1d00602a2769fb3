package dev.kopf4j.engine.daemon;

import dev.kopf4j.Stopped;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Writes what one attempt of a daemon or timer wants to change, again and again until all of it is written. A failed
 * request is not repeated once the daemon has to stop.
 *
 * @param environment what all daemons share
 * @param object the object to change
 * @param handler who wants it
 * @param stopped tells that the daemon has to stop
 */
record DaemonPatchRetries(
        DaemonEnvironment environment, LiveObject object, RegisteredHandler handler, Stopped stopped) {
    /** Writes the changes, in the current task; failures are logged. */
    void write(PatchContent patch) {
        try {
            PatchContent rest = patch;
            for (int failures = 0; !rest.isEmpty(); failures++) {
                rest = writeOnce(rest, environment.retryDelay().apply(failures));
            }
        } catch (InterruptedException e) {
            logger().warn("The changes that {} has made are not written, as the operator stops.", handler);
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            logger().error("The changes that {} has made are not written: {}", handler, e, e);
        }
    }

    /** Returns what has to be written again. */
    private PatchContent writeOnce(PatchContent patch, Duration pause) throws InterruptedException {
        try {
            DaemonPatchWriter.Written written = environment.writer().write(object.snapshot(), patch);
            object.patched(written.answered());
            if (!written.remaining().isEmpty()) {
                environment.platform().sleep(pause);
            }
            return written.remaining();
        } catch (ClientException e) {
            if (stopped.isSet()) {
                throw e;
            }
            logger().error(
                            "The changes that {} has made are not written, and are tried again in {} seconds: {}",
                            handler,
                            pause.toSeconds(),
                            e.getMessage());
            environment.platform().sleep(pause);
            return patch;
        }
    }

    private Logger logger() {
        return object.live().localLogger();
    }
}
