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

    @OnDaemon(value = "kopfexamples", initialDelay = "2s", cancellationBackoff = "1s", cancellationTimeout = "3s")
    void stubborn(Logger logger) throws InterruptedException {
        try {
            Thread.sleep(1_000_000); // knows nothing of stopping: it is interrupted, after the backoff
        } catch (InterruptedException e) {
            logger.info("=> interrupted, leaving");
            throw e;
        }
    }

    @OnDaemon(value = "kopfexamples", backoff = "3s", retries = 10)
    String restarting(int retry) {
        if (retry < 3) {
            throw new TemporaryException("not there yet, attempt " + retry, Duration.ofSeconds(1));
        }
        return "attempt " + retry; // its own end: it is not started again; stored in status.restarting
    }
}
