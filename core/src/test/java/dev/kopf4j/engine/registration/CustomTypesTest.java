package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Conditions;
import dev.kopf4j.CustomObject;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.crd.Condition;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.integration.CustomTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** Handlers of records that say which resource they are. */
@SuppressWarnings("unused") // handlers are found by reflection
class CustomTypesTest {
    private Scenario story = new Scenario();

    @CustomResource(group = "kopf.dev", version = "v1")
    record KopfExample(ExampleSpec spec, @Nullable ExampleStatus status) {}

    record ExampleSpec(String field, int size) {}

    record ExampleStatus(
            @Nullable String url,
            @Nullable Integer ready,
            @Nullable Map<String, Integer> pods,
            @Nullable List<Condition> conditions) {}

    @CustomResource(group = "kopf.dev", version = "v1", kind = "KopfExample", status = ExampleStatus.class)
    record PairSpec(String field) {}

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

    private void create() {
        story.server.create(Scenario.example());
        story.rest();
    }

    private final class ByModel {
        @OnCreate(model = KopfExample.class)
        void fn(ExampleSpec spec) {
            story.calls.add(spec.field());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("M10")
    void handlersNameTheTypeInPlaceOfTheResource(Style style) {
        story.start(style.choose(
                new ByModel(),
                builder -> builder.onCreate(
                        ResourceSelector.ofModel(KopfExample.class),
                        "fn",
                        story.saying(ctx -> ctx.spec().as(ExampleSpec.class).field()))));
        create();
        assertThat(story.calls).containsExactly("a");
    }

    private final class ByParameter {
        @OnCreate
        void whole(KopfExample example) {
            story.calls.add("whole " + example.spec());
        }

        @OnCreate
        void part(PairSpec wanted) {
            story.calls.add("part " + wanted.field());
        }
    }

    @Test
    @Tag("M10")
    void aParameterSaysTheResourceWhereNothingElseDoes() {
        story.start(new ByParameter());
        create();
        assertThat(story.calls).containsExactly("whole ExampleSpec[field=a, size=0]", "part a");
    }

    private abstract class Generic<W> {
        @OnCreate
        void inherited(W wanted) {
            story.calls.add(wanted.toString());
        }
    }

    private final class OfPairs extends Generic<PairSpec> {}

    @Test
    void aTypeVariableSaysTheResourceByTheClassThatIsRegistered() {
        story.start(new OfPairs());
        create();
        assertThat(story.calls).containsExactly("PairSpec[field=a]");
    }

    private static final class OfUnknownType {
        @OnCreate(model = ExampleSpec.class)
        void fn() {}
    }

    private static final class OfNothing {
        @OnCreate
        void fn(ExampleSpec spec) {}
    }

    @Test
    @Tag("M10")
    void typesThatAreNoResourceAreRefusedWithTheWayOut() {
        assertThatThrownBy(() -> story.start(new OfUnknownType()))
                .hasMessageContaining("ExampleSpec as a model, and it is not annotated with @CustomResource");
        assertThatThrownBy(() -> story.start(new OfNothing()))
                .hasMessageContaining("no resource is named")
                .hasMessageContaining("take a type with @CustomResource as a parameter");
    }

    @Test
    void theKindIsTheNameOfTheTypeUnlessGiven() {
        assertThat(CustomTypes.selector(KopfExample.class)).isEqualTo(CustomTypes.selector(PairSpec.class));
        assertThat(CustomTypes.selector(ExampleSpec.class)).isEmpty();
    }

    private final class StatusWriter {
        @OnUpdate(model = KopfExample.class)
        void fn(CustomObject<ExampleSpec, ExampleStatus> example) {
            write(example);
        }
    }

    private void write(CustomObject<ExampleSpec, ExampleStatus> example) {
        story.calls.add(example.name() + " " + example.spec().field() + " "
                + example.status().map(ExampleStatus::url).orElse("none"));
        example.status(new ExampleStatus("http://" + example.name(), null, Map.of("b", 2), null));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("M11")
    void theStatusIsWrittenAsARecord(Style style) {
        story.start(style.choose(
                new StatusWriter(),
                builder -> builder.onUpdate("kex", "fn", context -> {
                    write(context.customObject(ExampleSpec.class, ExampleStatus.class));
                    return null;
                })));
        ObjectNode handled = Scenario.handled();
        handled.set(
                "status",
                Scenario.json("{'url':'http://old','ready':3,'pods':{'a':1,'b':2},'foreign':'stays',"
                        + "'conditions':[{'type':'Ready'}]}"));
        story.server.create(handled);
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("x b http://old");
        assertThat(story.at("/status"))
                .isEqualTo(Scenario.json(
                        "{'url':'http://x','pods':{'b':2},'foreign':'stays'," + "'conditions':[{'type':'Ready'}]}"));
    }

    @Test
    @Tag("M11")
    void aPatchTakesTheStatusAsARecord() {
        story.start(builder -> builder.onUpdate("kex", "fn", context -> {
            context.patch().status(new ExampleStatus("http://old", 4, Map.of("b", 2), null));
            story.calls.add(context.patch().toMap().toString());
            assertThatThrownBy(() -> context.patch().status(5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a status has fields, but java.lang.Integer is written as 5");
            return null;
        }));
        ObjectNode handled = Scenario.handled();
        handled.set("status", Scenario.json("{'url':'http://old','ready':3,'pods':{'a':1},'foreign':'stays'}"));
        story.server.create(handled);
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("{status={ready=4, pods={b=2, a=null}}}");
        assertThat(story.at("/status"))
                .isEqualTo(Scenario.json("{'url':'http://old','ready':4,'pods':{'b':2},'foreign':'stays'}"));
    }

    @Test
    @Tag("M11")
    void aStatusThatIsThereAlreadyIsNotWritten() {
        story.start(builder -> builder.onEvent("kex", "fn", context -> {
            context.customObject(new TypeRef<ExampleSpec>() {}, new TypeRef<ExampleStatus>() {})
                    .status(new ExampleStatus("http://x", 3, Map.of("a", 1), null));
            story.calls.add(context.patch().toMap().toString());
            return null;
        }));
        create();
        story.rest();
        assertThat(story.calls).containsExactly("{status={url=http://x, ready=3, pods={a=1}}}", "{}");
    }

    private final class ConditionSetter {
        @OnUpdate("kex")
        void fn(Conditions conditions, HandlerContext context) {
            note(conditions, context);
        }
    }

    private void note(Conditions conditions, HandlerContext context) {
        conditions
                .set("Ready", context.spec().getInt("size", 0) > 5, "Sized", "the size is known")
                .set("example.com/Checked", true, "Checked", "");
        story.calls.add(context.patch().isEmpty() ? "nothing" : "something");
    }

    private void resize(int size, long generation) {
        story.server.change("x", "metadata.generation", generation);
        story.server.change("x", "spec.size", size);
        story.rest();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("M12")
    void conditionsFollowTheConventions(Style style) {
        story.close();
        story = new Scenario(true);
        story.start(style.choose(
                new ConditionSetter(),
                builder -> builder.onUpdate("kex", "fn", context -> {
                    note(context.conditions(), context);
                    return null;
                })));
        ObjectNode handled = Scenario.handled();
        handled.set(
                "status",
                Scenario.json("{'conditions':[{'type':'Foreign','status':'True','reason':'R','message':'',"
                        + "'lastTransitionTime':'2019-01-01T00:00:00Z'}]}"));
        story.server.create(handled);
        story.rest();
        resize(1, 1);
        assertThat(story.at("/status/conditions/0/type").asString())
                .as("conditions of others stay")
                .isEqualTo("Foreign");
        assertThat(story.at("/status/conditions/1"))
                .isEqualTo(
                        Scenario.json(
                                "{'type':'Ready','status':'False','observedGeneration':1,"
                                        + "'lastTransitionTime':'2020-01-01T00:00:01Z','reason':'Sized','message':'the size is known'}"));
        story.pass(Duration.ofMinutes(1));
        resize(2, 2);
        assertThat(story.at("/status/conditions/1/lastTransitionTime").asString())
                .as("the status is the same")
                .isEqualTo("2020-01-01T00:00:01Z");
        assertThat(story.at("/status/conditions/1/observedGeneration").asInt()).isEqualTo(2);
        story.pass(Duration.ofMinutes(1));
        resize(6, 3);
        assertThat(story.at("/status/conditions/1/status").asString()).isEqualTo("True");
        assertThat(story.at("/status/conditions/1/lastTransitionTime").asString())
                .startsWith("2020-01-01T00:02:");
        story.calls.clear();
        int before = story.server.patches().size();
        resize(7, 3);
        assertThat(story.calls).as("nothing to write where nothing changes").containsExactly("nothing");
        assertThat(story.server.patches().subList(before, story.server.patches().size()))
                .noneMatch(patch -> patch.body().path("status").has("conditions"));
    }

    @Test
    @Tag("M12")
    void conditionsAreReadRemovedAndChecked() {
        story.start(builder -> builder.onCreate("kex", "fn", context -> {
            Conditions conditions = context.conditions();
            conditions.setUnknown("Ready", "Asking", "nobody has answered").set("Old", true, "Because", "");
            assertThat(conditions.get("Ready").orElseThrow().isTrue()).isFalse();
            assertThat(conditions.remove("Old").all())
                    .extracting(Condition::type)
                    .containsExactly("Ready");
            assertThatThrownBy(() -> conditions.set("Ready", true, "two words", ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the reason of the condition Ready is one word")
                    .hasMessageContaining("'two words'");
            assertThatThrownBy(() -> conditions.set("not a word", true, "Reason", ""))
                    .hasMessageContaining("'not a word'");
            story.calls.add("checked");
            return null;
        }));
        create();
        assertThat(story.calls).containsExactly("checked");
        assertThat(story.at("/status/conditions/0/status").asString()).isEqualTo("Unknown");
    }

    /**
     * A status that has it would differ from the stored one each time, where the server drops what the schema lacks.
     */
    @Test
    void conditionsInAStatusAreWrittenWithTheirFieldsAlone() {
        Condition ready = new Condition("Ready", "True", 1L, Instant.EPOCH, "RolledOut", "");
        assertThat(View.of(Map.of("ready", ready)).at("ready").toMap())
                .containsOnlyKeys("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message");
    }
}
