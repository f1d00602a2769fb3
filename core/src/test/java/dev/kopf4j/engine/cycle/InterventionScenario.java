package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.simulation.Scenario;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** An object and its operator, of which people ask something by annotations. */
abstract class InterventionScenario {
    static final String PREFIX = "kopf.zalando.org/";

    final Scenario story = new Scenario();

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
