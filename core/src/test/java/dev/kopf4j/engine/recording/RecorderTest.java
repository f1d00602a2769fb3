package dev.kopf4j.engine.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** What is recorded of an operator, in virtual time, and what people read of it. */
class RecorderTest {
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");

    private static final String GOLDEN = """
            2020-01-01 00:00:01.000  event    ADDED, version 101
            2020-01-01 00:00:01.000  cycle    create: the finalizer is added or removed first
            2020-01-01 00:00:01.000  request  PATCH /apis/kopf.dev/v1/namespaces/ns/kopfexamples/x 200 after 0.0 ms: metadata.finalizers
            2020-01-01 00:00:01.000  cycle    ends after 0.0 ms
            2020-01-01 00:00:01.000  event    MODIFIED, version 102
            2020-01-01 00:00:01.000  cycle    create: handlers create
            2020-01-01 00:00:01.000  call     create begins (create)
            2020-01-01 00:00:01.000  call     create asks for a retry after 0.0 ms: TemporaryException: no database yet
            2020-01-01 00:00:01.000  request  PATCH /apis/kopf.dev/v1/namespaces/ns/kopfexamples/x 200 after 0.0 ms: metadata.annotations.kopf.zalando.org/create
            2020-01-01 00:00:01.000  cycle    ends after 0.0 ms; the next one is due at 2020-01-01 00:00:11.000
            2020-01-01 00:00:01.000  event    MODIFIED, version 103
            2020-01-01 00:00:01.000  cycle    create: handlers create
            2020-01-01 00:00:01.000  cycle    ends after 0.0 ms; the next one is due at 2020-01-01 00:00:11.000
            2020-01-01 00:00:11.000  woken    its time has come
            2020-01-01 00:00:11.000  cycle    create: handlers create
            2020-01-01 00:00:11.000  call     create begins, attempt 2 (create)
            2020-01-01 00:00:11.000  call     create succeeded after 0.0 ms
            2020-01-01 00:00:11.000  request  PATCH /apis/kopf.dev/v1/namespaces/ns/kopfexamples/x 200 after 0.0 ms: metadata.annotations.kopf.zalando.org/create, metadata.annotations.kopf.zalando.org/last-handled-configuration
            2020-01-01 00:00:11.000  cycle    ends after 0.0 ms
            2020-01-01 00:00:11.000  event    MODIFIED, version 107, nothing to do
            2020-01-01 00:00:31.000  event    MODIFIED, version 109
            2020-01-01 00:00:31.000  cycle    update of spec.size: handlers update
            2020-01-01 00:00:31.000  call     update begins (update)
            2020-01-01 00:00:31.000  call     update succeeded after 0.0 ms
            2020-01-01 00:00:31.000  request  PATCH /apis/kopf.dev/v1/namespaces/ns/kopfexamples/x 200 after 0.0 ms: metadata.annotations.kopf.zalando.org/last-handled-configuration
            2020-01-01 00:00:31.000  cycle    ends after 0.0 ms
            2020-01-01 00:00:31.000  event    MODIFIED, version 110, nothing to do""";

    private final SimulatedPlatform platform = new SimulatedPlatform(0, START);
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final OperatorSettings settings = new OperatorSettings();

    private Recorder recorder() {
        return new Recorder(platform, settings.recorder());
    }

    private OperatorHandle start(Recorder recorder, UnaryOperator<OperatorBuilder> handlers) {
        OperatorBuilder builder = handlers.apply(Operator.builder().clusterwide());
        return OperatorAssembly.assemble(
                        OperatorPlan.of(builder),
                        new OperatorEnvironment(platform, new FakeClusterAccess(server.transport(platform)), recorder))
                .start();
    }

    private static ObjectNode example(String kind, String name) {
        ObjectNode object = Json.object();
        object.put("apiVersion", "kopf.dev/v1").put("kind", kind);
        object.putObject("metadata").put("name", name).put("namespace", "ns").put("uid", "uid-" + name);
        object.putObject("spec").put("size", 1);
        return object;
    }

