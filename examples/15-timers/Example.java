import dev.kopf4j.*;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;

class Example {
    @OnTimer(value = "kopfexamples", interval = "3s") // from the end of a call to the start of the next
    void every3s(Spec spec, Logger logger) {
        logger.info("Ping from the timer, the field is {}", spec.getString("field", "(none)"));
    }

    @OnTimer(value = "kopfexamples", interval = "10s", sharp = true, idle = "5s") // not while the object is changing
    Map<String, Object> settled(Logger logger, Instant started) {
        logger.info("Nobody has changed the object for 5 seconds");
        return Map.of("checked", started.toString()); // stored in status.settled
    }

    @OnTimer(value = "kopfexamples", initialDelay = "2s") // no interval: once
    void once(Logger logger) {
        logger.info("Called once");
    }
}
