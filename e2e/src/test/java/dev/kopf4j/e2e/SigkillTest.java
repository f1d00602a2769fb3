package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.e2e.KillingServer.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Goal: a restart finishes the work, whenever the process was killed, and what is recorded as done is not done again.
 * Method: objects are created, changed and deleted one after another, while the operator's process is killed before or
 * after a request, and started anew, once for each point; the points are drawn from all of a start and an object's
 * life.
 *
 * <p>{@code -Dkopf4j.kills=50} is about all of them, {@code -Dkopf4j.seed=42} draws others.
 */
@Timeout(600)
@Tag("L02")
class SigkillTest {
    private static final int KILLS = Integer.getInteger("kopf4j.kills", 4);
    private static final long SEED = Long.getLong("kopf4j.seed", 1);
    private static final String PROGRESS = "kopf.zalando.org/";
    private static final List<String> HANDLERS = List.of("first", "second", "changed", "released");

    @TempDir
    private Path folder;

    @AutoClose
    private final TestCluster cluster = TestCluster.start(Options.defaults());

    @AutoClose
    private final KillingServer server =
            new KillingServer(request -> cluster.cluster().handle(request), this::lookAtWhatIsRecorded);

    /** How often a handler was called for an object when its success was recorded. */
    private final Map<String, Long> recorded = new ConcurrentHashMap<>();

    private final Deque<Point> points = new ArrayDeque<>();
    private final List<Point> past = new CopyOnWriteArrayList<>();

    @AutoClose
    private volatile RunningProgram operator;

    private volatile String current = "";

    @Test
    void restartsFinishTheWorkAndRepeatNothingThatIsRecorded() throws Exception {
        System.out.println("SigkillTest: " + KILLS + " kills, -Dkopf4j.seed=" + SEED);
        start(Point.NEVER);
        live("example-0");
        draw(server.requests());
        arm(points.remove());
        for (int number = 1; past.size() < KILLS; number++) {
            live("example-" + number);
        }
        live("example-last");
        live("example-after"); // whose events come after the end of the last one
        operator.terminate();
        assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isZero();
        theRecordCanBeReadUpToTheCuts();
    }

    /** The last process was not killed: all that it did is there. */
    private void theRecordCanBeReadUpToTheCuts() throws IOException {
        RunningProgram history =
                Kopf4j.start(Map.of(), "history", "kopfexamples/example-last", "--folder", record().toString());
        assertThat(history.awaitExit(Kopf4j.PATIENCE)).as("%s", history).isZero();
        assertThat(history.output())
                .containsSubsequence(
                        "event    ADDED",
                        "create: handlers",
                        "first succeeded",
                        "second succeeded",
                        "update of spec",
                        "changed succeeded",
                        "delete: handlers released",
                        "released succeeded",
                        "event    DELETED");
        try (Stream<Path> files = Files.list(record())) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .forEach(line -> assertThat(
                                        JsonMapper.shared().readTree(line).has("step"))
                                .as("%s in %s", line, file)
                                .isTrue());
            }
        }
    }

    private Path record() {
        return folder.resolve("record");
    }

    private void draw(int requests) {
        assertThat(requests).as("requests of a start and a life").isBetween(15, 60);
        List<Point> all = Point.within(requests);
        Random random = new Random(SEED);
        while (points.size() < KILLS) {
            Collections.shuffle(all, random);
            points.addAll(all.subList(0, Math.min(all.size(), KILLS - points.size())));
        }
    }

    private void start(Point point) {
        arm(point);
        operator = Kopf4j.start(
                Map.of(
                        LoggedHandlers.FILE,
                        callsFile().toString(),
                        "KOPF4J_SETTINGS_EXECUTION_CHECKPOINT",
                        "0s",
                        "KOPF4J_SETTINGS_RECORDER_FOLDER",
                        record().toString()),
                "run",
                "-A",
                "--kubeconfig",
                TextFile.write(folder.resolve("kubeconfig"), kubeconfig()).toString(),
                "-m",
                LoggedHandlers.class.getName(),
                LoggedHandlers.folder().toString());
    }

    private void arm(Point point) {
        server.arm(point, () -> {
            past.add(point);
            operator.kill();
        });
    }

    private String kubeconfig() {
        return cluster.cluster().kubeconfig().replace(cluster.cluster().url(), server.url());
    }

    private Path callsFile() {
        return folder.resolve("calls");
    }

    /** The life of one object, however many processes it takes. */
    private void live(String name) {
        current = name;
        int killsBefore = past.size();
        String path = TestCluster.example("default", name);
        cluster.createExample("default", name);
        await("the creation of " + name, () -> cluster.isHandled("default", name, "value"));
        assertResult(name, "first");
        assertResult(name, "second");
        cluster.changeExample("default", name, "other");
        await("the change of " + name, () -> cluster.isHandled("default", name, "other"));
        assertResult(name, "changed");
        cluster.delete(path);
        await("the deletion of " + name, () -> cluster.isGone(path) && recorded.containsKey("released " + name));
        assertNothingWasRepeated(name, past.size() - killsBefore);
    }

    private void assertResult(String name, String handler) {
        assertThat(cluster.get(TestCluster.example("default", name))
                        .at("/status/" + handler)
                        .asString(""))
                .as("the result of %s after the kills %s", handler, past)
                .isEqualTo(handler + " " + name);
    }

    private void assertNothingWasRepeated(String name, int kills) {
        for (String handler : HANDLERS) {
            assertThat(calls(handler, name))
                    .as("calls of %s for %s after the kills %s", handler, name, past)
                    .isBetween(1L, 1L + kills)
                    .isEqualTo(recorded.get(handler + " " + name));
        }
    }

    private void await(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Kopf4j.PATIENCE)
                .until(() -> {
                    startAgainIfItWasKilled(what);
                    return condition.getAsBoolean();
                });
    }

    private void startAgainIfItWasKilled(String what) {
        if (!operator.isRunning()) {
            assertThat(operator.awaitExit(Kopf4j.PATIENCE))
                    .as("waiting for %s after the kills %s: %s", what, past, operator)
                    .isEqualTo(137);
            start(points.isEmpty() ? Point.NEVER : points.remove());
        }
    }

    private long calls(String handler, String name) {
        String call = handler + " " + name;
        return LoggedHandlers.calls(callsFile()).stream().filter(call::equals).count();
    }

    /** Before anybody is told: so none of these handlers can have been called again. */
    private void lookAtWhatIsRecorded(ApiRequest request) {
        if (!request.method().equals("PATCH")) {
            return;
        }
        String name = current;
        JsonNode object = cluster.get(TestCluster.example("default", name));
        for (String handler : HANDLERS) {
            if (isRecorded(object, handler)) {
                recorded.computeIfAbsent(handler + " " + name, call -> calls(handler, name));
            }
        }
    }

    private static boolean isRecorded(JsonNode object, String handler) {
        JsonNode annotations = object.at("/metadata/annotations");
        String progress = annotations.path(PROGRESS + handler).asString("{}");
        String essence =
                annotations.path(PROGRESS + "last-handled-configuration").asString("");
        return JsonMapper.shared().readTree(progress).path("success").asBoolean(false)
                || switch (handler) {
                    case "first", "second" -> essence.contains("\"field\":");
                    case "changed" -> essence.contains("\"field\":\"other\"");
                    default -> object.path("code").asInt(0) == 404;
                };
    }
}
