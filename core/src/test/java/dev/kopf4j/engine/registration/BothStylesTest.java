package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Annotation;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.Index;
import dev.kopf4j.Label;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OutcomeOf;
import dev.kopf4j.Patch;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.SnakeCaseIds;
import dev.kopf4j.Spec;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandler;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.registration.AnnotatedClass.SubHandlerMethods;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import tools.jackson.databind.node.ObjectNode;

/** What one style can do, the other can, too: each is shown once with an annotation, and once with a function. */
@SuppressWarnings("unused") // handlers are found by reflection
class BothStylesTest {
    private final Scenario story = new Scenario();

    enum Style {
        ANNOTATIONS,
        FUNCTIONS;

        private UnaryOperator<OperatorBuilder> choose(Object annotated, UnaryOperator<OperatorBuilder> functions) {
            return this == ANNOTATIONS ? builder -> builder.handlers(annotated) : functions;
        }
    }

    @AfterEach
    void end() {
        story.close();
    }

    private void create(String name, @Nullable String label, @Nullable String annotation) {
        ObjectNode object = Scenario.example(name);
        if (label != null) {
            object.withObject("/metadata/labels").put("example.com/tier", label);
        }
        if (annotation != null) {
            object.withObject("/metadata/annotations").put("example.com/owner", annotation);
        }
        story.server.create(object);
        story.rest();
    }

    private @Nullable Object note(HandlerContext context) {
        story.calls.add(context.name());
        return null;
    }

    private final class LabelCallback {
        @OnCreate(value = "kex", labelWhen = "example.com/tier=isHigh")
        void fn(HandlerContext context) {
            note(context);
        }

