import dev.kopf4j.*;
import org.slf4j.Logger;

class Example {
    @OnEvent("kopfexamples")
    void eventFn(HandlerContext context, Logger logger) {
        logger.info("Event received: {} of {}", context.eventType().orElse("(listed)"), context.body().toJson());
    }

    @OnEvent("kopfexamples")
    void eventFnWithError() {
        throw new IllegalStateException("Oops! It is logged, and nothing else: raw events are not retried.");
    }
}
