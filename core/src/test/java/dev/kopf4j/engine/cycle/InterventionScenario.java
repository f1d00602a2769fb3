package dev.kopf4j.engine.cycle;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** An object and its operator, of which people ask something by annotations. */
abstract class InterventionScenario {
    static final String PREFIX = "kopf.zalando.org/";

    final Scenario story = new Scenario();

    final AtomicBoolean broken = new AtomicBoolean(true);

    @AfterEach
    void end() {
        story.close();
    }

    void annotate(String name, @Nullable String value) {
        story.server.annotate("x", PREFIX + name, value);
        story.rest();
    }

    String annotation(String name) {
        return story.server
                .object("x")
                .path("metadata")
                .path("annotations")
                .path(PREFIX + name)
                .asString("");
    }

    OperatorBuilder all(OperatorBuilder builder) {
        return builder.onEvent("kex", "ev", story.noting("event"))
                .onCreate("kex", "cre", story.noting("create"))
                .onUpdate(
                        "kex",
                        "upd",
                        story.saying(context -> "update " + context.diff().items()))
                .onDelete("kex", "del", story.noting("delete"))
                .onTimer("kex", "tick", options -> options.interval(Duration.ofSeconds(10)), story.noting("tick"));
    }

    List<String> callsWithoutEvents() {
        return story.calls.stream().filter(call -> !call.equals("event")).toList();
    }

    void edit(String field, String value) {
        story.server.change("x", field, value);
        story.rest();
    }

    List<String> called() {
        List<String> all = List.copyOf(story.calls);
        story.calls.clear();
        return all;
    }
}
