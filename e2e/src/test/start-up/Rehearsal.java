import dev.kopf4j.*;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.PrinterColumn;
import dev.kopf4j.crd.Schema;
import dev.kopf4j.webhook.WebhookServer;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Does what the programs of the tests do, and stops: the build runs it once, to see which classes their start-up cache
 * is to hold. Of the classes of webhooks, conversions and CEL there are some three thousand, which take a second of the
 * processor where they are read from jars.
 */
class Rehearsal {
    private static final Set<String> DONE = ConcurrentHashMap.newKeySet();
    private static final Set<String> ALL = Set.of("handled", "child", "review", "conversion");

    @CustomResource(
            group = "kopf4j.dev",
            version = "v1",
            columns = @PrinterColumn(name = "Size", path = ".spec.size"))
    record Rehearsed(RehearsedSpec spec) {}

    record RehearsedSpec(@Schema(minimum = 0, defaultValue = "1") int size, String text, List<String> items) {}

    record Sized(Integer size) {}

    record Wide(Integer width) {}

    static {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(1_200_000);
                System.err.println("only this was rehearsed: " + DONE);
                Runtime.getRuntime().halt(1); // something hangs, and nobody is there to see it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void done(String part) {
        if (DONE.add(part) && DONE.containsAll(ALL) && DONE.add("commands")) {
            Thread.ofPlatform().start(() -> {
                String file = System.getProperty("rehearsal.source");
                String[] cluster = {"--kubeconfig", System.getProperty("rehearsal.kubeconfig")};
                call("crd", file);
                call("manifests", "--image", "registry.example.com/rehearsal:1", file);
                call("why", cluster[0], cluster[1], file, "rehearseds/one");
                call("doctor", cluster[0], cluster[1], file);
                call("pause", cluster[0], cluster[1], "rehearseds/one");
                sun.misc.Signal.raise(new sun.misc.Signal("TERM"));
            });
        }
    }

    /** Calls a command as the program does, but in this process. What it says of this cluster does not matter. */
    private static void call(String... arguments) {
        try {
            Class<?> main = ClassLoader.getSystemClassLoader().loadClass("dev.kopf4j.cli.Main");
            Method commandLine = main.getDeclaredMethod("commandLine", Map.class, String[].class);
            commandLine.setAccessible(true);
            Object line = commandLine.invoke(null, Map.of(), arguments);
            line.getClass().getMethod("execute", String[].class).invoke(line, (Object) arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("the start-up cache is made without `" + String.join(" ", arguments) + "`", e);
        }
    }

    @OnStartup
    void configure(OperatorSettings settings, Logger logger) {
        settings.posting().enabled(true);
        settings.admission().server(WebhookServer.auto());
        settings.admission().managed("rehearsal.kopf4j.dev");
        settings.admission().managedConversions(true);
        logger.info("It begins.");
    }

    @OnCleanup
    void bye(Logger logger) {
        logger.info("That is all.");
    }

    @OnReconcile(children = "configmaps")
    void children(Rehearsed rehearsed, Children children) {
        children.add("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {labels: {kopf4j.dev/rehearsal: child}}
                data: {text: "${spec.text}"}
                """);
    }

    @OnValidate(
            value = "configmaps",
            labels = "kopf4j.dev/rehearsal=child",
            matchConditions = "request.operation == 'CREATE' || object.data != oldObject.data")
    void review(Spec spec, UserInfo user, Warnings warnings) {
        warnings.add("It is looked at.");
        done("review");
    }

    @OnMutate(value = "configmaps", labels = "kopf4j.dev/rehearsal=child", operations = AdmissionOperation.CREATE)
    void mutate(Patch patch) {
        patch.set("data.more", "added");
    }

    @OnConvert(value = "shapes.kopf4j.dev", from = "v1", to = "v2")
    Wide up(Sized spec) {
        return new Wide(spec.size());
    }

    @OnConvert(value = "shapes.kopf4j.dev", from = "v2", to = "v1")
    Sized down(Wide spec) {
        return new Sized(spec.width());
    }

    @OnCreate("shapes.v2.kopf4j.dev")
    void shaped(Spec spec, Patch patch, Logger logger) {
        logger.info("Converted: {}", spec);
        patch.status().set("width", spec.get("width"));
        done("conversion");
    }

    @OnCreate(value = "rehearseds", backoff = "1s")
    Map<String, Integer> retried(int retry, RehearsedSpec spec, Body body) {
        if (retry == 0) {
            throw new TemporaryException("it is rehearsed", Duration.ofMillis(1));
        }
        Kopf.info(body, "Rehearsed", "A retry is over.");
        done("handled");
        return Map.of("size", spec.size());
    }

    @OnField(value = "rehearseds", field = "spec.size")
    void resized(Integer newValue, Spec spec, Conditions conditions, Logger logger) {
        conditions.set("Ready", true, "Rehearsed", newValue + " of " + spec);
    }

    @OnUpdate("rehearseds")
    void updated(Diff diff, Logger logger) {
        logger.info("It has changed: {}", diff);
    }

    @OnResume("rehearseds")
    void resumed(Logger logger) {
        logger.info("It is there still.");
    }

    @OnDelete("rehearseds")
    void deleted(Logger logger) {
        logger.info("It goes.");
    }

    @OnIndex("rehearseds")
    Map<String, Integer> sizes(String name, Rehearsed rehearsed) {
        return Map.of(name, rehearsed.spec().size());
    }

    @OnTimer(value = "rehearseds", interval = "1h")
    void look(Index<String, Integer> sizes, Logger logger) {
        logger.info("There are {}.", sizes.keySet());
    }

    @OnDaemon("rehearseds")
    void accompany(Stopped stopped) throws InterruptedException {
        stopped.await(Duration.ofHours(1));
    }

    @OnEvent(value = "configmaps", labels = "kopf4j.dev/rehearsal=child")
    void seen(String name) {
        done("child");
    }
}
