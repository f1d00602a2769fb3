import dev.kopf4j.*;
import org.slf4j.Logger;

class Example {
    @OnEvent("kopfexamples")
    void eventFn(EventType type, Body body, Logger logger) {
        logger.info("Event received: {} of {}", type == null ? "(listed)" : type, body.toJson());
    }

    @OnEvent("kopfexamples")
    void eventFnWithError() {
        throw new IllegalStateException("Oops! It is logged, and nothing else: raw events are not retried.");
    }
}
