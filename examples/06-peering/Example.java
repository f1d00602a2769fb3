import dev.kopf4j.*;
import org.slf4j.Logger;

class Example {
    @OnStartup
    void configure(OperatorSettings settings) {
        settings.peering().mandatory(true).lifetime(java.time.Duration.ofSeconds(10));
    }

    @OnCreate("kopfexamples")
    @OnUpdate("kopfexamples")
    void handle(Reason reason, Logger logger) {
        logger.info("This operator handles the {}.", reason.word());
    }
}
