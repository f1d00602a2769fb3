package dev.kopf4j.engine.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Filter;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerFixtures;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link DeclaredOptions}, {@link ValueFilter}: what options are made of. */
class DeclaredOptionsTest {
    private static final HandlerContext CONTEXT = HandlerFixtures.contexts()
            .forFilters(
                    HandlerFixtures.creation("fn"),
                    HandlerFixtures.subject("{'metadata':{'name':'x'}}"),
                    new InvocationCause.Changing(HandlerFixtures.cause(Reason.CREATE, false, null, "{}")))
            .get();

    private static DeclaredOptions update(Consumer<? super OnUpdate.Options> options) {
        DeclaredOptions.Update given = new DeclaredOptions.Update();
        options.accept(given);
        return given.options();
    }

    private static DeclaredOptions timer(Consumer<? super OnTimer.Options> options) {
        DeclaredOptions.Timer given = new DeclaredOptions.Timer();
        options.accept(given);
        return given.options();
    }

    private static boolean passes(@Nullable ValueFilter filter, Object value) {
        return Objects.requireNonNull(filter).passes(Json.fromJava(value), () -> CONTEXT);
    }

    private static boolean isLarge(@Nullable Object value) {
        return value instanceof Integer number && number > 10;
    }

    /** Each lets 11 pass, and not 5. */
    static List<Named<Consumer<OnUpdate.Options>>> forms() {
        Predicate<Object> variable = DeclaredOptionsTest::isLarge;
        return List.of(
                Named.of("literal", h -> h.fieldValue(11).oldValue(11).newValue(11.0)),
                Named.of(
                        "lambda",
                        h -> h.fieldValue(v -> isLarge(v))
                                .oldValue(v -> isLarge(v))
                                .newValue(v -> isLarge(v))),
                Named.of(
                        "method reference",
                        h -> h.fieldValue(DeclaredOptionsTest::isLarge)
                                .oldValue(DeclaredOptionsTest::isLarge)
                                .newValue(DeclaredOptionsTest::isLarge)),
                Named.of(
                        "combination",
                        h -> h.fieldValue(Filter.not(v -> !isLarge(v)))
                                .oldValue(Filter.all(variable, Objects::nonNull))
                                .newValue(Filter.any(variable))),
                Named.of(
                        "variable",
                        h -> h.fieldValue(variable).oldValue(variable).newValue(variable)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    @Tag("L11")
    @Tag("L12")
    void valuesAreGivenOrTested(Consumer<OnUpdate.Options> form) {
        DeclaredOptions declared = update(form);
        for (ValueFilter filter : List.of(
                Objects.requireNonNull(declared.value()),
                Objects.requireNonNull(declared.oldValue()),
                Objects.requireNonNull(declared.newValue()))) {
            assertThat(passes(filter, 11)).isTrue();
            assertThat(passes(filter, 5)).isFalse();
        }
    }

    @Test
    @Tag("L12")
    void testsMayAskForTheContext() {
        BiPredicate<@Nullable Object, HandlerContext> ofX =
                (value, context) -> context.name().equals("x");
        DeclaredOptions declared = update(h -> h.fieldValue(ofX)
                .oldValue((value, context) -> value != null)
                .newValue((value, context) -> context.name().equals("y")));
        assertThat(passes(declared.value(), 1)).isTrue();
        assertThat(passes(declared.oldValue(), 1)).isTrue();
        assertThat(passes(declared.newValue(), 1)).isFalse();
    }

    @Test
    @Tag("L11")
    void wordsStandForPresentAndAbsentValues() {
        DeclaredOptions declared = update(
                h -> h.fieldValue(Filter.ANYTHING).oldValue(Filter.ABSENT).newValue(Filter.PRESENT));
        assertThat(declared.value()).isNull();
        assertThat(declared.oldValue()).isEqualTo(new ValueFilter.Absent());
        assertThat(declared.newValue()).isEqualTo(new ValueFilter.Present());
    }

    /** A test of texts is no test of values: without the refusal, it would silently be a value to be equal to. */
    @Test
    @Tag("L11")
    void refusesWhatNoFieldCanHave() {
        Predicate<String> ofText = "a"::equals;
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> update(h -> h.fieldValue(ofText)))
                .withMessageContaining("fieldValue is a " + getClass().getName())
                .withMessageContaining("a lambda of the value");
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> update(h -> h.oldValue(new Object())))
                .withMessageContaining("oldValue is a java.lang.Object");
        assertThat(update(h -> h.newValue(Map.of("k", List.of(true, 1.5)))).newValue())
                .isNotNull();
    }

    @Test
    @Tag("L62")
    void fieldsAreDottedOrKeys() {
        assertThat(update(h -> h.field("spec.size")).field()).containsExactly("spec", "size");
        assertThat(update(h -> h.field(List.of("metadata", "labels", "x.io/y"))).field())
                .containsExactly("metadata", "labels", "x.io/y");
    }

    @Test
    @Tag("C14")
    @Tag("C17")
    void oneSetOfFiltersServesSeveralKindsAndEachAddsToIt() {
        Consumer<HandlerOptions<?>> common = h -> h.labels("app=web").when(context -> true);
        DeclaredOptions updated =
                update(common.andThen(h -> h.labels("!legacy", "tier").when(context -> false)));
        DeclaredOptions timed = timer(h -> {
            common.accept(h);
            h.interval(Duration.ofSeconds(10));
        });
        assertThat(updated.labels()).hasSize(3);
        assertThat(updated.when()).hasSize(2);
        assertThat(timed.labels()).hasSize(1);
        assertThat(timed.interval()).isEqualTo(Duration.ofSeconds(10));
    }
}
