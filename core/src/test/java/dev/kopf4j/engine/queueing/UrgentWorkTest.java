package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Urgent work does not wait behind many listed objects, and nothing starves behind urgent work. Tests
 * {@link WorkerPool}, {@link BacklogLimit} and {@code EarlyWatch} on a running operator.
 */
class UrgentWorkTest {
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
    private static final int MANY = 20_000;

    private final SimulatedPlatform platform = new SimulatedPlatform(0, START);
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final Map<String, List<Duration>> calls = new HashMap<>();
    private final List<OperatorHandle> operators = new ArrayList<>();

    @AfterEach
    void end() {
        operators.forEach(OperatorHandle::stop);
        platform.runFor(Duration.ofMinutes(1));
        assertThat(platform.describeTasks()).isEmpty();
    }

    private void create(String name) {
        create(name, "ns");
    }

    private void create(String name, String namespace) {
        server.create(Json.parseObject(("{'kind':'KopfExample','metadata':{'name':'%1$s','namespace':'%2$s',"
                        + "'uid':'uid-of-%1$s'},'spec':{'a':1}}")
                .formatted(name, namespace)
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8)));
    }

    private void createMany(int count) {
        IntStream.range(0, count).forEach(number -> create("x" + number));
    }

    private Duration time() {
        return Duration.between(START, platform.now());
    }

    /** Takes a tenth of a second, and notes when. */
    private Handler slow(String what) {
        return context -> {
            calls.computeIfAbsent(what + " " + context.name(), _ -> new ArrayList<>())
                    .add(time());
            platform.sleep(Duration.ofMillis(100));
            return null;
        };
    }

    private List<Duration> calls(String what) {
        return calls.getOrDefault(what, List.of());
    }

    /** One object after the other has a worker, ten at a time. */
    private void start(UnaryOperator<OperatorBuilder> handlers) {
        operators.add(SimulatedOperator.start(
                platform,
                server,
                builder -> handlers.apply(builder.settings(s -> s.queueing().workerLimit(10)))));
    }

    @Test
    @Tag("M62")
    void freshObjectsDoNotWaitBehindTwentyThousandListedOnes() {
        createMany(MANY);
        start(builder -> builder.onCreate("kex", "create", slow("create")));
        platform.runFor(Duration.ofSeconds(30));
        create("fresh");
        Duration created = time();
        platform.runFor(Duration.ofSeconds(10));
        assertThat(calls.size()).as("the list is far from its end").isLessThan(MANY / 4);
        assertThat(calls("create fresh"))
                .singleElement()
                .satisfies(called -> assertThat(called.minus(created)).isLessThan(Duration.ofSeconds(1)));
        assertThat(server.listCount()).isEqualTo(1);
    }

    @Test
    @Tag("M62")
    void changesAndDeletionsOfObjectsThatAreNotReadYetDoNotWaitForTheList() {
        createMany(5000);
        start(builder -> builder.onCreate("kex", "create", slow("create"))
                .onResume("kex", "resume", slow("resume"))
                .onEvent("kex", "event", context -> {
                    calls.computeIfAbsent("event " + context.name(), _ -> new ArrayList<>())
                            .add(time());
                    return null;
                }));
        platform.runFor(Duration.ofSeconds(30));
        server.change("x4900", "spec.a", 2);
        server.delete("x4901");
        Duration changed = time();
        platform.runFor(Duration.ofSeconds(2));
        assertThat(calls("create x4900"))
                .singleElement()
                .satisfies(called -> assertThat(called.minus(changed)).isLessThan(Duration.ofSeconds(1)));
        assertThat(calls("event x4901")).hasSize(1);
        int seen = calls("event x4900").size();

        platform.runFor(Duration.ofMinutes(3));
        assertThat(calls("create x4999")).as("the list has been read").hasSize(1);
        assertThat(calls("create x4900")).as("the listed state is over").hasSize(1);
        assertThat(calls("event x4900")).hasSize(seen);
        assertThat(calls("event x4901")).as("the listed object is gone").hasSize(1);
        assertThat(calls("create x4901")).isEmpty();
    }

    @Test
    @Tag("M62")
    void objectsThatChangeBeforeTheListTellsOfThemAreResumedAsListedOnes() {
        createMany(2000);
        start(builder -> builder.onCreate("kex", "create", slow("create")));
        platform.runFor(Duration.ofMinutes(1));
        operators.removeFirst().stop();
        platform.runFor(Duration.ofMinutes(1));
        calls.clear();

        start(builder -> builder.onUpdate("kex", "update", slow("update")).onResume("kex", "resume", slow("resume")));
        platform.runFor(Duration.ofSeconds(2));
        server.change("x1900", "spec.a", 2);
        platform.runFor(Duration.ofMinutes(1));
        assertThat(calls("update x1900")).hasSize(1);
        assertThat(calls("resume x1900")).hasSize(1);
        assertThat(calls("resume x1901")).hasSize(1);
    }

    @Test
    @Tag("M61")
    void anObjectThatWaitsAsListedMovesUpWhenItChanges() {
        createMany(400);
        start(builder -> builder.settings(s -> s.queueing().workerLimit(1).backlogLimit(1000))
                .onCreate("kex", "create", slow("create")));
        platform.runFor(Duration.ofSeconds(2));
        server.change("x390", "spec.a", 2);
        Duration changed = time();
        platform.runFor(Duration.ofSeconds(5));
        assertThat(calls.size()).isLessThan(100);
        assertThat(calls("create x390"))
                .singleElement()
                .satisfies(called -> assertThat(called.minus(changed)).isLessThan(Duration.ofSeconds(1)));
    }

    /** Twice as many changes as can be handled, for ever. */
    private void changeForEver(Duration time) {
        long last = platform.nanos() + time.toNanos();
        for (int number = 0; platform.nanos() < last; number++) {
            create("busy" + number);
            platform.runFor(Duration.ofMillis(5));
        }
    }

    @Test
    @Tag("M63")
    void neitherRetriesNorListedObjectsStarveUnderAnEndlessStreamOfChanges() {
        createMany(50);
        create("retried");
        start(builder -> builder.onCreate("kex", "create", slow("create"))
                .onCreate("kex", "retry", h -> h.when(context -> context.name().equals("retried")), context -> {
                    calls.computeIfAbsent("retry", _ -> new ArrayList<>()).add(time());
                    throw new TemporaryException("again", Duration.ofSeconds(5));
                })
                .onTimer(
                        "kex",
                        "timer",
                        h -> h.interval(Duration.ofSeconds(1))
                                .when(context -> context.name().equals("x1")),
                        context -> {
                            calls.computeIfAbsent("timer", _ -> new ArrayList<>())
                                    .add(time());
                            return null;
                        }));
        changeForEver(Duration.ofSeconds(60));

        assertThat(IntStream.range(0, 50))
                .allMatch(number -> calls("create x" + number).size() == 1);
        assertThat(calls("retry")).hasSizeGreaterThan(3);
        assertThat(calls("timer")).hasSizeGreaterThan(30);
        assertThat(calls.size()).as("changes are handled, too").isGreaterThan(2000);
    }

    @Test
    @Tag("M64")
    void aNoisyNamespaceDoesNotTakeAllWorkers() {
        start(builder ->
                builder.settings(s -> s.queueing().workerLimitPerNamespace(7)).onEvent("kex", "event", slow("event")));
        platform.runFor(Duration.ofSeconds(1));
        IntStream.range(0, 150).forEach(number -> create("loud" + number, "loud"));
        platform.runFor(Duration.ofMillis(10));
        create("quiet", "quiet");
        Duration created = time();
        platform.runFor(Duration.ofSeconds(1));
        assertThat(calls("event quiet"))
                .singleElement()
                .satisfies(called -> assertThat(called.minus(created)).isLessThan(Duration.ofMillis(50)));
        assertThat(calls.size()).as("seven at a time").isBetween(65, 80);
        platform.runFor(Duration.ofSeconds(2));
        assertThat(calls).hasSize(151);
    }

    @Test
    @Tag("M64")
    void withoutALimitANamespaceMayTakeAllWorkers() {
        start(builder -> builder.onEvent("kex", "event", slow("event")));
        platform.runFor(Duration.ofSeconds(1));
        IntStream.range(0, 150).forEach(number -> create("loud" + number, "loud"));
        platform.runFor(Duration.ofSeconds(1));
        assertThat(calls.size()).as("ten at a time").isBetween(95, 110);
    }
}