    private String answer(Recorder recorder, String query) {
        StringBuilder answer = new StringBuilder();
        platform.spawn("asking", () -> {
            try {
                answer.append(RecordQuery.of(query).answer(recorder, platform));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofMinutes(2));
        return answer.toString();
    }

    private static String words(String answer, RecordedObject object) {
        TimeLine timeLine = new TimeLine(null, ZoneOffset.UTC, object);
        return answer.lines()
                .map(Json::parse)
                .filter(line -> !line.path("step").asString("").equals("position"))
                .map(timeLine::words)
                .collect(Collectors.joining("\n"));
    }

    @Test
    @Tag("Q20")
    void theTimeLineOfAnObjectReadsAsWhatHasHappened() {
        Recorder recorder = recorder();
        OperatorHandle operator = start(
                recorder,
                builder -> builder.onCreate("kopfexamples", "create", context -> {
                            if (context.retry() == 0) {
                                throw new TemporaryException("no database yet", Duration.ofSeconds(10));
                            }
                            return null;
                        })
                        .onUpdate("kopfexamples", "update", context -> null)
                        .onDelete("kopfexamples", "delete", context -> null));
        platform.runFor(Duration.ofSeconds(1));
        server.create(example("KopfExample", "x"));
        platform.runFor(Duration.ofMillis(500));
        server.create(example("KopfExample", "other"));
        platform.runFor(Duration.ofMillis(29_500));
        server.change("x", "spec.size", 2);
        platform.runFor(Duration.ofSeconds(5));
        operator.stop();
        platform.runFor(Duration.ofMinutes(1));

        String answer = answer(recorder, "history=kopfexample/x&namespace=ns");
        assertThat(words(answer, RecordedObject.of("kopfexample/x", "ns"))).isEqualTo(GOLDEN);
        assertThat(words(answer(recorder, "history="), RecordedObject.ANY))
                .startsWith("2020-01-01 00:00:00.000  operator starts (kopf4j/")
                .contains("  stream   kopfexamples.v1.kopf.dev begins")
                .contains("  stream   kopfexamples.v1.kopf.dev cluster-wide listed")
                .contains("  event    KopfExample ns/other: ADDED")
                .endsWith("  operator ended");
    }

    @Test
    @Tag("Q20")
    void aListedObjectLeavesLinesIfThereIsSomethingToDoForIt() {
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onCreate("kopfexamples", "create", context -> null)
                .onUpdate("kopfexamples", "update", context -> null)
                .onIndex("kopfexamples", "sizes", context -> {
                    if (context.name().equals("broken")) {
                        throw new PermanentException("no size");
                    }
                    return context.spec();
                });
        OperatorHandle before = start(recorder(), handlers);
        platform.runFor(Duration.ofSeconds(1));
        server.create(example("KopfExample", "handled"));
        server.create(example("KopfExample", "changed"));
        server.create(example("KopfExample", "broken"));
        platform.runFor(Duration.ofSeconds(5));
        before.stop();
        platform.runFor(Duration.ofMinutes(1));
        server.change("changed", "spec.size", 2);

        Recorder recorder = recorder();
        OperatorHandle operator = start(recorder, handlers);
        platform.runFor(Duration.ofSeconds(5));
        operator.stop();
        platform.runFor(Duration.ofMinutes(1));
        assertThat(words(answer(recorder, "history=kopfexample/handled&namespace=ns"), RecordedObject.ANY))
                .isEmpty();
        assertThat(words(
                        answer(recorder, "history=kopfexample/changed&namespace=ns"),
                        RecordedObject.of("kopfexample/changed", "ns")))
                .containsSubsequence(
                        "event    LISTED, version", "update of spec.size: handlers update", "update succeeded", "ends");
        assertThat(words(answer(recorder, "history=kopfexample/broken&namespace=ns"), RecordedObject.ANY))
                .contains("sizes failed for good");
    }

    @Test
    @Tag("Q20")
    void whoFollowsGetsWhatHasComeSinceAndIsToldWhatIsMissing() {
        Recorder recorder = recorder();
        OperatorStep.PauseChanged step = new OperatorStep.PauseChanged(null, "a reason", true);
        recorder.happened(step);
        assertThat(answer(recorder, "history=&after=0"))
                .contains("\"n\":1,")
                .endsWith("\"step\":\"position\",\"kinds\":[\"\"]}\n");
        platform.spawn("later", () -> {
            try {
                platform.sleep(Duration.ofSeconds(20));
                recorder.happened(step);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Instant asked = platform.now();
        String waited = answer(recorder, "history=&after=1&wait=30");
        assertThat(waited)
                .contains("\"n\":2,\"at\":\"" + asked.plusSeconds(20).toString().replace("Z", ".000Z"))
                .contains("{\"n\":3,");
        for (int more = 0; more < 60_000; more++) {
            recorder.happened(step);
        }
        String late = answer(recorder, "history=kopfexample/x&after=2");
        assertThat(late).as("three minutes late").contains("\"step\":\"lost\",\"count\":");
        assertThat(answer(recorder, "history=kopfexample/x").lines())
                .as("the first question")
                .hasSize(2)
                .first()
                .asString()
                .matches("\\{\"n\":1,.*\"step\":\"lost\",\"count\":\\d+.*");
        assertThat(answer(recorder, "history=&after=99999999"))
                .as("of another run")
                .contains("a reason");
    }

    @Test
    @Tag("Q20")
    void recordsNothingIfItIsSwitchedOff() {
        Recorder recorder = recorder();
        recorder.happened(new OperatorStep.PauseChanged(null, "a reason", true));
        settings.recorder().memory(0);
        recorder.settle(settings.recorder());
        recorder.happened(new OperatorStep.PauseChanged(null, "a reason", true));
        assertThat(recorder.isOn()).isFalse();
        assertThat(recorder.read(0).bytes()).isEmpty();
    }

    @Test
    @Tag("Q20")
    @Timeout(60)
    void aMessageThatTakesLongHoldsUpNobodyElse() throws Exception {
        Platform real = new SystemPlatform();
        Recorder recorder = new Recorder(real, settings.recorder());
        CountDownLatch recorded = new CountDownLatch(1);
        ObjectReference object = new ObjectReference("kopf.dev/v1", "KopfExample", "x", "uid", "ns");
        RuntimeException failure = new SlowException(() -> {
            real.spawn("another handler", () -> {
                recorder.happened(new OperatorStep.PauseChanged(null, "a reason", true));
                recorded.countDown();
            });
            return recorded.await(5, TimeUnit.SECONDS) ? "the other one went on" : "the other one waited";
        });
        recorder.happened(
                new OperatorStep.CycleFailed(RecordedStepsTest.EXAMPLES, object, failure, Duration.ofSeconds(1)));
        recorded.await();
        assertThat(RecordQuery.of("history=").answer(recorder, real)).contains("SlowException: the other one went on");
    }

    private static final class SlowException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient Callable<String> message;

        SlowException(Callable<String> message) {
            this.message = message;
        }

        @Override
        public String getMessage() {
            try {
                return message.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
