import dev.kopf4j.*;
import org.slf4j.Logger;

class Example {
    @OnCreate("kopfexamples")
    void createFn(Logger logger) {
        logger.info("Something was logged here.");
    }
}
