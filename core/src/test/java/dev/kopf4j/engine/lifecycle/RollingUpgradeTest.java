package dev.kopf4j.engine.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * An upgrade as the operators of databases do it with Kopf: the handler of the update takes a hash of the difference as
 * the name of the operation, and declares steps as sub-handlers. Each step waits until the one before it has succeeded
 * in the same operation, by its result in the status, and believes its record in the annotations: if that says that it
 * has not succeeded, the upgrade is rolled back. The restart deletes one pod at a time and waits for it. Meanwhile
 * another handler of the same update annotates the object, by which the difference grows.
 */
@Tag("C26")
@Tag("C34")
class RollingUpgradeTest {
    private final Scenario story = new Scenario();
    private final Map<String, String> pods = new TreeMap<>();
    private final List<String> steps = new ArrayList<>();
    private String image = "a";

    @AfterEach
    void end() {
        story.close();
    }

    /** The server, as far as the steps see it: a deleted pod comes back with the present image after a while. */
    private void restart(String pod) {
        pods.remove(pod);
        story.world.machine("kubelet").spawn("restart of " + pod, () -> {
            try {
                story.world.sleep(Duration.ofSeconds(17));
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a kubelet", e);
            }
            pods.put(pod, image);
        });
    }

    @FunctionalInterface
    private interface Step {
        void run(HandlerContext context);
    }

    private void add(HandlerContext parent, String operation, String name, @Nullable String before, Step step) {
        parent.subHandlers().add(name, context -> {
            if (before != null) {
                awaitSuccess(context, operation, before);
            }
            steps.add(name);
            step.run(context);
            return Map.of("operation", operation, "success", true);
        });
    }

    private static void awaitSuccess(HandlerContext context, String operation, String before) {
        Map<String, Object> result = context.status().getMap("upgrade/" + before);
        if (!operation.equals(result.get("operation"))) {
            throw new TemporaryException("Waiting for " + before + " of " + operation, Duration.ofSeconds(5));
        }
        ObjectNode record = Json.parseObject(context.annotations()
                .getOrDefault("kopf.zalando.org/upgrade." + before, "{}")
                .getBytes(UTF_8));
        if (!record.path("success").asBoolean(false)) {
            throw new PermanentException("rolled back, as " + before + " has failed: " + record);
        }
    }

    private @Nullable Object upgrade(HandlerContext context) {
        String operation = Integer.toHexString(context.diff().toString().hashCode());
        context.patch().status().set("operation", operation);
        add(context, operation, "prepare", null, step -> step.patch().status().set("backups", "suspended"));
        add(context, operation, "image", "prepare", step -> image = step.spec().getString("field", ""));
        add(context, operation, "restart", "image", this::restartOneByOne);
        add(
                context,
                operation,
                "finish",
                "restart",
                step -> step.patch().status().set("backups", "enabled"));
        return null;
    }

    private void restartOneByOne(HandlerContext context) {
        if (pods.size() == 3) {
            pods.entrySet().stream()
                    .filter(pod -> !pod.getValue().equals(image))
                    .findFirst()
                    .ifPresent(pod -> restart(pod.getKey()));
        }
        if (pods.size() < 3) {
            context.patch().status().set("waiting", 3 - pods.size());
            throw new TemporaryException("Waiting for the pods", Duration.ofSeconds(10));
        }
    }

    private OperatorBuilder operator(OperatorBuilder builder, HandlerLifecycle lifecycle) {
        return builder.settings(settings -> settings.execution().lifecycle(lifecycle))
                .onUpdate("kex", "service", context -> {
                    context.patch().annotation("example.com/service", "restarted");
                    return null;
                })
                .onUpdate("kex", "upgrade", this::upgrade);
    }

    @ParameterizedTest
    @EnumSource(
            value = HandlerLifecycle.BuiltIn.class,
            names = {"ASAP", "IN_ORDER"})
    void comesToItsEnd(HandlerLifecycle lifecycle) {
        pods.putAll(Map.of("pod-0", "a", "pod-1", "a", "pod-2", "a"));
        story.server.create(Scenario.handled());
        story.start(builder -> operator(builder, lifecycle));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(pods).isEqualTo(Map.of("pod-0", "b", "pod-1", "b", "pod-2", "b"));
        assertThat(steps).startsWith("prepare", "image", "restart").endsWith("restart", "finish");
        assertThat(story.at("/status/backups").asString()).isEqualTo("enabled");
        assertThat(story.infos())
                .filteredOn(line -> line.contains("is processed"))
                .as("the annotation is a part of the change that was handled")
                .containsExactly("info: Updating is processed: 2 succeeded; 0 failed.");
    }
}
