import dev.kopf4j.*;
import java.util.Map;

class Example {
    @OnCreate("kopfexamples")
    void createFn(Body body, Spec spec) {
        Kopf.info("Created", "It takes " + spec.getString("duration", "no time") + ".");
        Kopf.warn("Unfinished", "It was created, but nothing works yet.");
        Kopf.event(body, "Normal", "MyReason", "Of a type, for a reason, about an object of your choice.");
        try {
            throw new IllegalStateException("This was tried in vain.");
        } catch (IllegalStateException e) {
            Kopf.exception(e);
        }
    }

    @OnUpdate("kopfexamples")
    void updateFn(Map<String, String> labels) {
        Kopf.info("Updated", "The labels are " + labels + " now.");
    }
}
