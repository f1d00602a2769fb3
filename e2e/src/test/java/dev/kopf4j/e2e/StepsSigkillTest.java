package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.e2e.KillingServer.Point;
import java.io.IOException;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Goal: whenever the operator's process is killed, no recorded step is called again, no intent is silently repeated,
 * and nothing is left behind at a service in another process. Method: objects are created and deleted one after
 * another, while the process is killed before or after a request, and started anew.
 *
 * <p>{@code -Dkopf4j.kills=50} is about all points, {@code -Dkopf4j.seed=42} draws others.
 */
@Timeout(600)
@Tag("Q17")
class StepsSigkillTest {
    private static final int KILLS = Integer.getInteger("kopf4j.kills", 4);
    private static final long SEED = Long.getLong("kopf4j.seed", 1);
    private static final String RECORD = "kopf.zalando.org/provide.";

    @TempDir
    private Path folder;

    @AutoClose
    private final TestCluster cluster = TestCluster.start(Options.defaults());

    @AutoClose
    private final KillingServer server =
            new KillingServer(request -> cluster.cluster().handle(request), this::lookAtWhatIsRecorded);

    @AutoClose
    private volatile RunningProgram service;

    @AutoClose
    private volatile RunningProgram operator;

    private String serviceUrl = "";

    /** How often the service was asked for a thing when it was recorded. */
    private final Map<String, Long> recorded = new ConcurrentHashMap<>();

    private final List<String> patches = new CopyOnWriteArrayList<>();
    private final Deque<Point> points = new ArrayDeque<>();
    private final List<Point> past = new CopyOnWriteArrayList<>();
    private volatile String current = "";

    @Test
    void noRecordedStepIsCalledAgainAndNoIntentIsRepeated() throws Exception {
        System.out.println("StepsSigkillTest: " + KILLS + " kills, -Dkopf4j.seed=" + SEED);
        service = OuterService.start(folder);
        serviceUrl = service.awaitOutput("URL=", Kopf4j.PATIENCE);
        start(Point.NEVER);
        live("example-0");
        // The finalizer; one for the step with a key, two for that with an intent, one for the end; two at deletion,
        // and the release.
        assertThat(patches).as("PATCHes of an undisturbed life").hasSize(8);
        draw(server.requests());
        arm(points.remove());
        for (int number = 1; past.size() < KILLS; number++) {
            live("example-" + number);
        }
        live("example-last");
        operator.terminate();
        assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isZero();
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
        String kubeconfig =
                cluster.cluster().kubeconfig().replace(cluster.cluster().url(), server.url());
        operator = Kopf4j.start(
                Map.of(SteppingHandlers.SERVICE, serviceUrl),
                "run",
                "-A",
                "--kubeconfig",
                TextFile.write(folder.resolve("kubeconfig"), kubeconfig).toString(),
                "-m",
                SteppingHandlers.class.getName(),
                LoggedHandlers.folder().toString());
    }

    private void arm(Point point) {
        server.arm(point, () -> {
            past.add(point);
            operator.kill();
        });
    }

    /** The life of one object, however many processes it takes. */
    private void live(String name) throws IOException, InterruptedException {
        current = name;
        int killsBefore = past.size();
        String path = TestCluster.example("default", name);
        cluster.createExample("default", name);
        await("the creation of " + name, () -> cluster.isHandled("default", name, "value"));
        cluster.delete(path);
        await("the deletion of " + name, () -> cluster.isGone(path));
        int kills = past.size() - killsBefore;
        assertThat(asked("make db-" + name))
                .as("calls for the database of %s after the kills %s", name, past)
                .isBetween(1L, 1L + kills)
                .isEqualTo(recorded.get("db " + name));
        assertThat(asked("order vm-" + name))
                .as("orders of the machine of %s after the kills %s", name, past)
                .isEqualTo(1)
                .isEqualTo(recorded.get("vm " + name));
        assertThat(OuterService.ask(serviceUrl, "/things/all"))
                .as("what is left at the service after the kills %s", past)
                .isEmpty();
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

    private long asked(String call) {
        try {
            return OuterService.ask(serviceUrl, "/log")
                    .lines()
                    .filter(call::equals)
                    .count();
        } catch (IOException e) {
            throw new AssertionError("the service does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Before anybody is told: so no recorded step can have been called again. */
    private void lookAtWhatIsRecorded(ApiRequest request) {
        String name = current;
        if (!request.method().equals("PATCH") || !request.path().contains("/kopfexamples/")) {
            return;
        }
        patches.add(request.path());
        JsonNode annotations = cluster.get(TestCluster.example("default", name)).at("/metadata/annotations");
        look(annotations, "db", "make db-" + name, name);
        look(annotations, "vm", "order vm-" + name, name);
    }

    private void look(JsonNode annotations, String step, String call, String name) {
        String text = annotations.path(RECORD + step).asString("{}");
        if (JsonMapper.shared().readTree(text).path("success").asBoolean(false)) {
            recorded.computeIfAbsent(step + " " + name, each -> asked(call));
        }
    }
}
