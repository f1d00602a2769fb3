import dev.kopf4j.*;
import org.slf4j.Logger;

/** Several handlers of one kind are called in the order of the source. */
class Example {
    @OnResume("kopfexamples")
    void resumeFn1(Logger logger) {
        logger.info("RESUMED 1st: it was there, and handled, before the operator has started");
    }

    @OnCreate("kopfexamples")
    void createFn1(Spec spec, Logger logger) {
        logger.info("CREATED 1st, with the field {}", spec.getString("field", "(none)"));
    }

    @OnResume("kopfexamples")
    void resumeFn2(Logger logger) {
        logger.info("RESUMED 2nd");
    }

    @OnCreate("kopfexamples")
    void createFn2(Logger logger) {
        logger.info("CREATED 2nd");
    }

    @OnCreate("kopfexamples")
    @OnResume("kopfexamples") // combined: called once for each object and run of the operator
    void appearFn(Reason reason, Logger logger) {
        logger.info("APPEARED, reason {}", reason);
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

    @OnDelete("kopfexamples") // holds the object back until it has succeeded
    void deleteFn1(Logger logger) {
        logger.info("DELETED 1st");
    }

    @OnDelete("kopfexamples")
    void deleteFn2(Logger logger) {
        logger.info("DELETED 2nd");
    }

    @OnField(value = "kopfexamples", field = "spec.field")
    void fieldFn(Object oldValue, Object newValue, Logger logger) {
        logger.info("FIELD changed from {} to {}", oldValue, newValue);
    }
}
