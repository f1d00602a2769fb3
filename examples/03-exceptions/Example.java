import dev.kopf4j.*;
import java.time.Duration;

/** What exceptions of handlers mean: each handler is tried again, or has failed, without regard to the others. */
class Example {
    @OnCreate("kopfexamples")
    void instantFailureWithOnlyAMessage() {
        throw new PermanentException("Fail once and for all.");
    }

    @OnCreate("kopfexamples")
    void eventualSuccessWithAFewMessages(int retry) {
        if (retry < 3) {
            throw new TemporaryException("It is expected, and will be over soon.", Duration.ofSeconds(1));
        }
    }

    @OnCreate(value = "kopfexamples", retries = 3, backoff = "1s")
    void eventualFailureWithStackTraces() {
        throw new IllegalStateException("Nobody knows whether this will be over: it is tried three times.");
    }

    @OnCreate(value = "kopfexamples", errors = ErrorsMode.PERMANENT)
    void instantFailureWithStackTrace() {
        throw new IllegalStateException("Nobody knows whether this will be over: it is not tried again.");
    }
}