        static boolean isHigh(@Nullable Integer tier) {
            return tier != null && tier > 3;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C14")
    @Tag("L12")
    void labelsAreTested(Style style) {
        story.start(style.choose(
                new LabelCallback(),
                builder -> builder.onCreate(
                        "kex",
                        "fn",
                        h -> h.label("example.com/tier", tier -> tier != null && Integer.parseInt(tier) > 3),
                        this::note)));
        create("none", null, null);
        create("low", "1", null);
        create("high", "5", null);
        assertThat(story.calls).containsExactly("high");
    }

    private final class AnnotationCallback {
        @OnCreate(value = "kex", annotationWhen = "example.com/owner=isItself")
        void fn(HandlerContext context) {
            note(context);
        }

        boolean isItself(@Nullable String owner, String name) {
            return name.equals(owner);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C14")
    @Tag("L10")
    @Tag("L12")
    void annotationsAreTestedAgainstTheObject(Style style) {
        story.start(style.choose(
                new AnnotationCallback(),
                builder -> builder.onCreate(
                        "kex",
                        "fn",
                        h -> h.annotation(
                                "example.com/owner",
                                (owner, context) -> context.name().equals(owner)),
                        this::note)));
        create("x", null, null);
        create("y", null, "x");
        create("z", null, "z");
        assertThat(story.calls).containsExactly("z");
    }

    private final class ValueCallback {
        @OnUpdate(value = "kex", field = "spec.size", newValueWhen = "hasGrown")
        void fn(HandlerContext context) {
            note(context);
        }

        boolean hasGrown(@Nullable Integer size, @Nullable Integer oldValue) {
            return size != null && oldValue != null && size > oldValue;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C15")
    @Tag("L12")
    void valuesAreTestedAgainstTheObject(Style style) {
        story.start(style.choose(
                new ValueCallback(),
                builder -> builder.onUpdate(
                        "kex",
                        "fn",
                        h -> h.field("spec.size")
                                .newValue((size, context) -> size instanceof Integer now
                                        && context.oldValue(Integer.class)
                                                .filter(before -> now > before)
                                                .isPresent()),
                        this::note)));
        story.server.create(Scenario.handled());
        story.rest();
        for (int size : List.of(5, 3, 4)) {
            story.server.change("x", "spec.size", size);
            story.rest();
        }
        assertThat(story.calls).as("from 3 to 4 only").containsExactly("x");
    }

    record Limits(int least, Duration pause) {}

    private final class ParamOfAnyType {
        @OnStartup(paramBy = "limits")
        void configure(Limits param) {
            story.calls.add("startup " + param);
        }

        @OnCreate(value = "kex", paramBy = "limits")
        void fn(Limits param) {
            story.calls.add("create " + param);
        }

        static Limits limits() {
            return new Limits(3, Duration.ofSeconds(10));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C21")
    @Tag("L05")
    void paramsAreOfAnyType(Style style) {
        Limits limits = new Limits(3, Duration.ofSeconds(10));
        story.start(style.choose(
                new ParamOfAnyType(),
                builder -> builder.onStartup(
                                "configure",
                                h -> h.param(limits),
                                context -> story.calls.add(
                                        "startup " + context.param(Limits.class).orElseThrow()))
                        .onCreate("kex", "fn", h -> h.param(limits), context -> {
                            story.calls.add(
                                    "create " + context.param(Limits.class).orElseThrow());
                            return null;
                        })));
        create("x", null, null);
        assertThat(story.calls).containsExactly("startup " + limits, "create " + limits);
    }

    private final class SelectorPredicate {
        @OnCreate(resourceWhen = "isOurs")
        void fn(HandlerContext context) {
            note(context);
        }

        boolean isOurs(Resource resource) {
            return resource.group().equals("kopf.dev") && resource.plural().startsWith("kopfex");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A10")
    void resourcesAreTested(Style style) {
        story.start(style.choose(
                new SelectorPredicate(),
                builder -> builder.onCreate(
                        ResourceSelector.matching(resource -> resource.group().equals("kopf.dev")
                                && resource.plural().startsWith("kopfex")),
                        "fn",
                        this::note)));
        create("x", null, null);
        assertThat(story.calls).containsExactly("x");
    }

    private final class SeveralConditions {
        @OnCreate(
                value = "kex",
                when = {"isLarge", "isNamed"},
                labels = {"example.com/tier", "!legacy"})
        void fn(HandlerContext context) {
            note(context);
        }

        boolean isLarge(Spec spec) {
            return spec.getString("field", "").equals("a");
        }

        boolean isNamed(String name) {
            return !name.equals("x");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C17")
    @Tag("L09")
    void severalConditionsMustAllHold(Style style) {
        story.start(style.choose(
                new SeveralConditions(),
                builder -> builder.onCreate(
                        "kex",
                        "fn",
                        h -> h.when(context ->
                                        context.spec().getString("field", "").equals("a"))
                                .when(context -> !context.name().equals("x"))
                                .labels("example.com/tier", "!legacy"),
                        this::note)));
        create("x", "1", null);
        create("y", null, null);
        create("z", "1", null);
        assertThat(story.calls).containsExactly("z");
    }

    private final class ComputedDelay {
        @OnTimer(value = "kex", initialDelayBy = "delay")
        void fn() {
            story.calls.add("at " + story.seconds());
        }

        Duration delay(Spec spec) {
            return Duration.ofSeconds(
                    Objects.requireNonNull(spec.get("seconds", Integer.class).orElse(20)));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("E03")
    void initialDelaysAreComputed(Style style) {
        story.start(style.choose(
                new ComputedDelay(),
                builder -> builder.onTimer(
                        "kex",
                        "fn",
                        h -> h.initialDelay(context -> Duration.ofSeconds(
                                context.spec().get("seconds", Integer.class).orElse(20))),
                        context -> story.calls.add("at " + story.seconds()))));
        create("x", null, null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("at 20.5");
    }

    private final class TextParams {
        @OnCreate(value = "kex", id = "number", param = "5")
        void number(int param) {
            story.calls.add("number " + param);
        }

        @OnCreate(value = "kex", id = "time", param = "1m30s")
        void time(Duration param) {
            story.calls.add("time " + param);
        }

        @OnCreate(value = "kex", id = "style", param = "FUNCTIONS")
        void style(java.util.Optional<Style> param) {
            story.calls.add("style " + param.orElseThrow());
        }

        @OnCreate(value = "kex", id = "none")
        void none(java.util.Optional<Style> param) {
            story.calls.add("none " + param.isPresent());
        }
    }

    /** What annotations alone need: they have nothing but text. */
    @org.junit.jupiter.api.Test
    @Tag("C21")
    void textParamsAreConvertedToTheParametersType() {
        story.start(new TextParams());
        create("x", null, null);
        assertThat(story.calls).containsExactly("number 5", "time PT1M30S", "style FUNCTIONS", "none false");
    }

    private final class AskingForOutcomes {
        @OnCreate("kex")
        void first(int retry) {
            failOnce(retry);
        }

        @OnCreate("kex")
        void second(@OutcomeOf("first") HandlerOutcome first, @OutcomeOf("unheard") HandlerOutcome unheard) {
            tell(first, unheard);
        }

        @OnCreate("kex")
        void third(HandlerContext context) {
            waitFor(context.outcome("first"));
        }
    }

    private static void failOnce(int retry) {
        if (retry == 0) {
            throw new TemporaryException("not yet", Duration.ofSeconds(10));
        }
    }

    private @Nullable Object tell(HandlerOutcome first, HandlerOutcome unheard) {
        story.calls.add("second: " + first);
        assertThat(unheard).isEqualTo(new HandlerOutcome(0, false, false, Optional.empty()));
        return null;
    }

    private @Nullable Object waitFor(HandlerOutcome outcome) {
        if (!outcome.hasEnded()) {
            throw new TemporaryException("first has not ended", Duration.ofSeconds(11));
        }
        story.calls.add("third: " + outcome);
        return null;
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C23")
    void handlersLearnHowFarOthersHaveCome(Style style) {
        story.start(style.choose(
                new AskingForOutcomes(),
                builder -> builder.onCreate("kex", "first", context -> {
                            failOnce(context.retry());
                            return null;
                        })
                        .onCreate(
                                "kex", "second", context -> tell(context.outcome("first"), context.outcome("unheard")))
                        .onCreate("kex", "third", context -> waitFor(context.outcome("first")))));
        create("x", null, null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls)
                .containsExactly(
                        "second: " + new HandlerOutcome(1, false, false, Optional.of("not yet")),
                        "third: " + new HandlerOutcome(2, true, false, Optional.empty()));
    }

    private final class MetadataParameters {
        @OnCreate("kex")
        void fn(
                @Label("example.com/tier") int tier,
                @Label("absent") @Nullable String absent,
                @Annotation("example.com/owner") String owner,
                @Annotation("absent") Optional<String> none) {
            story.calls.add(tier + " " + absent + " " + owner + " " + none);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C23")
    void handlersTakeSingleLabelsAndAnnotations(Style style) {
        story.start(style.choose(
                new MetadataParameters(),
                builder -> builder.onCreate("kex", "fn", context -> {
                    int tier = Integer.parseInt(
                            Objects.requireNonNull(context.labels().get("example.com/tier")));
                    story.calls.add(tier + " " + context.labels().get("absent") + " "
                            + context.annotations().get("example.com/owner") + " "
                            + Optional.ofNullable(context.annotations().get("absent")));
                    return null;
                })));
        create("x", "5", "me");
        assertThat(story.calls).containsExactly("5 null me Optional.empty");
    }

    private static final class TwoLoggers {
        @OnCreate("kex")
        void fn(Logger logger, Logger localLogger) {
            logger.warn("for everybody");
            localLogger.warn("for the log");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("I12")
    void linesOfTheLocalLoggerAreNotPosted(Style style) {
        UnaryOperator<OperatorBuilder> handlers = style.choose(
                new TwoLoggers(),
                builder -> builder.onCreate("kex", "fn", context -> {
                    context.logger().warn("for everybody");
                    context.localLogger().warn("for the log");
                    return null;
                }));
        story.start(builder ->
                handlers.apply(builder.settings(settings -> settings.posting().loggers(true))));
        create("x", null, null);
        story.pass(Duration.ofSeconds(5));
        assertThat(story.server.events().stream()
                        .map(event -> event.path("message").asString()))
                .contains("for everybody")
                .doesNotContain("for the log");
        assertThat(story.log.lines(ch.qos.logback.classic.Level.WARN))
                .contains("warn: for everybody", "warn: for the log");
    }

    @SnakeCaseIds
    private class LikePython {
        @OnCreate("kex")
        String createFn() {
            return "done";
        }

        @OnCreate(value = "kex", id = "ownId")
        void other() {}

        @OnIndex("kex")
        Map<String, String> byName(String name) {
            return Map.of(name, name);
        }

        @OnCreate("kex")
        void usesIndex(Index<String, String> byName) {
            story.calls.add("found " + byName.containsKey("x"));
        }

        @OnUpdate(value = "kex", field = "spec.size")
        void grownLarger(String id) {
            story.calls.add(id);
        }
    }

    private final class Inherited extends LikePython {}

    /** Functions give their ids themselves. */
    @org.junit.jupiter.api.Test
    @Tag("L16")
    void idsMayBeThoseOfPythonByOneRuleForAClass() {
        story.start(new Inherited());
        create("x", null, null);
        story.server.change("x", "spec.size", 5);
        story.rest();
        assertThat(story.calls).containsExactly("found true", "grown_larger/spec.size");
        assertThat(story.at("/status/create_fn").asString()).isEqualTo("done");
    }

    record Item(String name, int size) {}

    private final class SubHandlerMethods {
        @OnCreate("kex")
        void fn(SubHandlers subHandlers) {
            subHandlers.addMethod("prepare");
            for (Item item : List.of(new Item("a", 1), new Item("b", 2))) {
                subHandlers.addMethod("makeItem", "item-" + item.name(), item);
            }
        }

        @SubHandler(id = "first", when = "isNamed")
        void prepare(String id, String name) {
            story.calls.add(id + " of " + name);
        }

        @SubHandler(retries = 2, backoff = "10s")
        void makeItem(Item param, String id, int retry, SubHandlers subHandlers) {
            makeOrFail(param, id, retry);
            if (param.size() == 1) {
                subHandlers.addMethod("prepare", "below", null);
            }
        }

        boolean isNamed(String name) {
            return name.equals("x");
        }
    }

    private void makeOrFail(Item item, String id, int retry) {
        story.calls.add(id + " " + item.size() + " attempt " + retry);
        if (item.size() == 2) {
            throw new IllegalStateException("no room");
        }
    }

    private @Nullable Object prepare(HandlerContext context) {
        story.calls.add(context.handlerId() + " of " + context.name());
        return null;
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C34")
    @Tag("L07")
    void subHandlersTakeWhatHandlersTake(Style style) {
        story.start(style.choose(
                new SubHandlerMethods(),
                builder -> builder.onCreate("kex", "fn", context -> {
                    SubHandlers subHandlers = context.subHandlers();
                    subHandlers.add("first", h -> h.when(each -> each.name().equals("x")), this::prepare);
                    for (Item item : List.of(new Item("a", 1), new Item("b", 2))) {
                        subHandlers.add(
                                "item-" + item.name(),
                                h -> h.param(item).retries(2).backoff(Duration.ofSeconds(10)),
                                child -> {
                                    Item param = child.param(Item.class).orElseThrow();
                                    makeOrFail(param, child.handlerId(), child.retry());
                                    if (param.size() == 1) {
                                        child.subHandlers().add("below", this::prepare);
                                    }
                                    return null;
                                });
                    }
                    return null;
                })));
        create("x", null, null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls)
                .containsExactly(
                        "fn/first of x",
                        "fn/item-a 1 attempt 0",
                        "fn/item-a/below of x",
                        "fn/item-b 2 attempt 0",
                        "fn/item-b 2 attempt 1");
        assertThat(story.infos()).contains("info: Creation is processed: 1 succeeded; 0 failed.");
    }

    private static final class NoSuchMethod {
        @OnCreate("kex")
        void fn(SubHandlers subHandlers) {
            subHandlers.addMethod("make");
        }

        @SubHandler
        void prepare() {}
    }

    @org.junit.jupiter.api.Test
    @Tag("C34")
    void methodsThatAreNoSubHandlersAreNamed() {
        story.start(new NoSuchMethod());
        create("x", null, null);
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR))
                .containsExactly("error: Handler 'fn' failed permanently: there is no method 'make' with @SubHandler in"
                        + " the class of Handler 'fn'; there are [prepare]");
    }

    private static final class Misplaced {
        @OnCreate("kex")
        void fn() {}

        @SubHandler
        void prepare(Stopped stopped) {}
    }

    @org.junit.jupiter.api.Test
    @Tag("C34")
    void parametersOfSubHandlersAreCheckedAtTheStart() {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> story.start(new Misplaced()))
                .withMessageContaining("@SubHandler on Misplaced.prepare(Stopped)")
                .withMessageContaining("only daemons and timers are asked to stop");
    }

    private final class LifecycleOfSubHandlers {
        @OnCreate("kex")
        void fn(SubHandlers subHandlers, HandlerContext context) throws InterruptedException {
            executeReversed(subHandlers, context);
        }
    }

    private @Nullable Object executeReversed(SubHandlers subHandlers, HandlerContext context)
            throws InterruptedException {
        story.calls.add("parent " + context.retry());
        HandlerLifecycle.Custom lastOnly = (due, body) -> List.of(due.getLast());
        subHandlers.execute(lastOnly, new TreeMap<>(Map.of("a", this::noteId, "b", this::noteId)));
        story.calls.add("between");
        subHandlers.add("c", this::noteId);
        subHandlers.add("d", this::noteId);
        subHandlers.execute(HandlerLifecycle.ALL_AT_ONCE);
        story.calls.add("end: " + context.outcome("fn/d").succeeded());
        return null;
    }

    private @Nullable Object noteId(HandlerContext context) {
        story.calls.add(context.handlerId());
        return null;
    }

    @ParameterizedTest
    @EnumSource
    @Tag("C34")
    @Tag("L08")
    void subHandlersAreExecutedByALifecycleOfTheirOwn(Style style) {
        story.start(style.choose(
                new LifecycleOfSubHandlers(),
                builder -> builder.onCreate("kex", "fn", context -> executeReversed(context.subHandlers(), context))));
        create("x", null, null);
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls)
                .containsExactly("parent 0", "fn/b", "parent 1", "fn/a", "between", "fn/c", "fn/d", "end: true");
    }

    /** A setting, for both styles. */
    @org.junit.jupiter.api.Test
    @Tag("C26")
    void lifecyclesMayBeOfOnesOwn() {
        HandlerLifecycle.Custom lastFirst = (due, body) -> due.reversed();
        story.start(builder -> builder.settings(settings -> settings.execution().lifecycle(lastFirst))
                .onCreate("kex", "a", this::noteId)
                .onCreate("kex", "b", context -> {
                    noteId(context);
                    context.subHandlers().add("c", this::noteId);
                    context.subHandlers().add("d", this::noteId);
                    return null;
                }));
        create("x", null, null);
        assertThat(story.calls).containsExactly("b", "b/d", "b/c", "a");
        assertThat(story.infos()).contains("info: Creation is processed: 2 succeeded; 0 failed.");
    }

    @org.junit.jupiter.api.Test
    @Tag("C26")
    void aLifecycleThatPlansNobodyDoesNotGoRoundInCircles() {
        HandlerLifecycle.Custom nobody = (due, body) -> List.of();
        story.start(builder -> builder.settings(settings -> settings.execution().lifecycle(nobody))
                .onCreate("kex", "fn", this::noteId));
        create("x", null, null);
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).isEmpty();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR))
                .hasSizeBetween(3, 10)
                .allMatch(line -> line.contains("it must plan one or more of the due handlers"));
    }

    private final class Transforming {
        @OnEvent("kex")
        void first(Patch patch) {
            transform(patch);
        }

        @OnEvent("kex")
        void second(Patch patch) {
            tellPending(patch);
        }
    }

    private @Nullable Object transform(Patch patch) {
        if (story.calls.isEmpty()) {
            patch.transform(body -> body.put("extra", "ours"));
        }
        story.calls.add("first " + patch.pendingTransformations());
        return null;
    }

    private @Nullable Object tellPending(Patch patch) {
        story.calls.add("second " + patch.pendingTransformations() + " " + patch.isEmpty());
        return null;
    }

    @ParameterizedTest
    @EnumSource
    @Tag("D28")
    void patchesKnowOfTransformationsThatWait(Style style) {
        boolean[] interfered = {false};
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest transportRequest) {
                if (transportRequest.headers().containsValue("application/json-patch+json") && !interfered[0]) {
                    interfered[0] = true;
                    story.server.change("x", "spec.items", List.of("theirs"));
                }
            }
        });
        story.start(style.choose(
                new Transforming(),
                builder -> builder.onEvent("kex", "first", context -> transform(context.patch()))
                        .onEvent("kex", "second", context -> tellPending(context.patch()))));
        create("x", null, null);
        story.pass(Duration.ofSeconds(10));
        assertThat(interfered[0]).isTrue();
        assertThat(story.at("/extra").asString()).isEqualTo("ours");
        assertThat(story.calls)
                .as("wanted; carried over; sent")
                .startsWith("first 1", "second 1 true", "first 1", "second 1 true")
                .endsWith("first 0", "second 0 true");
    }
}
