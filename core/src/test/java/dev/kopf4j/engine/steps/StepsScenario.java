package dev.kopf4j.engine.steps;

import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;

/** One object, whose handlers make steps; in simulated time. */
abstract class StepsScenario {
    static final String PREFIX = "kopf.zalando.org/";

    final Scenario story = new Scenario();
    final AtomicBoolean broken = new AtomicBoolean(true);

    @AfterEach
    void end() {
        story.close();
    }

    record Database(String id, int size) {}

    String call(String what) {
        story.calls.add(what);
        return what + "-1";
    }

    void start(dev.kopf4j.Handler create) {
        story.start(builder -> builder.onCreate("kex", "cre", create));
    }

    void create() {
        story.server.create(Scenario.example());
        story.rest();
    }

    List<String> annotations() {
        List<String> names = new ArrayList<>();
        story.at("/metadata/annotations").propertyNames().forEach(names::add);
        return names;
    }

    JsonNode record(String id) {
        String text = story.at("/metadata/annotations").path(PREFIX + id).asString("");
        return text.isEmpty() ? Json.object() : Json.parse(text);
    }

    static @org.jspecify.annotations.Nullable Object fail(boolean really) {
        if (really) {
            throw new TemporaryException("not yet", Duration.ofSeconds(10));
        }
        return null;
    }

    String slow(String what, int seconds) throws InterruptedException {
        story.world.sleep(Duration.ofSeconds(seconds));
        return call(what);
    }

    String deaf(String what, int seconds) {
        Instant end = story.world.now().plusSeconds(seconds);
        while (story.world.now().isBefore(end)) {
            try {
                story.world.sleep(Duration.between(story.world.now(), end));
            } catch (InterruptedException _) {
                story.calls.add("interrupted");
            }
        }
        return call(what);
    }
}
