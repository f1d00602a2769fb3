package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerCall;
import dev.kopf4j.HandlerKind;
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
import dev.kopf4j.engine.queueing.ObjectReport;
import dev.kopf4j.engine.queueing.ObjectReport.Activity;
import dev.kopf4j.engine.queueing.ObjectReport.Backlog;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
        return view(told).snapshot(ConsoleQuery.of(query, ""));
    }

    private OperatorView view(Told told) {
        OperatorView view = new OperatorView(
                platform,
                List.of(),
                new OperatorSettings(),
                new HandlerRegistry(List.of()),
                new IndexSet(List.of()),
                new RecentFigures(platform),
                noted);
        view.watch(told);
        return view;
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
                WellKnownResources.LEASES,
                null,
                true,
                paused,
                streamTrouble.isEmpty() ? null : streamTrouble,
                Duration.ofSeconds(silence),
                0);
        OperatorState state =
                new OperatorState(begun, trouble.isEmpty() ? List.of() : List.of(trouble), List.of(), List.of(stream));
        JsonNode operator = snapshot(new Told(state, List.of()), "").path("operator");
        assertThat(operator.path("ready").asBoolean()).isEqualTo(ready);
        assertThat(operator.path("begun").asBoolean()).isEqualTo(begun);
    }

    private static StreamReport stream(List<ObjectReport> objects) {
        StreamState state = new StreamState(WellKnownResources.LEASES, null, true, false, null, Duration.ZERO, 0);
        return new StreamReport(WellKnownResources.LEASES, null, state, objects);
    }

    /** All states in which an object can be: each activity, of objects that are well, that fail and that are paused. */
    private List<ObjectReport> oneOfEach() {
        List<ObjectReport> objects = new ArrayList<>();
        for (Activity activity : Activity.values()) {
            for (String how : List.of("well", "failed", "retried", "paused", "refused")) {
                String name = activity + "-" + how;
                ObjectReference reference =
                        new ObjectReference("coordination.k8s.io/v1", "Lease", name, "uid-" + name, "ns");
                objects.add(new ObjectReport(
                        reference,
                        "uid-" + name,
                        activity,
                        new Backlog(0, 0),
                        Deadline.NEVER,
                        new ObjectReport.Remembered(how.equals("failed"), how.equals("refused"), false)));
                if (how.equals("paused")) {
                    noted.happened(new OperatorStep.HandlingPaused(WellKnownResources.LEASES, reference, true));
                }
                if (how.equals("retried")) {
                    noted.happened(new OperatorStep.CallEnded(
                            HandlerKind.CREATE,
                            NotedObjectsTest.context("", "uid-" + name),
                            HandlerCall.Outcome.TEMPORARY,
                            Duration.ZERO,
                            null,
                            null));
                }
            }
        }
        return objects;
    }

    @ParameterizedTest
    @CsvSource({
        "failing, failing",
        "paused, paused",
        "working, working",
        "queued, queued blocked",
        "waiting, waiting",
        "resting, resting",
        "throttled, throttled"
    })
    void aNumberChoosesTheObjectsThatItCounts(String state, String counts) {
        Told told = new Told(OperatorState.STARTING, List.of(stream(oneOfEach())));
        JsonNode kind = snapshot(told, "").path("kinds").path(0);
        int counted = Stream.of(counts.split(" ", -1))
                .mapToInt(count -> kind.path(count).asInt())
                .sum();
        assertThat(counted).isPositive();
        assertThat(snapshot(told, "state=" + state).path("matching").asInt()).isEqualTo(counted);
    }

    /** It is tried again, as what a handler asks to be. */
    @Test
    void anObjectFailsWhoseChildrenAreRefused() {
        Told told = new Told(OperatorState.STARTING, List.of(stream(oneOfEach())));
        JsonNode found = snapshot(told, "state=failing&q=waiting-refused").path("objects");
        assertThat(found.values())
                .singleElement()
                .satisfies(each -> assertThat(each.path("state").asString("")).isEqualTo("retrying"));
    }

    /** Names of roles may have them. */
    @ParameterizedTest
    @CsvSource({"RESTING-w, 1", "resting-W, 1", "resting, 5", "NS, 30", "Ns/Resting-Well, 1", "estingw, 0"})
    void namesAreFoundWhateverTheirCapitalLetters(String text, int count) {
        Told told = new Told(OperatorState.STARTING, List.of(stream(oneOfEach())));
        assertThat(snapshot(told, "q=" + text).path("matching").asInt()).isEqualTo(count);
    }

    /** A page that takes it for gone forgets its history. */
    @ParameterizedTest
    @CsvSource({
        "false, '',                   true,  false, ,                503",
        "true,  '',                   true,  false, ,                404",
        "true,  '',                   false, false, ,                503",
        "true,  '',                   false, false, refused once,     503",
        "true,  '',                   false, true,  ,                404",
        "false, another operator acts, false, true, ,                404"
    })
    void whatIsNotKnownYetIsNotGone(
            boolean ready, String pause, boolean listed, boolean paused, @Nullable String trouble, int status)
            throws InterruptedException {
        StreamState stream =
                new StreamState(WellKnownResources.LEASES, null, listed, paused, trouble, Duration.ZERO, 0);
        OperatorState state =
                new OperatorState(ready, List.of(), pause.isEmpty() ? List.of() : List.of(pause), List.of(stream));
        assertThat(view(new Told(state, List.of()))
                        .object(ConsoleQuery.of("uid=a", ""))
                        .status())
                .isEqualTo(status);
    }

    @Test
    void theStateThatIsShownChoosesToo() {
        Told told = new Told(OperatorState.STARTING, List.of(stream(oneOfEach())));
        JsonNode chosen = snapshot(told, "state=retrying");
        assertThat(chosen.path("matching").asInt()).isPositive();
        assertThat(chosen.path("objects").values())
                .allSatisfy(each -> assertThat(each.path("state").asString("")).isEqualTo("retrying"));
    }
}
