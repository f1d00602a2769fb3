package dev.kopf4j.engine.injection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kopf4j.Body;
import dev.kopf4j.CustomObject;
import dev.kopf4j.Diff;
import dev.kopf4j.EventType;
import dev.kopf4j.Field;
import dev.kopf4j.Filter;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Meta;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import tools.jackson.databind.node.ObjectNode;

/**
 * What handlers are called with: parameters of methods, and the context of lambdas. Tests {@link ParameterBinders},
 * {@link MethodInvoker}, {@code HandlerCallContext} and {@code InvocationCause}.
 */
@SuppressWarnings({"unused", "UnnecessaryLambda", "DoNotCallSuggester"}) // handlers are found by reflection
class ParameterBindersTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private static final class Unusual {
        @OnCreate("kex")
        void fn() throws Throwable {
            throw new Throwable("plain");
        }
    }

    @Test
    void whatIsNoExceptionKeepsItsWords() {
        story.start(new Unusual());
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.lines(Level.ERROR).toString()).contains("java.lang.Throwable: plain");
    }

    private static final class Views {
        private final List<Object> seen = new ArrayList<>();

        @OnCreate("kex")
        void fn(
                @Field("spec.map") View one,
                @Field("spec.absent") Optional<View> none,
                @Field("spec.list") List<View> all) {
            seen.addAll(List.of(one.getString("a", ""), none, all.getFirst().getString("b", "")));
        }

        @OnEvent("kex")
        void wrong(@Field("spec.map.a") View text) {
            seen.add(text);
        }
    }

    @Test
    void fieldsMayBeViews() {
        Views views = new Views();
        story.start(views);
        ObjectNode object = Scenario.example();
        object.set("spec", Scenario.json("{'map': {'a': 'x'}, 'list': [{'b': 'y'}]}"));
        story.server.create(object);
        story.rest();
        assertThat(views.seen).containsExactly("x", Optional.empty(), "y");
        assertThat(story.lines(Level.ERROR).toString())
                .contains(
                        "the value for parameter 'text' in KopfExample x", "a view shows a mapping, and this is none");
    }

    private record FieldOnly(String field) {}

    private interface Mixin<E> {
        List<Object> seen();

        @OnCreate("kex")
        default void list(@Field("spec.list") List<? extends E> list, @Field("spec.list") E[] array) {
            seen().add(list.getFirst());
            seen().add(array[0]);
        }
    }

    private abstract static class Generic<S, T, U extends Optional<S>> implements Mixin<T> {
        @OnCreate("kex")
        void typed(CustomObject<S, Map<String, S>> typed) {
            seen().add(typed.spec());
        }

        @OnCreate(value = "kex", field = "spec", fieldValueWhen = "isWanted")
        void named(S newValue, Optional<S> spec, @Field("spec") S field, U body) {
            seen().addAll(List.of(newValue, spec, field, body.isPresent()));
        }

        boolean isWanted(S value) {
            return value instanceof FieldOnly;
        }
    }

    private static class Half<S> extends Generic<S, FieldOnly, Optional<S>> {
        private final List<Object> seen = new ArrayList<>();

        @Override
        public List<Object> seen() {
            return seen;
        }
    }

    private static final class Whole extends Half<FieldOnly> {}

    @Test
    void typeVariablesAreWhatTheClassSays() {
        Whole whole = new Whole();
        story.start(whole);
        story.server.create(withList());
        story.rest();
        FieldOnly spec = new FieldOnly("a");
        assertThat(whole.seen())
                .containsExactly(new FieldOnly("b"), new FieldOnly("b"), spec, spec, Optional.of(spec), spec, true);
    }

    private static class Node<N extends Node<N>> {
        @JsonProperty
        String field = "";
    }

    private record Bounded<S extends FieldOnly, N extends Node<N>>(List<Object> seen) {
        @OnCreate(value = "kex", field = "spec")
        <T extends S> void one(
                @Field("spec") S spec, T newValue, @Field("spec.list") List<? extends S> list, @Field("spec") N node) {
            seen.addAll(List.of(spec, list, node.field));
        }
    }

    @Test
    void typeVariablesThatNobodySaysAreTheirBounds() {
        List<Object> seen = new ArrayList<>();
        story.start(new Bounded<>(seen));
        story.server.create(withList());
        story.rest();
        assertThat(seen).containsExactly(new FieldOnly("a"), List.of(new FieldOnly("b")), "a");
    }

    private static ObjectNode withList() {
        ObjectNode object = Scenario.example();
        ((ObjectNode) object.get("spec"))
                .set("list", Scenario.json("{\"list\": [{\"field\": \"b\"}]}").get("list"));
        return object;
    }

    private abstract static class Starting<P, S> {
        final List<Object> seen = new ArrayList<>();

        @OnStartup(param = "5")
        void start(P param) {
            seen.add(param);
        }

        @OnCreate("kex")
        void made(@Field("spec.list") S[] list) {
            seen.addAll(List.of(list));
        }
    }

    private static final class Started extends Starting<Integer, Map<String, String>> {}

    @Test
    void typeVariablesOfActivitiesAndOfArraysAreWhatTheClassSays() {
        Started started = new Started();
        story.start(started);
        story.server.create(withList());
        story.rest();
        assertThat(started.seen).containsExactly(5, Map.of("field", "b"));
    }

    private static final class Everything {
        private final List<Object> seen = new ArrayList<>();

        @OnCreate(value = "kex", param = "given")
        void fn(
                HandlerContext context,
                Body body,
                Spec spec,
                Status status,
                Meta meta,
                Patch patch,
                Resource resource,
                Reason reason,
                Logger logger,
                InstantSource clock,
                Diff diff,
                String name,
                String namespace,
                String uid,
                String id,
                Map<String, String> labels,
                Map<String, String> annotations,
                int retry,
                Instant started,
                Duration runtime,
                @Nullable Object oldValue,
                Object newValue,
                String param,
                @Field("spec.field") String field,
                @Field("spec.absent") @Nullable String absent,
                @Field("spec.absent") Optional<Object> maybe) {
            seen.addAll(List.of(name, namespace, uid, id, labels, annotations, retry, started, runtime, param, field));
            seen.addAll(List.of(maybe, reason, resource.toString(), spec.getString("field", ""), status.isEmpty()));
            seen.addAll(
                    List.of(oldValue == null, newValue.toString(), diff.toString(), absent == null, patch.isEmpty()));
            seen.add(body.meta().equals(meta) && context.body().equals(body));
            seen.add(
                    clock.instant().equals(started) && context.clock().instant().equals(started));
            logger.info("said by a handler");
        }
    }

    @Test
    @Tag("C21")
    @Tag("C22")
    @Tag("C23")
    @Tag("C24")
    void methodsGetWhatTheyAskFor() {
        Everything everything = new Everything();
        story.start(everything);
        story.server.create(Scenario.annotated(Scenario.example(), "an", "no"));
        story.rest();
        assertThat(everything.seen)
                .containsExactly(
                        "x",
                        "ns",
                        "uid-x",
                        "fn",
                        Map.of(),
                        Map.of("an", "no"),
                        0,
                        Scenario.START.plusMillis(500),
                        Duration.ZERO,
                        "given",
                        "a",
                        Optional.empty(),
                        Reason.CREATE,
                        "kopfexamples.v1.kopf.dev",
                        "a",
                        true,
                        true,
                        "{\"spec\":{\"field\":\"a\"},\"metadata\":{\"annotations\":{\"an\":\"no\"}}}",
                        "Diff[items=[Item[op=ADD, field=[], oldValue=null, newValue={spec={field=a},"
                                + " metadata={annotations={an=no}}}]]]",
                        true,
                        true,
                        true,
                        true);
        assertThat(story.infos()).first().isEqualTo("info: said by a handler");
    }

    record ExampleSpec(String field, int size) {}

    record Essence(ExampleSpec spec) {}

    private static final class Typed {
        private final List<Object> seen = new ArrayList<>();

        @OnUpdate("kex")
        void whole(Essence oldValue, Essence newValue, ExampleSpec spec, Diff diff) {
            seen.addAll(List.of(oldValue.spec().size(), newValue.spec().size(), spec, diff.items()));
        }

        @OnField(value = "kex", field = "spec.size")
        void field(int oldValue, int newValue, Diff diff, HandlerContext context) {
            seen.addAll(List.of(oldValue, newValue, diff.items(), context.oldValue() instanceof Number));
        }

        @OnField(value = "kex", field = "spec")
        void stanza(ExampleSpec oldValue, Map<String, Object> newValue, Diff diff) {
            seen.addAll(List.of(oldValue.size(), newValue.get("size"), diff.items()));
        }
    }

    @Test
    @Tag("L27")
    @Tag("C24")
    @Tag("C25")
    void oldAndNewAreEssencesOrValuesOfTheFieldInTheirTypes() {
        Typed typed = new Typed();
        story.start(typed);
        var object = Scenario.annotated(
                Scenario.example(), Scenario.LAST_HANDLED, "{\"spec\":{\"field\":\"a\",\"size\":1}}\n");
        object.withObject("/spec").put("size", 1);
        story.server.create(object);
        story.rest();
        story.server.change("x", "spec.size", 2);
        story.rest();
        story.server.change("x", "status.unrelated", 2);
        story.rest();
        Diff.Item whole = new Diff.Item(Diff.Op.CHANGE, List.of("spec", "size"), 1, 2);
        assertThat(typed.seen)
                .containsExactly(
                        1,
                        2,
                        new ExampleSpec("a", 2),
                        List.of(whole),
                        1,
                        2,
                        List.of(new Diff.Item(Diff.Op.CHANGE, List.of(), 1, 2)),
                        true,
                        1,
                        2,
                        List.of(new Diff.Item(Diff.Op.CHANGE, List.of("size"), 1, 2)));
    }

    @Test
    @Tag("L61")
    void differencesAreReadableInLogs() {
        story.start(builder -> builder.onUpdate("kex", "fn", context -> {
            for (Diff.Item item : context.diff()) {
                story.calls.add(item.op() + " " + String.join(".", item.field()) + " " + item.oldValue() + " -> "
                        + item.newValue());
            }
            return null;
        }));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("CHANGE spec.field a -> b");
        assertThat(story.log.lines(Level.DEBUG))
                .anyMatch(line -> line.equals("debug: Updating diff: (('change', ('spec', 'field'), 'a', 'b'),)"));
    }

    @Test
    @Tag("C40")
    void theStepsOfHandlingAreLogged() {
        story.start(builder -> builder.onCreate("kex", "fn", context -> null));
        story.server.create(Scenario.example());
        story.rest();
        List<String> lines = story.log.lines(Level.DEBUG);
        assertThat(lines).element(0).asString().startsWith("debug: Creation is in progress: {");
        assertThat(lines.stream().limit(4).skip(1))
                .containsExactly(
                        "debug: Handler 'fn' is invoked.",
                        "info: Handler 'fn' succeeded.",
                        "info: Creation is processed: 1 succeeded; 0 failed.");
        assertThat(lines).anyMatch(line -> line.startsWith("debug: Merge-patching the resource with: {"));
    }

    private static final class Filtered {
        private final List<String> calls = new ArrayList<>();

        private boolean isLarge(@Nullable Integer value, String name) {
            return value != null && value > 10 && name.equals("x");
        }

        static boolean isGone(@Nullable Object value) {
            return value == null;
        }

        private boolean isOurs(Map<String, String> labels) {
            return labels.getOrDefault("ours", "").equals("yes");
        }

        @OnUpdate(value = "kex", field = "spec.size", newValueWhen = "isLarge", when = "isOurs")
        void large() {
            calls.add("large");
        }

        @OnField(value = "kex", field = "spec.size", newValueWhen = "isGone", oldValue = Filter.PRESENT)
        void gone() {
            calls.add("gone");
        }

        @OnUpdate(value = "kex", field = "spec.size", newValueJson = "7.0")
        void seven() {
            calls.add("seven");
        }
    }

    @Test
    @Tag("L12")
    @Tag("C17")
    @Tag("C14")
    void filtersOfAnnotationsAreMethods() {
        Filtered filtered = new Filtered();
        story.start(filtered);
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.size", 20);
        story.rest();
        assertThat(filtered.calls).isEmpty();
        story.server.change("x", "metadata.labels.ours", "yes");
        story.rest();
        for (Object size : List.of(5, 7, 20)) {
            story.server.change("x", "spec.size", size);
            story.rest();
        }
        story.server.change("x", "spec.size", null);
        story.rest();
        assertThat(filtered.calls).containsExactly("seven", "large", "gone");
    }

    private static final class Throwing {
        @OnCreate(value = "kex", when = "isFine")
        void fn() {}

        boolean isFine(String name) throws java.io.IOException {
            if (name.equals("x")) {
                throw new java.io.IOException("no disk");
            }
            return true;
        }
    }

    @Test
    @Tag("C17")
    void exceptionsOfFilterMethodsSaySo() {
        story.start(Throwing.class);
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.lines(Level.ERROR))
                .first()
                .asString()
                .contains("the filter method 'isFine' has failed", "no disk");
    }

    private static final class Statics {
        private static final List<String> CALLS = new ArrayList<>();

        private Statics() {}

        @OnCreate("kex")
        private static void hidden(String name) {
            CALLS.add(name + " " + Thread.currentThread().isVirtual());
        }
    }

    private String byReference(HandlerContext context) {
        story.calls.add("by reference");
        return "result";
    }

    @Test
    @Tag("C38")
    void methodsLambdasAndReferencesAreHandlers() {
        Handler lambda = context -> {
            story.calls.add("lambda");
            return null;
        };
        story.start(builder -> builder.handlers(Statics.class)
                .onCreate("kex", "lambda", lambda)
                .onCreate("kex", "reference", this::byReference));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(Statics.CALLS).singleElement().asString().startsWith("x ");
        assertThat(story.calls).containsExactly("lambda", "by reference");
        assertThat(story.at("/status/reference").asString()).isEqualTo("result");
    }

    private static final class Kinds {
        private final List<String> calls = new ArrayList<>();

        @OnEvent("kex")
        void event(@Nullable EventType type, Optional<EventType> maybe, Body body) {
            calls.add("event " + type + " " + maybe.isPresent() + " " + body.kind());
        }

        @OnResume("kex")
        void resume(Reason reason) {
            calls.add(reason.word());
        }

        @OnDelete(value = "kex", optional = true)
        void delete(Reason reason) {
            calls.add(reason.word());
        }
    }

    @Test
    @Tag("C23")
    @Tag("C24")
    void eventsHaveATypeAndChangesAReason() {
        Kinds kinds = new Kinds();
        story.server.create(Scenario.handled());
        story.start(kinds);
        assertThat(kinds.calls).containsExactly("event null false KopfExample", "resume");
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(kinds.calls).element(2).isEqualTo("event MODIFIED true KopfExample");
    }

    record Port(int number) {}

    private static final class WithArguments {
        private final List<Object> seen = new ArrayList<>();

        @OnField(value = "kex", field = "spec.ports")
        void ports(
                Optional<Map<String, Port>> oldValue,
                Map<String, Port> newValue,
                @Field("spec.ports") Optional<Map<String, Port>> ports,
                @Field({"spec", "absent"}) Optional<Port> absent) {
            Port web = newValue.get("web");
            seen.addAll(List.of(
                    oldValue, web == null ? "none" : web.number(), ports.equals(Optional.of(newValue)), absent));
        }

        @OnField(value = "kex", field = "spec.ports", id = "inTypes")
        void ports(HandlerContext context) {
            TypeRef<Map<String, Port>> type = new TypeRef<>() {};
            seen.add(context.oldValue(type));
            seen.add(context.newValue(type)
                    .map(ports -> ports.get("web"))
                    .map(Port::number)
                    .orElse(0));
            seen.add(context.newValue(Map.class).orElseThrow());
        }
    }

    @Test
    @Tag("L27")
    @Tag("C24")
    void valuesOfAChangeComeInTypesWithArgumentsToMethodsAndByTheContext() {
        WithArguments handlers = new WithArguments();
        story.start(handlers);
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.ports", Map.of("web", Map.of("number", 80)));
        story.rest();
        assertThat(handlers.seen)
                .containsExactly(
                        Optional.empty(),
                        80,
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        80,
                        Map.of("web", Map.of("number", 80)));
    }

    private static final class Dotted {
        private final List<Object> seen = new ArrayList<>();

        @OnCreate("kex")
        void fn(@Field({"metadata", "annotations", "example.com/size"}) int size) {
            seen.add(size);
        }
    }

    @Test
    @Tag("L62")
    void fieldsOfParametersAreKeysWhereTheseHaveDots() {
        Dotted handlers = new Dotted();
        story.start(handlers);
        story.server.create(Scenario.annotated(Scenario.example(), "example.com/size", "7"));
        story.rest();
        assertThat(handlers.seen).containsExactly(7);
    }

    private static final class Primitive {
        @OnField(value = "kex", field = "spec.size")
        void fn(int oldValue) {}
    }

    @Test
    @Tag("C24")
    void absentValuesFailHandlersThatTakePrimitives() {
        story.start(Primitive.class);
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.size", 1);
        story.rest();
        assertThat(story.lines(Level.ERROR))
                .first()
                .asString()
                .contains("oldValue is absent", "'oldValue'", "primitive type int", "Optional");
    }

    @Test
    @Tag("C21")
    void paramsAndNamespacesAreOptional() {
        story.start(builder -> builder.onCreate("kex", "given", h -> h.param(7), context -> {
                    story.calls.add("" + context.param(Integer.class) + context.namespace());
                    return context.param(String.class);
                })
                .onCreate("kex", "none", context -> {
                    story.calls.add("" + context.param(Integer.class));
                    return null;
                }));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).startsWith("Optional[7]Optional[ns]", "Optional.empty");
        assertThat(story.lines(Level.ERROR)).first().asString().contains("java.lang.Integer", "java.lang.String");
    }
}
