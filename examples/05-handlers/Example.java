import dev.kopf4j.*;
import org.slf4j.Logger;

class Example {
    @OnResume("kopfexamples")
    void resumeFn(Logger logger) {
        logger.info("RESUMED: it was there, and handled, before the operator has started");
    }

    @OnCreate("kopfexamples")
    @OnResume("kopfexamples") // combined: called once for each object and run of the operator
    void appearFn(Reason reason, Logger logger) {
        logger.info("APPEARED, reason {}", reason);
    }

    @OnCreate("kopfexamples")
    void createFn(Spec spec, Logger logger) {
        logger.info("CREATED with the field {}", spec.getString("field", "(none)"));
    }

    @OnUpdate("kopfexamples")
    void updateFn(Diff diff, Logger logger) {
        diff.forEach(item -> logger.info(
                "UPDATED {} of {} from {} to {}",
                item.op(),
                String.join(".", item.field()),
                item.oldValue(),
                item.newValue()));
    }

    @OnField(value = "kopfexamples", field = "spec.field")
    void fieldFn(Object oldValue, Object newValue, Logger logger) {
        logger.info("FIELD changed from {} to {}", oldValue, newValue);
    }

    @OnDelete("kopfexamples") // holds the object back until it has succeeded
    void deleteFn(Logger logger) {
        logger.info("DELETED");
    }
}
