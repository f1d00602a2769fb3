import dev.kopf4j.*;
import java.util.Map;
import org.slf4j.Logger;

class Example {
    @OnCreate("kopfexamples")
    Object createFn(Spec spec, String name, Logger logger) {
        logger.info("A handler is called for {} with the spec {}", name, spec.toMap());
        return Map.of("message", "Hello, " + name + "!"); // goes to status.createFn
    }
}
