import dev.kopf4j.*;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.crd.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Does what most operators do, and stops: bin/kopf4j runs it once, to see which classes are worth storing, and which
 * methods are worth compiling early. What few objects are enough for is done for the one of the model alone.
 */
class WarmUp {
    private static final int OBJECTS = Integer.getInteger("warm-up.objects", 1);
    private static final Set<String> DONE = ConcurrentHashMap.newKeySet();

    record Size(int size) {}

    /** A definition is made of it. */
    @CustomResource(
            group = "kopf4j.dev",
            version = "v1",
            columns = @PrinterColumn(name = "Size", path = ".spec.size"))
    record Rehearsal(RehearsalSpec spec) {}

    record RehearsalSpec(@Schema(minimum = 0, defaultValue = "1") int size, String text, List<String> items) {}

    static {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(60_000);
                Runtime.getRuntime().halt(1); // something hangs, and nobody is there to see it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void end(String name) {
        if (DONE.add(name) && DONE.size() == OBJECTS + 1) {
            sun.misc.Signal.raise(new sun.misc.Signal("TERM"));
        }
    }

    @OnStartup
    void configure(OperatorSettings settings, Logger logger) {
        settings.posting().enabled(true);
        logger.info("It begins.");
    }

    @OnCleanup
    void bye(Logger logger) {
        logger.info("That is all.");
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
    void resized(Integer newValue, Spec spec, String name, Logger logger) {
        logger.info("The size is {} of {}.", newValue, spec);
        end(name);
    }

    @OnReconcile(children = "configmaps")
    void children(Rehearsal rehearsal, Children children) {
        children.add("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {labels: {kopf4j.dev/rehearsal: child}}
                data: {text: "${spec.text}"}
                """);
    }

    @OnCreate(value = "rehearsals", backoff = "1s")
    void retried(int retry, Body body) {
        if (retry == 0) {
            throw new TemporaryException("it is rehearsed", Duration.ofMillis(1));
        }
        Kopf.info(body, "Rehearsed", "A retry is over.");
    }

    @OnUpdate("rehearsals")
    void updated(Diff diff, Logger logger) {
        logger.info("It has changed: {}", diff);
    }

    @OnResume("rehearsals")
    void resumed(Logger logger) {
        logger.info("It is there still.");
    }

    @OnDelete("rehearsals")
    void deleted(Logger logger) {
        logger.info("It goes.");
    }

    @OnIndex("rehearsals")
    Map<String, Integer> sizes(String name, Rehearsal rehearsal) {
        return Map.of(name, rehearsal.spec().size());
    }

    @OnTimer(value = "rehearsals", interval = "1h")
    void look(Index<String, Integer> sizes, Logger logger) {
        logger.info("There are {}.", sizes.keySet());
    }

    @OnDaemon("rehearsals")
    void accompany(Stopped stopped) throws InterruptedException {
        stopped.await(Duration.ofHours(1));
    }

    @OnEvent(value = "configmaps", labels = "kopf4j.dev/rehearsal=child")
    void seen(String name) {
        end(name + " of the model");
    }
}
