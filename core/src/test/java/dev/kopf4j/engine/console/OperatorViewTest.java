package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.console.ConsoleServer.ConsoleQuery;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.orchestration.Orchestrator.StreamReport;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the console tells of an operator that says how it is doing. */
class OperatorViewTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final NotedObjects noted = new NotedObjects(platform);

    /** An operator that tells what the test says. */
    private record Told(OperatorState state, List<StreamReport> reports) implements RunningEngine {
        @Override
        public Optional<ObjectNode> recall(String uid) {
            return Optional.empty();
        }

        @Override
        public List<LiveChild> children(String uid) {
            return List.of();
        }

        @Override
        public Optional<ObjectNode> read(Resource resource, @Nullable String namespace, String name) {
            return Optional.empty();
        }
    }

    private JsonNode snapshot(Told told, String query) {
        OperatorView view = new OperatorView(
                platform,
                List.of(),
                new OperatorSettings(),
                new HandlerRegistry(List.of()),
                new IndexSet(List.of()),
                new RecentFigures(platform),
                noted);
        view.watch(told);
        return view.snapshot(ConsoleQuery.of(query));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false | ''      | false | ''        |   1 | false
            true  | ''      | false | ''        |   1 | true
            true  | no room | false | ''        |   1 | false
            true  | ''      | false | forbidden |   1 | false
            true  | ''      | false | ''        | 900 | false
            true  | ''      | true  | forbidden | 900 | true
            """)
    void readyIsWhatThePageOfReadinessSays(
            boolean begun, String trouble, boolean paused, String streamTrouble, int silence, boolean ready) {
        StreamState stream = new StreamState(
                "leases",
                true,
                paused,
                streamTrouble.isEmpty() ? null : streamTrouble,
                Duration.ofSeconds(silence),
                0);
        OperatorState state = new OperatorState(
                begun, trouble.isEmpty() ? List.of() : List.of(trouble), List.of(), List.of(stream));
        JsonNode operator = snapshot(new Told(state, List.of()), "").path("operator");
        assertThat(operator.path("ready").asBoolean()).isEqualTo(ready);
        assertThat(operator.path("begun").asBoolean()).isEqualTo(begun);
    }
//COUNTS
}
