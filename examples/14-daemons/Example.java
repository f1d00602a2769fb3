import dev.kopf4j.*;
import java.time.Duration;
import org.slf4j.Logger;

class Example {
    @OnDaemon("kopfexamples") // one for each object, until it is deleted
    void watch(Stopped stopped, Spec spec, Logger logger) throws InterruptedException {
        while (!stopped.await(Duration.ofSeconds(5))) {
            logger.info("=> the field is {}", spec.getString("field", "(none)")); // always the newest state
        }
        logger.info("=> stopped, because of {}", stopped.reasons());
    }

    @OnDaemon(value = "kopfexamples", backoff = "3s", retries = 10)
    void accompany(Stopped stopped, Patch patch, int retry) throws InterruptedException {
        if (retry < 3) {
            patch.status().set("message", "Failed " + (retry + 1) + " times."); // written when the attempt ends
            throw new TemporaryException("Not there yet, attempt " + (retry + 1) + ".", Duration.ofSeconds(1));
        }
        if (!stopped.await(Duration.ofSeconds(30))) {
            patch.status().set("message", "Accompanying is finished."); // its own end: it is not started again
        }
    }

    @OnDaemon(
            value = "kopfexamples",
            annotations = "someannotation=somevalue", // ends, too, when the annotation goes
            cancellationBackoff = "0.5s",
            cancellationTimeout = "3s")
    void stubborn(Logger logger) throws InterruptedException {
        try {
            Thread.sleep(1_000_000); // knows nothing of stopping: it is interrupted, after the backoff
        } catch (InterruptedException e) {
            logger.info("=> interrupted, leaving");
            throw e;
        }
    }
}
