package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Filter;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.ValueFilter;
import dev.kopf4j.engine.OperatorPlan;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
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
 * {@code HandlerDeclarationRules}, {@code DaemonDeclarationRules}, {@link AnnotatedClass}, {@link FilterMethods}.
 */
@SuppressWarnings("unused") // the handlers are found by reflection
class DeclarationRulesTest {
    private static String refusal(List<Registration> registrations) {
        return String.valueOf(assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> RegistryBuilder.build(registrations))
                .actual()
                .getMessage());
    }

    static List<Arguments> nonsense() {
        return List.of(
                built(o -> o, OperatorBuilderMethods.FIELD, "needs its field", "field = \"spec.size\""),
                built(o -> o.field("spec..size"), OperatorBuilderMethods.CREATE, "empty key", "[spec, , size]"),
                built(o -> o.field(""), OperatorBuilderMethods.CREATE, "empty key"),
                built(
                        o -> o.value(ValueFilter.present()),
                        OperatorBuilderMethods.CREATE,
                        "needs the field",
                        "field = \"spec.size\""),
                built(o -> o.oldValue(ValueFilter.present()), OperatorBuilderMethods.UPDATE, "needs the field"),
                built(o -> o.newValue(ValueFilter.present()), OperatorBuilderMethods.UPDATE, "needs the field"),
                built(
                        o -> o.field("spec").value(ValueFilter.present()).oldValue(ValueFilter.absent()),
                        OperatorBuilderMethods.UPDATE,
                        "cannot stand beside",
                        "use either"),
                built(
                        o -> o.field("spec").value(ValueFilter.present()).newValue(ValueFilter.absent()),
                        OperatorBuilderMethods.FIELD,
                        "cannot stand beside"),
                built(
                        o -> o.field("spec").oldValue(ValueFilter.absent()),
                        OperatorBuilderMethods.CREATE,
                        "for update and field handlers",
                        "fieldValue"),
                built(
                        o -> o.field("spec").newValue(ValueFilter.absent()),
                        OperatorBuilderMethods.DELETE,
                        "for update and field handlers"),
                built(
                        o -> o.field("spec").newValue(ValueFilter.absent()),
                        OperatorBuilderMethods.EVENT,
                        "for update and field handlers"),
                built(o -> o.retries(0), OperatorBuilderMethods.CREATE, "retries", "positive", "0", "leave it out"),
                built(o -> o.retries(-5), OperatorBuilderMethods.CREATE, "retries", "-5"),
                built(o -> o.timeout(Duration.ZERO), OperatorBuilderMethods.CREATE, "timeout", "PT0S", "leave it out"),
                built(o -> o.backoff(Duration.ofSeconds(-1)), OperatorBuilderMethods.CREATE, "backoff", "PT-1S"),
                built(o -> o.optional(), OperatorBuilderMethods.CREATE, "optional", "@OnDelete("),
                built(o -> o.deleted(), OperatorBuilderMethods.DELETE, "deleted", "@OnResume("),
                built(o -> o.errors(ErrorsMode.PERMANENT), OperatorBuilderMethods.EVENT, "no meaning", "remove them"),
                built(o -> o.retries(1), OperatorBuilderMethods.EVENT, "no meaning"),
                built(o -> o.backoff(Duration.ofSeconds(1)), OperatorBuilderMethods.EVENT, "no meaning"),
                built(o -> o.timeout(Duration.ofSeconds(1)), OperatorBuilderMethods.EVENT, "no meaning"),
                built(o -> o.id(" "), OperatorBuilderMethods.CREATE, "id is blank"),
                built(
                        o -> o.interval(Duration.ZERO),
                        OperatorBuilderMethods.TIMER,
                        "interval",
                        "at least 1 ms",
                        "PT0S"),
                built(o -> o.interval(Duration.ofSeconds(-10)), OperatorBuilderMethods.TIMER, "interval", "PT-10S"),
                built(o -> o.interval(Duration.ofNanos(1)), OperatorBuilderMethods.TIMER, "interval", "at least 1 ms"),
                built(
                        o -> o.interval(Duration.ofDays(100_000)),
                        OperatorBuilderMethods.TIMER,
                        "interval",
                        "at most 3650 days",
                        "leave it out"),
                built(o -> o.idle(Duration.ZERO), OperatorBuilderMethods.TIMER, "idle", "at least 1 ms"),
                built(
                        o -> o.initialDelay(Duration.ofSeconds(-1)),
                        OperatorBuilderMethods.TIMER,
                        "initialDelay",
                        "not be negative",
                        "PT-1S"),
                built(
                        o -> o.initialDelay(Duration.ofDays(5000)),
                        OperatorBuilderMethods.DAEMON,
                        "initialDelay",
                        "at most"),
                built(o -> o.sharp(), OperatorBuilderMethods.TIMER, "sharp", "interval", "missing"),
                built(
                        o -> o.cancellationBackoff(Duration.ofSeconds(-1)),
                        OperatorBuilderMethods.DAEMON,
                        "cancellationBackoff",
                        "not be negative"),
                built(
                        o -> o.cancellationTimeout(Duration.ofSeconds(-1)),
                        OperatorBuilderMethods.DAEMON,
                        "cancellationTimeout",
                        "not be negative"),
                built(
                        o -> o.cancellationPolling(Duration.ZERO),
                        OperatorBuilderMethods.DAEMON,
                        "cancellationPolling",
                        "at least"),
                built(o -> o.interval(Duration.ofSeconds(1)), OperatorBuilderMethods.DAEMON, "for timers", "@OnTimer("),
                built(o -> o.idle(Duration.ofSeconds(1)), OperatorBuilderMethods.CREATE, "for timers", "@OnTimer("),
                built(
                        o -> o.cancellationTimeout(Duration.ofSeconds(1)),
                        OperatorBuilderMethods.TIMER,
                        "for daemons",
                        "@OnDaemon("),
                built(
                        o -> o.initialDelay(Duration.ofSeconds(1)),
                        OperatorBuilderMethods.EVENT,
                        "for daemons and timers"),
                built(o -> o.optional(), OperatorBuilderMethods.DAEMON, "optional", "@OnDelete("),
                built(o -> o.retries(0), OperatorBuilderMethods.TIMER, "retries", "positive"));
    }

    /** The methods of the builder by kind. */
    private enum OperatorBuilderMethods {
        CREATE,
        UPDATE,
        DELETE,
        FIELD,
        EVENT,
        DAEMON,
        TIMER;

        OperatorBuilder add(UnaryOperator<HandlerOptions> options) {
            OperatorBuilder builder = Operator.builder();
            return switch (this) {
                case CREATE -> builder.onCreate("kopfexamples", options, context -> null);
                case UPDATE -> builder.onUpdate("kopfexamples", options, context -> null);
                case DELETE -> builder.onDelete("kopfexamples", options, context -> null);
                case FIELD -> builder.onField("kopfexamples", options, context -> null);
                case EVENT -> builder.onEvent("kopfexamples", options, context -> null);
                case DAEMON -> builder.onDaemon("kopfexamples", options, context -> null);
                case TIMER -> builder.onTimer("kopfexamples", options, context -> null);
            };
        }
    }

    private static Arguments built(UnaryOperator<HandlerOptions> options, OperatorBuilderMethods kind, String... said) {
        Function<OperatorBuilderMethods, OperatorBuilder> builder = any -> kind.add(o -> options.apply(o.id("fn")));
        return Arguments.of(Named.of(kind + " " + String.join(" ", said), builder.apply(kind)), List.of(said));
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
    @Tag("C20")
    void refusesFunctionsWithoutAnId() {
        assertThat(refusal(OperatorPlan.of(Operator.builder().onCreate("kopfexamples", o -> o, context -> null))
                        .registrations()))
                .contains("onCreate(\"kopfexamples\"", "has no id", "h -> h.id(\"make\")");
    }

    @Test
    @Tag("C18")
    void refusesAnOperatorWithoutHandlers() {
        assertThat(refusal(List.of())).contains("there are no handlers", "@OnCreate(");
        assertThat(refusal(List.of(new Registration.Annotated(new Object())))).contains("there are no handlers");
    }

    private static final class TwoValues {
        @OnCreate(value = "kex", field = "spec.a", fieldValue = "x", fieldValueJson = "1")
        void fn() {}
    }

    private static final class TwoFields {
        @OnCreate(value = "kex", field = "spec.a", fieldKeys = "spec")
        void fn() {}
    }

    private static final class NoJson {
        @OnCreate(value = "kex", field = "spec.a", fieldValueJson = "{a:")
        void fn() {}
    }

    private static final class NoDuration {
        @OnCreate(value = "kex", timeout = "soon")
        void fn() {}
    }

    private static final class TwoModes {
        @OnCreate(
                value = "kex",
                errors = {ErrorsMode.IGNORED, ErrorsMode.PERMANENT})
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
                annotated(TwoFields.class, "either field or fieldKeys"),
                annotated(NoJson.class, "fieldValueJson is not JSON", "{a:"),
                annotated(NoDuration.class, "timeout is not a duration: 'soon'", "\"1m30s\""),
                annotated(TwoModes.class, "errors has one mode", "[IGNORED, PERMANENT]"),
                annotated(Malformed.class, "malformed at position 5", "!legacy"),
                annotated(NoSuchMethod.class, "'isReady'", "has 0", "returns a boolean"),
                annotated(NotBoolean.class, "returns String", "must return a boolean"),
                annotated(WithoutValue.class, "no parameter for the value"),
                annotated(PrimitiveValue.class, "primitive", "null where the field is absent", "boxed"),
                annotated(NamedTwice.class, "several ways", "[KopfExample, kex]"),
                annotated(NotNamed.class, "no resource is named", "\"kopfexamples\""),
                annotated(FourParts.class, "one to three parts"),
                annotated(GroupTwice.class, "group is given twice", "'kopf.dev'", "zalando.org"),
                annotated(UnknownModel.class, "no integration knows java.lang.StringBuilder", "kopf4j-fabric8"),
                annotated(ModelAndName.class, "either a name or a model", "[kex]"),
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
        assertThat(refusal(List.of(new Registration.Annotated(One.class), new Registration.Annotated(Resuming.class))))
                .contains("One.fn()", "Resuming.fn()");
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

    @Test
    @Tag("L06")
    void saysHowToRegisterOneFunctionTwice() {
        assertThat(refusal(OperatorPlan.of(Operator.builder()
                                .onCreate("kex", o -> o.id("fn"), context -> null)
                                .onResume("kex", o -> o.id("fn"), context -> null))
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
