package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Resource;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.cycle.Outlooks.Circumstances;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * In random worlds, what {@link Outlooks} says of an object before a cycle is what the engine then does with it. Two
 * exceptions are counted: what is said to depend on memory, and a change of an object whose change is being handled, as
 * the operator remembers which states its handlers have seen.
 */
class OutlookWorldsTest {
    private static final Duration WINDOW = Duration.ofMillis(500);
    private static final String PREFIX = "kopf.zalando.org/";
    private static final int WORLDS = Integer.getInteger("kopf4j.seeds", 150);
    private static final int STEPS = 14;
    private static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of("kex"), Set.of()),
            Set.of(),
            true,
            true,
            Set.of("list", "watch", "patch"));

    private int exact;
    private int depending;
    private int seenStates;
    private int givenUp;

    @Test
    @Tag("Q03")
    void whatIsSaidBeforeACycleIsWhatTheEngineDoes() {
        int first = Integer.getInteger("kopf4j.seed", 1);
        for (int seed = first; seed < first + WORLDS; seed++) {
            new World(seed).live();
        }
        System.out.println("outlooks: " + exact + " exact, " + depending + " depending on memory, " + seenStates
                + " with remembered states, " + givenUp + " given up");
        assertThat(exact).isGreaterThan(WORLDS * STEPS / 2);
        assertThat(seenStates).isLessThan(exact / 10);
        assertThat(givenUp).isGreaterThan(WORLDS / 20);
    }

    private final class World {
        private final int seed;
        private final Random random;
        private final Scenario story = new Scenario();
        private final List<String> told = new ArrayList<>();
        private int tokens;
        private int retriesMax = 2;
        private Duration timeout = Duration.ofMinutes(10);

        World(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        private OperatorBuilder handlers(OperatorBuilder builder) {
            Random chosen = new Random(seed);
            OperatorBuilder all =
                    builder.onCreate("kex", "cre", options -> options.retries(retriesMax), calling("cre"));
            if (chosen.nextBoolean()) {
                all = all.onUpdate("kex", "upd", options -> options.timeout(timeout), calling("upd"));
            }
            if (chosen.nextBoolean()) {
                all = all.onUpdate("kex", "lab", options -> options.labels("size=big"), calling("lab"));
            }
            if (chosen.nextBoolean()) {
                all = all.onField(
                        "kex", "fld", options -> options.field("spec.field").newValue("b"), calling("fld/spec.field"));
            }
            if (chosen.nextBoolean()) {
                all = all.onResume("kex", "res", calling("res"));
            }
            if (chosen.nextBoolean()) {
                all = all.onDelete("kex", "del", calling("del"));
            }
            if (chosen.nextBoolean()) {
                Handler one = calling("one");
                all = all.onUpdate("kex", "one", one)
                        .onResume("kex", "one", one)
                        .onDelete("kex", "one", one);
            }
            if (chosen.nextInt(4) == 0) {
                Handler two = calling("two/spec.field");
                all = all.onCreate("kex", "two", h -> h.field("spec.field"), two)
                        .onResume("kex", "two", h -> h.field("spec.field"), two)
                        .onField("kex", "two", h -> h.field("spec.field"), two);
            }
            return all;
        }

        private Handler calling(String id) {
            return context -> {
                story.calls.add(id);
                return switch (random.nextInt(6)) {
                    case 0 -> throw new TemporaryException("later", Duration.ofSeconds(20));
                    case 1 -> throw new PermanentException("never");
                    default -> null;
                };
            };
        }

        void live() {
            try (story) {
                story.start(this::handlers);
                for (int step = 0; step < STEPS; step++) {
                    act();
                }
            }
        }

        private void act() {
            boolean exists = story.server.exists("x");
            switch (exists ? random.nextInt(9) : 9) {
                case 0, 1 -> step("field", () -> story.server.change("x", "spec.field", oneOf("a", "b", "c")));
                case 2 -> step("label", () -> story.server.change("x", "metadata.labels.size", oneOf("big", "small")));
                case 3 -> step("pause", () -> story.server.annotate("x", PREFIX + "paused", oneOf("true", "all")));
                case 4 -> step("resume", () -> story.server.annotate("x", PREFIX + "paused", null));
                case 5 -> step("retry", () -> story.server.annotate("x", PREFIX + "retry", token()));
                case 6 -> restart();
                case 7 -> {
                    told.add("pass");
                    story.pass(Duration.ofSeconds(random.nextInt(30)));
                }
                case 8 -> step("delete", () -> story.server.delete("x"));
                default -> step("create", () -> story.server.create(Scenario.example()));
            }
        }

        private String oneOf(String... values) {
            return values[random.nextInt(values.length)];
        }

        private String token() {
            tokens++;
            return "t" + tokens + oneOf("", " *", " upd", " cre");
        }

        private void restart() {
            story.stop();
            retriesMax = 1 + random.nextInt(3);
            timeout = Duration.ofSeconds(random.nextBoolean() ? 10 : 600);
            if (story.server.exists("x")) {
                ObjectOutlook outlook = expect(
                        "restart with " + retriesMax + " retries, " + timeout,
                        Circumstances.start(story.world.now()),
                        () -> story.restart(this::handlers));
                expectEnds(outlook);
            } else {
                story.restart(this::handlers);
            }
        }

        private void step(String what, Runnable action) {
            action.run();
            if (story.server.exists("x")) {
                var _ = expect(what, Circumstances.running(story.world.now()), story::rest);
            } else {
                story.rest();
            }
        }

        /** What has waited when the operator started, longer than its new limits allow, is called no more. */
        private void expectEnds(ObjectOutlook outlook) {
            story.calls.clear();
            told.add("pass");
            story.pass(Duration.ofSeconds(25));
            for (HandlerOutlook each : outlook.handlers()) {
                if (each.verdict() instanceof HandlerOutlook.GivenUp) {
                    givenUp++;
                    assertThat(story.calls)
                            .as("seed " + seed + ", after " + told)
                            .doesNotContain(each.id());
                }
            }
        }

        private ObjectOutlook expect(String what, Circumstances circumstances, Runnable go) {
            ObjectNode body = story.server.object("x");
            OperatorPlan plan = OperatorPlan.of(handlers(Operator.builder()));
            ObjectOutlook outlook = new Outlooks(plan.settings(), RegistryBuilder.build(plan.registrations()))
                    .of(KEX, body, circumstances);
            Instant until = story.world.now().plus(WINDOW);
            Set<String> surely = new TreeSet<>();
            Set<String> maybe = new TreeSet<>();
            for (HandlerOutlook each : outlook.handlers()) {
                switch (each.verdict()) {
                    case HandlerOutlook.WouldRun _ -> surely.add(each.id());
                    case HandlerOutlook.Waits waits when !waits.until().isAfter(until) -> maybe.add(each.id());
                    case HandlerOutlook.Depends _ -> maybe.add(each.id());
                    default -> {}
                }
            }
            boolean underWay = body.path("metadata").path("annotations").properties().stream()
                    .anyMatch(entry -> entry.getValue().asString("").contains("\"purpose\""));
            story.calls.clear();
            go.run();
            Set<String> called = new TreeSet<>(story.calls);
            told.add(what + " " + outlook.reason() + " " + surely + " " + called);
            Set<String> unforeseen = new TreeSet<>(called);
            unforeseen.removeAll(surely);
            boolean missed = !called.containsAll(surely);
            if (!missed && unforeseen.isEmpty()) {
                exact++;
            } else if (!missed && maybe.containsAll(unforeseen)) {
                depending++;
            } else if (underWay && !circumstances.starting()) {
                seenStates++;
            } else {
                throw new AssertionError("seed " + seed + ", after " + told + ": said " + outlook.handlers()
                        + ", but called were " + called + " for " + body);
            }
            return outlook;
        }
    }
}
