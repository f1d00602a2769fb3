import dev.kopf4j.*;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** All the ways to say which objects a handler is for. */
class Example {
    @OnCreate(value = "kopfexamples", labels = "somelabel=somevalue")
    void createWithLabelsMatching(Logger logger) {
        logger.info("Label is matching.");
    }

    @OnCreate(value = "kopfexamples", labels = "somelabel")
    void createWithLabelsPresent(Logger logger) {
        logger.info("Label is present.");
    }

    @OnCreate(value = "kopfexamples", labels = "!nonexistent")
    void createWithLabelsAbsent(Logger logger) {
        logger.info("Label is absent.");
    }

    @OnCreate(value = "kopfexamples", labelWhen = "somelabel=sayYes")
    void createWithLabelsCallbackMatching(Logger logger) {
        logger.info("Label callback is matching.");
    }

    @OnCreate(value = "kopfexamples", annotations = "someannotation=somevalue")
    void createWithAnnotationsMatching(Logger logger) {
        logger.info("Annotation is matching.");
    }

    @OnCreate(value = "kopfexamples", annotations = "someannotation")
    void createWithAnnotationsPresent(Logger logger) {
        logger.info("Annotation is present.");
    }

    @OnCreate(value = "kopfexamples", annotations = "!nonexistent")
    void createWithAnnotationsAbsent(Logger logger) {
        logger.info("Annotation is absent.");
    }

    @OnCreate(value = "kopfexamples", annotationWhen = "someannotation=sayNo")
    void createWithAnnotationsCallbackMismatching(Logger logger) {
        logger.info("Annotation callback is matching, which it is not.");
    }

    @OnCreate(value = "kopfexamples", when = "hasItems")
    void createWithFilterSatisfied(Logger logger) {
        logger.info("Filter is satisfied.");
    }

    @OnCreate(value = "kopfexamples", when = {"hasItems", "isNamedOtherwise"}) // both must hold
    void createWithFilterNotSatisfied(Logger logger) {
        logger.info("Filter is satisfied, which it is not.");
    }

    @OnCreate(value = "kopfexamples", field = "spec.field", fieldValue = "value")
    void createWithFieldValueSatisfied(Logger logger) {
        logger.info("Field value is satisfied.");
    }

    @OnCreate(value = "kopfexamples", field = "spec.field", fieldValue = "something-else")
    void createWithFieldValueNotSatisfied(Logger logger) {
        logger.info("Field value is satisfied, which it is not.");
    }

    @OnCreate(value = "kopfexamples", field = "spec.field", fieldValue = Filter.PRESENT)
    void createWithFieldPresenceSatisfied(Logger logger) {
        logger.info("Field presence is satisfied.");
    }

    @OnCreate(value = "kopfexamples", field = "spec.inexistent", fieldValue = Filter.PRESENT)
    void createWithFieldPresenceNotSatisfied(Logger logger) {
        logger.info("Field presence is satisfied, which it is not.");
    }

    @OnUpdate(value = "kopfexamples", field = "spec.field", oldValue = "value", newValue = "changed")
    void updateWithFieldChangeSatisfied(Logger logger) {
        logger.info("Field change is satisfied.");
    }

    @OnDaemon(value = "kopfexamples", field = "spec.field", fieldValue = "value") // ends when the field changes
    void daemonWithField(Stopped stopped, Logger logger) throws InterruptedException {
        do {
            logger.info("Field daemon is satisfied.");
        } while (!stopped.await(Duration.ofSeconds(1)));
        logger.info("Field daemon is stopped: {}", stopped.reasons());
    }

    boolean sayYes(@Nullable String value, Spec spec) {
        return "somevalue".equals(value) && spec.has("field");
    }

    boolean sayNo(@Nullable String value, Spec spec) {
        return "somevalue".equals(value) && spec.getString("field", "").equals("not-this-value-for-sure");
    }

    boolean hasItems(Spec spec) {
        return !spec.getList("items").isEmpty();
    }

    boolean isNamedOtherwise(String name) {
        return !name.startsWith("kopf-example");
    }
}
