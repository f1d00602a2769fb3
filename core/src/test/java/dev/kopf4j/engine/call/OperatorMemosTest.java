package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Index;
import dev.kopf4j.IndexId;
import dev.kopf4j.Memo;
import dev.kopf4j.MemoFactory;
import dev.kopf4j.OnCleanup;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Operator;
import dev.kopf4j.Spec;
import dev.kopf4j.engine.call.ContextFactory.HandlerCallContext;
import dev.kopf4j.engine.simulation.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the handlers of one object remember together. Tests {@link OperatorMemos}, {@link HandlerCallContext} and
 * {@code MemoAndIndexBinders}.
 */
@SuppressWarnings({"unused", "NullAway"}) // handlers are found by reflection
class OperatorMemosTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private void createAndChange() {
        story.server.create(Scenario.example());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
    }

    private static final class AllKinds {
        private final List<String> seen = new ArrayList<>();
        private final Map<String, Object> all = new TreeMap<>();

        @OnIndex("kex")
        Map<String, String> indexed(Memo memo) {
            return count("index", memo);
        }

        @OnEvent("kex")
        void event(Memo memo) {
            count("event", memo);
        }

        @OnCreate(value = "kex", when = "condition")
        void create(Memo memo) {
            count("create", memo);
        }

        boolean condition(Memo memo) {
            return memo.containsKey("event");
        }

        @OnUpdate("kex")
        void update(Memo memo) {
            count("update", memo);
        }

        @OnField(value = "kex", field = "spec.field")
        void field(Memo memo) {
            count("field", memo);
        }

        @OnResume("kex")
        void resume(Memo memo) {
            count("resume", memo);
        }

        @OnDelete("kex")
        void delete(Memo memo) {
            count("delete", memo);
            all.putAll(memo);
        }

        @OnDaemon("kex")
        void daemon(Memo memo) {
            count("daemon", memo);
        }

        @OnTimer(value = "kex", interval = "1h")
        void timer(Memo memo) {
            count("timer", memo);
        }

        private Map<String, String> count(String what, Memo memo) {
            int count = memo.update(what, 0, n -> n + 1);
            seen.add(what + count);
            return Map.of();
        }
    }

    @Test
    @Tag("F10")
    void allHandlersOfAnObjectShareIt() {
        AllKinds handlers = new AllKinds();
        story.start(handlers);
        createAndChange();
        assertThat(handlers.seen).contains("index1", "event1", "create1", "update1", "index2", "event2");
        story.server.delete("x");
        story.rest();
        assertThat(handlers.all)
                .containsOnlyKeys("index", "event", "create", "update", "field", "daemon", "timer", "delete")
                .containsEntry("field", 2);
    }

    @Test
    @Tag("F10")
    void resumingHandlersShareItToo() {
        AllKinds handlers = new AllKinds();
        story.server.create(Scenario.handled());
        story.start(handlers);
        story.server.delete("x");
        story.rest();
        assertThat(handlers.all).containsOnlyKeys("index", "event", "resume", "daemon", "timer", "delete");
    }

    @Test
    @Tag("F10")
    void anotherObjectHasAnotherOneAlsoOfTheSameName() {
        Handler counting =
                story.saying(context -> context.name() + context.memo().update("count", 0, n -> n + 1));
        story.start(builder -> builder.onEvent("kex", "event", counting));
        createAndChange();
        story.server.create(Scenario.example("y"));
        story.rest();
        story.server.delete("x");
        story.rest();
        var again = Scenario.example();
        again.withObject("/metadata").put("uid", "another");
        story.server.create(again);
        story.rest();
        assertThat(story.calls).containsExactly("x1", "x2", "y1", "x3", "x1");
    }

    @Test
    @Tag("F10")
    void itGoesWithTheObjectAlsoIfTheSameUidComesAgain() {
        Handler counting = story.saying(context -> "" + context.memo().update("count", 0, n -> n + 1));
        story.start(builder -> builder.onEvent("kex", "event", counting));
        story.server.create(Scenario.example());
        story.rest();
        story.server.delete("x");
        story.rest();
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).containsExactly("1", "2", "1");
    }

    @Test
    @Tag("F10")
    void itBeginsAsACopyOfTheOperators() {
        Memo operator = new Memo();
        AtomicInteger shared = new AtomicInteger();
        operator.put("shared", shared);
        operator.put("count", 10);
        story.start(builder -> builder.memo(operator).onCreate("kex", "create", context -> {
            Memo memo = context.memo();
            memo.require("shared", AtomicInteger.class).addAndGet(memo.update("count", 0, n -> n + 1));
            memo.put("own", context.name());
            return null;
        }));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.rest();
        assertThat(shared).hasValue(22);
        assertThat(operator).containsOnlyKeys("shared", "count").containsEntry("count", 10);
    }

    private static final class Activities {
        private final List<String> seen = new ArrayList<>();

        @OnStartup
        void start(Memo memo, Index<String, String> byName) {
            memo.put("from start-up", byName.size());
        }

        @OnIndex("kex")
        Map<String, String> byName(String name) {
            return Map.of(name, name);
        }

        @OnCreate("kex")
        void create(Memo memo) {
            seen.add("create: " + memo);
        }

        @OnCleanup
        void stop(Memo memo, Index<String, String> byName, @IndexId("byName") Index<?, ?> again) {
            seen.add("clean-up: " + memo + byName.keySet() + byName.equals(again));
        }
    }

    @Test
    @Tag("F07")
    @Tag("F10")
    void activitiesHaveTheOperatorsMemoAndTheIndices() {
        Activities activities = new Activities();
        story.start(activities);
        story.server.create(Scenario.example());
        story.rest();
        story.stop();
        assertThat(activities.seen).containsExactly("create: {from start-up=0}", "clean-up: {from start-up=0}[x]true");
    }

    private record Templates(String hello, List<String> said) {
        Templates copy() {
            return new Templates(hello, new ArrayList<>(said));
        }
    }

    private static final class OwnMemo {
        @OnCreate("kex")
        void create(Templates memo, String name) {
            memo.said().add(memo.hello().formatted(name));
        }

        @OnDelete("kex")
        void delete(Templates any, String name, dev.kopf4j.HandlerContext context) {
            context.logger().info("said so far: {}", any.said());
        }
    }

    @Test
    @Tag("F11")
    @Tag("L35")
    void classesOfOnesOwnAreCopiedAsTheySay() {
        Templates templates = new Templates("Hello, %s!", new ArrayList<>());
        story.start(builder -> builder.memo(templates, Templates::copy).handlers(new OwnMemo()));
        story.server.create(Scenario.example());
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(templates.said()).isEmpty();
        assertThat(story.infos()).contains("info: said so far: [Hello, x!]");
    }

    @Test
    @Tag("F11")
    @Tag("L35")
    void oneMemoForAllIsPossible() {
        Templates templates = new Templates("Hello, %s!", new ArrayList<>());
        story.start(builder -> builder.memo(templates, MemoFactory.shared()).handlers(new OwnMemo()));
        story.server.create(Scenario.example("x"));
        story.server.create(Scenario.example("y"));
        story.rest();
        assertThat(templates.said()).containsExactlyInAnyOrder("Hello, x!", "Hello, y!");
    }

    private interface Greeting {
        String hello();
    }

    private static final class Greeter implements Greeting {
        @Override
        public String hello() {
            return "hello";
        }
    }

    private static final class ByInterface {
        private final List<String> seen = new ArrayList<>();

        @OnCreate("kex")
        void create(Greeting greeting, Object memo) {
            seen.add(greeting.hello() + greeting.equals(memo));
        }
    }

    @Test
    @Tag("F11")
    void parametersMayBeOfASupertype() {
        ByInterface handlers = new ByInterface();
        story.start(builder -> builder.memo(new Greeter(), MemoFactory.shared()).handlers(handlers));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(handlers.seen).containsExactly("hellotrue");
    }

    @Test
    @Tag("F11")
    void otherClassesAreRefusedAtTheStart() {
        assertThatThrownBy(() -> Operator.builder().handlers(new OwnMemo()).build())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(
                        "parameter 'Templates memo' of OwnMemo.create(Templates, String): the memos of this"
                                + " operator are of the class dev.kopf4j.Memo; take that, or give another one to OperatorBuilder.memo");
        assertThatThrownBy(() -> Operator.builder()
                        .memo(new Greeter(), MemoFactory.shared())
                        .handlers(new AllKinds())
                        .build())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("are of the class dev.kopf4j.engine.call.OperatorMemosTest$Greeter");
    }

    @Test
    @Tag("F11")
    void lambdasAreToldTheClassOfTheMemos() {
        story.start(builder ->
                builder.onCreate("kex", "create", h -> h.retries(1), context -> context.memo(Templates.class)));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.lines(Level.ERROR))
                .singleElement()
                .asString()
                .contains(
                        "the memos of this operator are of the class dev.kopf4j.Memo, as given to OperatorBuilder.memo,"
                                + " not dev.kopf4j.engine.call.OperatorMemosTest$Templates; ask for that class");
    }

    @Test
    @Tag("F11")
    void factoriesThatMakeNothingAreTold() {
        story.start(builder -> builder.memo(new Greeter(), memo -> null)
                .onCreate(
                        "kex",
                        "create",
                        h -> h.retries(1),
                        context -> context.memo(Greeter.class).hello()));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.lines(Level.ERROR))
                .singleElement()
                .asString()
                .contains("the memo factory has made null out of the operator's memo");
    }

    @Test
    @Tag("F10")
    void twoOperatorsHaveMemosOfTheirOwn() {
        Handler counting = story.saying(context -> "" + context.memo().update("count", 0, n -> n + 1));
        story.start(builder -> builder.onEvent("kex", "event", counting));
        story.server.create(Scenario.example());
        story.rest();
        story.restart(builder -> builder.onEvent("kex", "event", counting));
        assertThat(story.calls).containsExactly("1", "1");
    }

    private static final class Named {
        @OnCreate("kex")
        void create(Spec spec, Map<String, Object> memo) {
            memo.put("by", "name");
        }
    }

    @Test
    @Tag("F11")
    void theNameIsEnoughForATypeThatFits() {
        Memo operator = new Memo();
        story.start(builder -> builder.memo(operator, MemoFactory.shared()).handlers(new Named()));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(operator).containsEntry("by", "name");
    }
}
