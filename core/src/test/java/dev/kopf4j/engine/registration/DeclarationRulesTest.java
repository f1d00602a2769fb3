package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Filter;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Patch;
import dev.kopf4j.Steps;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Declarations that make no sense are refused when the operator is built, with messages that show the right form. Tests
 * {@code HandlerDeclarationRules}, {@code DaemonDeclarationRules}, {@link AnnotatedClass}, {@link NamedMethods}.
 */
@SuppressWarnings("unused") // the handlers are found by reflection
class DeclarationRulesTest {
    private static final Handler NOTHING = context -> null;

    private static String refusal(List<Registration> registrations) {
        return String.valueOf(assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> RegistryBuilder.build(registrations))
                .actual()
                .getMessage());
    }

    static List<Arguments> nonsense() {
        return List.of(
                refused(
                        b -> b.onField("kopfexamples", "fn", o -> {}, NOTHING),
                        "needs its field",
                        "field = \"spec.size\""),
                refused(
                        b -> b.onCreate("kopfexamples", "fn", o -> o.field("spec..size"), NOTHING),
                        "empty key",
                        "[spec, , size]"),
                refused(b -> b.onCreate("kopfexamples", "fn", o -> o.field(""), NOTHING), "empty key"),
                refused(
                        b -> b.onCreate("kopfexamples", "fn", o -> o.fieldValue(Filter.PRESENT), NOTHING),
                        "needs the field",
                        "field = \"spec.size\""),
                refused(
                        b -> b.onUpdate("kopfexamples", "fn", o -> o.oldValue(Filter.PRESENT), NOTHING),
                        "needs the field"),
                refused(
                        b -> b.onUpdate("kopfexamples", "fn", o -> o.newValue(Filter.PRESENT), NOTHING),
                        "needs the field"),
                refused(
                        b -> b.onUpdate(
                                "kopfexamples",
                                "fn",
                                o -> o.field("spec").fieldValue(Filter.PRESENT).oldValue(Filter.ABSENT),
                                NOTHING),
                        "cannot stand beside",
                        "use either"),
                refused(
                        b -> b.onField(
                                "kopfexamples",
                                "fn",
                                o -> o.field("spec").fieldValue(Filter.PRESENT).newValue(Filter.ABSENT),
                                NOTHING),
                        "cannot stand beside"),
                refused(
                        b -> b.onCreate("kopfexamples", "fn", o -> o.retries(0), NOTHING),
                        "retries",
                        "positive",
                        "0",
                        "leave it out"),
                refused(b -> b.onCreate("kopfexamples", "fn", o -> o.retries(-5), NOTHING), "retries", "-5"),
                refused(
                        b -> b.onCreate("kopfexamples", "fn", o -> o.timeout(Duration.ZERO), NOTHING),
                        "timeout",
                        ": 0s;",
                        "leave it out"),
                refused(
                        b -> b.onCreate("kopfexamples", "fn", o -> o.backoff(Duration.ofSeconds(-1)), NOTHING),
                        "backoff",
                        ": PT-1S;"),
                refused(b -> b.onCreate("kopfexamples", " ", o -> {}, NOTHING), "id is blank"),
                refused(
                        b -> b.onChild("kopfexamples", "pods", "fn", o -> o.parentLabel("app=web"), NOTHING),
                        "parentLabel is 'app=web', and no label can have that key",
                        "example.com/parent"),
                refused(b -> b.onChild("kopfexamples", "pods", "fn", o -> o.parentLabel(""), NOTHING), "is ''"),
                refused(
                        b -> b.onTimer("kopfexamples", "fn", o -> o.interval(Duration.ZERO), NOTHING),
                        "interval",
                        "at least 1 ms",
                        ": 0s;"),
                refused(
                        b -> b.onTimer("kopfexamples", "fn", o -> o.interval(Duration.ofSeconds(-10)), NOTHING),
                        "interval",
                        ": PT-10S;"),
                refused(
                        b -> b.onTimer("kopfexamples", "fn", o -> o.interval(Duration.ofNanos(1)), NOTHING),
                        "interval",
                        "at least 1 ms"),
                refused(
                        b -> b.onTimer("kopfexamples", "fn", o -> o.interval(Duration.ofDays(100_000)), NOTHING),
                        "interval",
                        "at most 3650 days",
                        "leave it out"),
                refused(
                        b -> b.onTimer("kopfexamples", "fn", o -> o.idle(Duration.ZERO), NOTHING),
                        "idle",
                        "at least 1 ms"),
                refused(
                        b -> b.onTimer("kopfexamples", "fn", o -> o.initialDelay(Duration.ofSeconds(-1)), NOTHING),
                        "initialDelay",
                        "not be negative",
                        ": PT-1S;"),
                refused(
                        b -> b.onDaemon("kopfexamples", "fn", o -> o.initialDelay(Duration.ofDays(5000)), NOTHING),
                        "initialDelay",
                        "at most"),
                refused(b -> b.onTimer("kopfexamples", "fn", o -> o.sharp(), NOTHING), "sharp", "interval", "missing"),
                refused(
                        b -> b.onDaemon(
                                "kopfexamples", "fn", o -> o.cancellationBackoff(Duration.ofSeconds(-1)), NOTHING),
                        "cancellationBackoff",
                        "not be negative"),
                refused(
                        b -> b.onDaemon(
                                "kopfexamples", "fn", o -> o.cancellationTimeout(Duration.ofSeconds(-1)), NOTHING),
                        "cancellationTimeout",
                        "not be negative"),
                refused(
                        b -> b.onDaemon("kopfexamples", "fn", o -> o.cancellationPolling(Duration.ZERO), NOTHING),
                        "cancellationPolling",
                        "at least"),
                refused(b -> b.onTimer("kopfexamples", "fn", o -> o.retries(0), NOTHING), "retries", "positive"));
    }

    private static Arguments refused(UnaryOperator<OperatorBuilder> handler, String... said) {
        return Arguments.of(Named.of(String.join(" ", said), handler.apply(Operator.builder())), List.of(said));
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    @Tag("C18")
    void refusesNonsenseOfTheBuilder(OperatorBuilder builder, List<String> said) {
        assertThat(refusal(OperatorPlan.of(builder).registrations()))
                .contains(said)
                .containsAnyOf("handler 'fn", "handler ' ");
    }

    @Test
    @Tag("C18")
    void refusesAnOperatorWithoutHandlers() {
        assertThat(refusal(List.of())).contains("there are no handlers", "@OnCreate(");
        assertThat(refusal(List.of(new Registration.Annotated(new Object())))).contains("there are no handlers");
    }

    @Test
    @Tag("C18")
    void refusesAnObjectWithoutHandlersBesideOthers() {
        assertThat(refusal(List.of(
                        new Registration.Annotated(new Proxied()), new Registration.Annotated("an ordinary object"))))
                .contains("there are no handlers in java.lang.String", "do not register it");
        assertThat(refusal(List.of(new Registration.Annotated(List.of(new Proxied())))))
                .contains("there are no handlers in java.util.", "handlers(*list.toTypedArray())");
    }

    /** As {@code Websites::class} is one. */
    @Test
    void refusesAClassOfKotlinInsteadOfOneOfJava() throws Exception {
        ClassDesc type = ClassDesc.of("kotlin.reflect.KClass");
        ClassDesc reference = ClassDesc.of("kotlin.jvm.internal.ClassReference");
        byte[] file = ClassFile.of()
                .build(
                        type,
                        made -> made.withFlags(
                                ClassFile.ACC_PUBLIC | ClassFile.ACC_INTERFACE | ClassFile.ACC_ABSTRACT));
        byte[] implementation = ClassFile.of()
                .build(
                        reference,
                        made -> made.withFlags(ClassFile.ACC_PUBLIC)
                                .withInterfaceSymbols(type)
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_PUBLIC,
                                        code -> code.aload(0)
                                                .invokespecial(
                                                        ConstantDescs.CD_Object,
                                                        ConstantDescs.INIT_NAME,
                                                        ConstantDescs.MTD_void)
                                                .return_()));
        Object given = new ClassLoader() {
            Class<?> define() {
                defineClass(null, file, 0, file.length);
                return defineClass(null, implementation, 0, implementation.length);
            }
        }.define().getConstructor().newInstance();
        assertThat(refusal(List.of(new Registration.Annotated(given))))
                .contains("in Kotlin, a class is given as Websites::class.java");
    }

    static class Proxied {
        String called = "";

        @OnCreate("kex")
        void create(String name) {
            called = name;
        }
    }

    /** As Spring's CGLIB makes them: an override without annotations and names of parameters. */
    static final class Proxied$$SpringCGLIB$$0 extends Proxied {
        @Override
        void create(String arg0) {
            called = "by the proxy";
        }
    }

    @Test
    @Tag("C18")
    void aProxyHasTheHandlersOfItsClass() throws Exception {
        Proxied proxy = new Proxied$$SpringCGLIB$$0();
        var registry = RegistryBuilder.build(List.of(new Registration.Annotated(proxy)));
        assertThat(registry.handlers())
                .singleElement()
                .satisfies(handler -> assertThat(handler.id()).isEqualTo("create"));
        assertThat(HandlerMethods.written(proxy)).isEqualTo(Proxied.class);
        assertThat(new HandlerInstance(proxy, false)
                        .of(HandlerMethods.of(Proxied.class).getFirst())
                        .get())
                .isSameAs(proxy);
    }

    private static final class TwoValues {
        @OnCreate(value = "kex", field = "spec.a", fieldValue = "x", fieldValueJson = "1")
        void fn() {}
    }

    private static final class NoMethodOfLabel {
        @OnCreate(value = "kex", labelWhen = "app")
        void fn() {}
    }

    private static final class TestOfMore {
        @OnCreate(resourceWhen = "isOurs")
        void fn() {}

        boolean isOurs(dev.kopf4j.Resource resource, String more) {
            return true;
        }
    }

    private static final class TwoParams {
        @OnCreate(value = "kex", param = "a", paramBy = "made")
        void fn() {}

        int made() {
            return 1;
        }
    }

    private static final class ParamOfNothing {
        @OnCreate(value = "kex", paramBy = "made")
        void fn() {}

        void made() {}
    }

    private static final class ParamThatFails {
        @OnCreate(value = "kex", paramBy = "made")
        void fn() {}

        int made() {
            return Integer.parseInt("no number");
        }
    }

    private static final class ParamThatDoesNotFit {
        @OnCreate(value = "kex", param = "many")
        void fn(int param) {}
    }

    private static final class ParamThatIsMissing {
        @OnCreate("kex")
        void fn(int param) {}
    }

    private static final class FieldOfNothing {
        @OnCreate("kex")
        void fn(@dev.kopf4j.Field("spec..a") String field) {}
    }

    private static final class NoJson {
        @OnCreate(value = "kex", field = "spec.a", fieldValueJson = "{a:")
        void fn() {}
    }

    private static final class TwoJsons {
        @OnCreate(value = "kex", field = "spec.a", fieldValueJson = "1 2")
        void fn() {}
    }

    private static final class NoDuration {
        @OnCreate(value = "kex", timeout = "soon")
        void fn() {}
    }

    private static final class Malformed {
        @OnCreate(value = "kex", labels = "app=(x)")
        void fn() {}
    }

    private static final class NoSuchMethod {
        @OnCreate(value = "kex", when = "isReady")
        void fn() {}
    }

    private static final class NotBoolean {
        @OnCreate(value = "kex", when = "isReady")
        void fn() {}

        String isReady() {
            return "";
        }
    }

    private static final class FilterWithSteps {
        @OnCreate(value = "kex", when = "isReady")
        void fn() {}

        boolean isReady(Steps steps) {
            return true;
        }
    }

    private static final class FilterWithSubHandlers {
        @OnCreate(value = "kex", field = "spec.a", fieldValueWhen = "isReady")
        void fn() {}

        boolean isReady(String value, SubHandlers subHandlers) {
            return true;
        }
    }

    private static final class FilterWithPatch {
        @OnCreate(value = "kex", when = "isReady")
        void fn() {}

        boolean isReady(Patch patch) {
            return true;
        }
    }

    private static final class DelayWithStopped {
        @OnTimer(value = "kex", interval = "1m", initialDelayBy = "delay")
        void fn() {}

        Duration delay(Stopped stopped) {
            return Duration.ZERO;
        }
    }

    private static final class WithoutValue {
        @OnCreate(value = "kex", field = "spec.a", fieldValueWhen = "fits")
        void fn() {}

        boolean fits() {
            return true;
        }
    }

    private static final class PrimitiveValue {
        @OnCreate(value = "kex", field = "spec.a", fieldValueWhen = "fits")
        void fn() {}

        boolean fits(int value) {
            return true;
        }
    }

    private static final class NamedTwice {
        @OnCreate(value = "kex", kind = "KopfExample")
        void fn() {}
    }

    private static final class NotNamed {
        @OnCreate
        void fn() {}
    }

    private static final class FourParts {
        @OnCreate({"a", "b", "c", "d"})
        void fn() {}
    }

    private static final class GroupTwice {
        @OnCreate(
                value = {"kopf.dev", "v1", "kopfexamples"},
                group = "zalando.org")
        void fn() {}
    }

    private static final class UnknownModel {
        @OnCreate(model = StringBuilder.class)
        void fn() {}
    }

    private static final class ModelAndName {
        @OnCreate(value = "kex", model = StringBuilder.class)
        void fn() {}
    }

    private static final class SettingsInHandler {
        @OnCreate("kex")
        void fn(OperatorSettings settings) {}
    }

    private static final class UnknownParameter {
        @OnCreate("kex")
        void fn(StringBuilder mystery) {}
    }

    private static final class DiffOfEvent {
        @OnEvent("kex")
        void fn(dev.kopf4j.Diff diff) {}
    }

    private static final class OldOfEvent {
        @OnEvent("kex")
        void fn(@Nullable Object oldValue) {}
    }

    private static final class OldWord {
        @OnUpdate("kex")
        void fn(@Nullable Object old) {}
    }

    private static final class TypeOfChange {
        @OnUpdate("kex")
        void fn(String type) {}
    }

    private static final class TypeAsText {
        @OnEvent("kex")
        void fn(String type) {}
    }

    private abstract static class Abstract {
        @OnCreate("kex")
        void fn() {}
    }

    private static final class NoConstructor {
        NoConstructor(String needed) {}

        @OnCreate("kex")
        void fn() {}
    }

    static List<Arguments> classes() {
        return List.of(
                annotated(TwoValues.class, "one of fieldValue, fieldValueJson, fieldValueWhen"),
                annotated(NoMethodOfLabel.class, "labelWhen is 'app'", "\"app=isWeb\""),
                annotated(TestOfMore.class, "named by resourceWhen", "a Resource, and nothing else"),
                annotated(TwoParams.class, "either param or paramBy"),
                annotated(ParamOfNothing.class, "no parameters, and return the value"),
                annotated(ParamThatFails.class, "named by paramBy, has failed", "no number"),
                annotated(ParamThatDoesNotFit.class, "'int param'", "'many'"),
                annotated(ParamThatIsMissing.class, "'int param'", "param = \"...\""),
                annotated(FieldOfNothing.class, "@Field names no field"),
                annotated(NoJson.class, "fieldValueJson is not JSON", "{a:"),
                annotated(TwoJsons.class, "fieldValueJson is not JSON: '1 2'", "more than one value"),
                annotated(NoDuration.class, "timeout is not a duration: 'soon'", "\"1m30s\""),
                annotated(Malformed.class, "malformed at position 5", "!legacy"),
                annotated(NoSuchMethod.class, "'isReady'", "has 0", "returns a boolean"),
                annotated(NotBoolean.class, "returns String", "must return a boolean"),
                annotated(FilterWithSteps.class, "'Steps steps'", "asked before the handler is called"),
                annotated(FilterWithSubHandlers.class, "'SubHandlers subHandlers'", "take them in the handler"),
                annotated(FilterWithPatch.class, "'Patch patch'", "change nothing"),
                annotated(DelayWithStopped.class, "'Stopped stopped'", "initialDelayBy"),
                annotated(WithoutValue.class, "no parameter for the value"),
                annotated(PrimitiveValue.class, "primitive", "null where the field is absent", "boxed"),
                annotated(NamedTwice.class, "several ways", "[kex, KopfExample]"),
                annotated(NotNamed.class, "no resource is named", "\"kopfexamples\""),
                annotated(FourParts.class, "one to three parts"),
                annotated(GroupTwice.class, "group is given twice", "'kopf.dev'", "'zalando.org'"),
                annotated(UnknownModel.class, "no integration knows java.lang.StringBuilder", "kopf4j-fabric8"),
                annotated(ModelAndName.class, "several ways", "[kex, java.lang.StringBuilder]"),
                annotated(UnknownParameter.class, "'StringBuilder mystery'", "possible are"),
                annotated(DiffOfEvent.class, "event handlers know of no change"),
                annotated(OldOfEvent.class, "event handlers know of no change"),
                annotated(OldWord.class, "'Object old'", "called oldValue, beside newValue"),
                annotated(TypeOfChange.class, "only event handlers have an event type"),
                annotated(TypeAsText.class, "'String type'", "take EventType"),
                annotated(Abstract.class, "abstract class", "extends it"),
                annotated(NoConstructor.class, "no constructor without arguments", "new NoConstructor(...)"));
    }

    private static Arguments annotated(Class<?> type, String... said) {
        return Arguments.of(Named.of(type.getSimpleName(), type), List.of(said));
    }

    @ParameterizedTest
    @MethodSource("classes")
    @Tag("C18")
    @Tag("A17")
    void refusesNonsenseOfAnnotations(Class<?> type, List<String> said) {
        String message = refusal(List.of(new Registration.Annotated(type)));
        assertThat(message).contains(said).contains(type.getSimpleName());
    }

    @Test
    @Tag("L29")
    void settingsAreNotForHandlersOfObjects() {
        assertThat(refusal(List.of(new Registration.Annotated(SettingsInHandler.class))))
                .contains("'OperatorSettings settings'", "SettingsInHandler.fn", "OperatorBuilder.settings");
    }

    private static final class Twins {
        @OnCreate("kex")
        void fn(String name) {}

        @OnCreate("kex")
        void fn(int retry) {}
    }

    private static final class One {
        @OnCreate("kex")
        void fn() {}
    }

    private static final class Other {
        @OnField(value = "kex", id = "fn", field = "spec")
        void otherField() {}

        @OnUpdate("kex")
        void fn() {}

        @OnCreate("pods")
        static void fn(String name) {}
    }

    private static final class Resuming {
        @OnResume("kex")
        void fn() {}
    }

    private static final class ResumingDeleted {
        @OnResume(value = "kex", deleted = true)
        void fn() {}
    }

    private static final class Updating {
        @OnUpdate("kex")
        void fn() {}
    }

    private static final class Deleting {
        @OnDelete("kex")
        void fn() {}
    }

    private static final class Everything {
        @OnDelete(value = "*", id = "fn")
        void any() {}

        @OnCreate(value = "*", id = "fn")
        void every() {}
    }

    @Test
    @Tag("L17")
    void refusesOneIdForTwoFunctionsOnOneOccasion() {
        assertThat(refusal(List.of(new Registration.Annotated(Twins.class))))
                .contains(
                        "two different functions have the id 'fn'",
                        "Twins.fn(String)",
                        "Twins.fn(int)",
                        "id = \"other\"");
        assertThat(refusal(List.of(
                        new Registration.Annotated(Updating.class), new Registration.Annotated(Resuming.class))))
                .contains("Updating.fn()", "Resuming.fn()");
        assertThat(refusal(List.of(
                        new Registration.Annotated(Deleting.class), new Registration.Annotated(ResumingDeleted.class))))
                .contains("Deleting.fn()", "ResumingDeleted.fn()");
        assertThat(refusal(
                        List.of(new Registration.Annotated(One.class), new Registration.Annotated(Everything.class))))
                .contains("Everything.every()");
    }

    @Test
    @Tag("L17")
    void letsOneIdBeWhereOccasionsDiffer() {
        assertThat(RegistryBuilder.build(
                                List.of(new Registration.Annotated(One.class), new Registration.Annotated(Other.class)))
                        .handlers())
                .hasSize(4);
    }

    /** No object is created and resumed at once. */
    @Test
    @Tag("L17")
    void whoResumesMayHaveTheIdOfWhoCreatesOrDeletes() {
        assertThat(RegistryBuilder.build(List.of(
                                new Registration.Annotated(One.class),
                                new Registration.Annotated(Deleting.class),
                                new Registration.Annotated(Resuming.class)))
                        .handlers())
                .hasSize(3);
        assertThat(RegistryBuilder.build(List.of(
                                new Registration.Annotated(One.class),
                                new Registration.Annotated(ResumingDeleted.class)))
                        .handlers())
                .hasSize(2);
    }

    @Test
    @Tag("L06")
    void saysHowToRegisterOneFunctionTwice() {
        assertThat(refusal(OperatorPlan.of(Operator.builder()
                                .onUpdate("kex", "fn", context -> null)
                                .onResume("kex", "fn", context -> null))
                        .registrations()))
                .contains("'fn'", "kept in a variable");
    }

    private static final class Absurd {
        @OnCreate(
                value = "kex",
                labels = "a,!a,b=,c notin (,)",
                annotations = {"x", "!x"},
                field = "spec.a",
                fieldValue = Filter.ABSENT)
        void fn() {}
    }

    @Test
    @Tag("C18")
    void filtersThatNothingCanPassAreNoMistake() {
        assertThat(RegistryBuilder.build(List.of(new Registration.Annotated(Absurd.class)))
                        .handlers())
                .hasSize(1);
    }
}
