import dev.kopf4j.OnCreate;
import dev.kopf4j.OnField;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Spec;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;

/**
 * Does what most operators do, and stops: bin/kopf4j runs it once, to see which classes are worth storing, and which
 * methods are worth compiling early.
 */
class WarmUp {
    private static final AtomicInteger LEFT = new AtomicInteger(Integer.getInteger("warm-up.objects", 1));

    record Size(int size) {}

    static {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(1_200_000); // longer than bin/kopf4j lets it go on
                Runtime.getRuntime().halt(1); // something hangs, and nobody is there to see it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @OnCreate("warmups")
    Map<String, Integer> created(Size spec, String name, Logger logger) {
        if (spec.size() < 0) {
            throw new PermanentException("spec.size must not be negative: " + spec.size());
        }
        logger.info("{} is there.", name);
        return Map.of("size", spec.size());
    }

    @OnField(value = "warmups", field = "spec.size")
    void resized(Integer newValue, Spec spec, Logger logger) {
        logger.info("The size is {} of {}.", newValue, spec);
        if (LEFT.decrementAndGet() == 0) {
            sun.misc.Signal.raise(new sun.misc.Signal("TERM"));
        }
    }
}
