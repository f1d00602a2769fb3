package dev.kopf4j.engine.call;

import static dev.kopf4j.engine.call.HandlerFixtures.cause;
import static dev.kopf4j.engine.call.HandlerFixtures.contexts;
import static dev.kopf4j.engine.call.HandlerFixtures.creation;
import static dev.kopf4j.engine.call.HandlerFixtures.delete;
import static dev.kopf4j.engine.call.HandlerFixtures.event;
import static dev.kopf4j.engine.call.HandlerFixtures.field;
import static dev.kopf4j.engine.call.HandlerFixtures.json;
import static dev.kopf4j.engine.call.HandlerFixtures.resume;
import static dev.kopf4j.engine.call.HandlerFixtures.subject;
import static dev.kopf4j.engine.call.HandlerFixtures.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kopf4j.Body;
import dev.kopf4j.DueHandler;
import dev.kopf4j.Filter;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.OnResume;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link HandlerSelection}: which handlers are chosen by reasons, filters, fields and lifecycles. */
class HandlerSelectionTest {
    private static final String PLAIN = "{}";

    private static boolean selected(
            RegisteredHandler handler, Reason reason, boolean initial, @Nullable String before, String now) {
        return !HandlerSelection.forChange(
                        List.of(handler),
                        subject(now),
                        new InvocationCause.Changing(cause(reason, initial, before, now)),
                        contexts())
                .isEmpty();
    }

    private static boolean onUpdate(RegisteredHandler handler, String before, String now) {
        return selected(handler, Reason.UPDATE, false, before, now);
    }

    @ParameterizedTest
    @Tag("C02")
    @Tag("C03")
    @Tag("C04")
    @Tag("C06")
    @Tag("C07")
    @Tag("C08")
    @CsvSource(textBlock = """
            CREATE, false, true,  false, false, false, false
            UPDATE, false, false, true,  false, false, false
            UPDATE, true,  false, true,  false, true,  true
            DELETE, false, false, false, true,  false, false
            DELETE, true,  false, false, true,  false, true
            RESUME, true,  false, false, false, true,  true
            """)
    void reasonsChooseTheKindsOfHandlers(
            Reason reason,
            boolean initial,
            boolean creates,
            boolean updates,
            boolean deletes,
            boolean resumes,
            boolean resumesDeleted) {
        Consumer<HandlerOptions<?>> plain = h -> {};
        assertThat(selected(creation(plain), reason, initial, PLAIN, PLAIN)).isEqualTo(creates);
        assertThat(selected(update(plain), reason, initial, PLAIN, PLAIN)).isEqualTo(updates);
        assertThat(selected(delete(plain), reason, initial, PLAIN, PLAIN)).isEqualTo(deletes);
        assertThat(selected(resume(plain), reason, initial, PLAIN, PLAIN)).isEqualTo(resumes);
        assertThat(selected(resume(OnResume.Options::deleted), reason, initial, PLAIN, PLAIN))
                .isEqualTo(resumesDeleted);
    }

    @ParameterizedTest
    @Tag("C09")
    @EnumSource(
            value = Reason.class,
            names = {"CREATE", "UPDATE", "DELETE", "RESUME"})
    void fieldHandlersAreForAnyReasonInWhichTheFieldDiffers(Reason reason) {
        RegisteredHandler handler = field(h -> h.field("spec.a"));
        assertThat(selected(handler, reason, false, "{'spec':{'a':1}}", "{'spec':{'a':2}}"))
                .isTrue();
        assertThat(selected(handler, reason, false, "{'spec':{'a':1}}", "{'spec':{'a':1.0,'b':1}}"))
                .isFalse();
        assertThat(selected(handler, reason, false, null, "{'spec':{'a':1}}")).isTrue();
        assertThat(selected(handler, reason, false, "{'spec':{'a':1}}", "{}")).isTrue();
        assertThat(selected(handler, reason, false, "{'spec':{'b':1}}", "{}")).isFalse();
        assertThat(selected(handler, reason, false, null, "{'spec':{'b':1}}")).isFalse();
    }

    /** As with Kopf: a null is a value, and an absent field is none. */
    @Test
    @Tag("C09")
    @Tag("C10")
    void aFieldThatIsNullIsThere() {
        String none = "{'spec':{'x':null}}";
        assertThat(selected(creation(h -> h.field("spec.x")), Reason.CREATE, false, null, none))
                .isTrue();
        assertThat(selected(field(h -> h.field("spec.x")), Reason.CREATE, false, null, none))
                .isTrue();
        assertThat(selected(field(h -> h.field("spec.x")), Reason.UPDATE, false, none, none))
                .isFalse();
        assertThat(selected(
                        creation(h -> h.field("spec.x").fieldValue(Filter.PRESENT)), Reason.CREATE, false, null, none))
                .isTrue();
        assertThat(selected(resume(h -> h.field("spec.x").fieldValue(Filter.ABSENT)), Reason.RESUME, true, none, none))
                .isFalse();
        assertThat(selected(creation(h -> h.field("spec.x.y")), Reason.CREATE, false, null, none))
                .isFalse();
        assertThat(onUpdate(field(h -> h.field("spec.x").oldValue(Filter.PRESENT)), none, "{'spec':{'x':1}}"))
                .isTrue();
        assertThat(onUpdate(field(h -> h.field("spec.x").newValue(Filter.ABSENT)), "{'spec':{'x':1}}", none))
                .isFalse();
    }

    @Test
    @Tag("C10")
    void fieldsOfOtherHandlersNeedNotHaveChanged() {
        assertThat(selected(creation(h -> h.field("spec.a")), Reason.CREATE, false, null, "{'spec':{'a':1}}"))
                .isTrue();
        assertThat(selected(creation(h -> h.field("spec.a")), Reason.CREATE, false, null, "{'spec':{}}"))
                .isFalse();
        assertThat(selected(
                        resume(h -> h.field("spec.a")), Reason.RESUME, true, "{'spec':{'a':1}}", "{'spec':{'a':1}}"))
                .isTrue();
        assertThat(selected(delete(h -> h.field("spec.a")), Reason.DELETE, false, "{'spec':{'a':1}}", "{}"))
                .as("the value before counts, too")
                .isTrue();
        assertThat(onUpdate(update(h -> h.field("spec.a")), "{'spec':{'a':1}}", "{'spec':{'a':1,'b':1}}"))
                .as("update handlers with a field need its change")
                .isFalse();
    }

    @ParameterizedTest
    @Tag("C15")
    @Tag("L11")
    @CsvSource(delimiter = '|', textBlock = """
            text    | {'a':'x'}    | {'a':'y'}    | true
            text    | {'a':'y'}    | {'a':'x'}    | true
            text    | {'a':'y'}    | {'a':'z'}    | false
            text    | {}           | {'a':'z'}    | false
            present | {}           | {'a':'z'}    | true
            present | {'a':'z'}    | {}           | true
            absent  | {'a':'z'}    | {}           | true
            absent  | {}           | {'a':'z'}    | true
            absent  | {'a':'z'}    | {'a':'y'}    | false
            absent  | {'a':'z'}    | {'a':null}   | false
            number  | {'a':2}      | {'a':1.0}    | true
            number  | {'a':'1'}    | {'a':'2'}    | false
            flag    | {'a':false}  | {'a':true}   | true
            list    | {'a':[1,2]}  | {'a':[1]}    | true
            list    | {'a':[2,1]}  | {'a':[3]}    | false
            map     | {'a':{'k':1}} | {}          | true
            null    | {'a':1}      | {}           | true
            null    | {'a':1}      | {'a':2}      | false
            """)
    void valuesAreLookedForBeforeAndAfterTheChange(String filter, String before, String now, boolean passes) {
        Object wanted = switch (filter) {
            case "text" -> "x";
            case "present" -> Filter.PRESENT;
            case "absent" -> Filter.ABSENT;
            case "number" -> 1;
            case "flag" -> true;
            case "list" -> List.of(1);
            case "map" -> Map.of("k", 1);
            default -> Filter.ANYTHING;
        };
        RegisteredHandler handler = update(
                filter.equals("null")
                        ? h -> h.field("a").fieldValue(value -> value == null)
                        : h -> h.field("a").fieldValue(wanted));
        assertThat(onUpdate(handler, before, now)).isEqualTo(passes);
    }

    @Test
    @Tag("C15")
    void rawEventsHaveTheValueOfTheBodyOnly() {
        RegisteredHandler handler = event(h -> h.field("spec.a").fieldValue(1));
        assertThat(forEvent(handler, "{'spec':{'a':1}}")).isTrue();
        assertThat(forEvent(handler, "{'spec':{'a':2}}")).isFalse();
        assertThat(forEvent(event(h -> h.field("spec.a")), "{'spec':{}}")).isFalse();
    }

    private static boolean forEvent(RegisteredHandler handler, String body) {
        return HandlerSelection.concerns(
                handler,
                subject(body),
                new InvocationCause.Watching(RawEvent.of(WatchEventType.MODIFIED, json(body))),
                contexts());
    }

    @ParameterizedTest
    @Tag("C16")
    @CsvSource(delimiter = '|', textBlock = """
            {'a':'x'} | {'a':'y'} | true
            {'a':'x'} | {'a':'z'} | false
            {'a':'z'} | {'a':'y'} | false
            {'a':'y'} | {'a':'x'} | false
            {'a':'x'} | {}        | false
            {}        | {'a':'y'} | false
            """)
    void oldAndNewAreTestedOnTheirOwnSides(String before, String now, boolean passes) {
        assertThat(onUpdate(update(h -> h.field("a").oldValue("x").newValue("y")), before, now))
                .isEqualTo(passes);
        assertThat(onUpdate(field(h -> h.field("a").oldValue("x").newValue("y")), before, now))
                .isEqualTo(passes);
    }

    @Test
    @Tag("C16")
    void oldAndNewMayBePresentAbsentOrTested() {
        RegisteredHandler appeared =
                field(h -> h.field("a").oldValue(Filter.ABSENT).newValue(Filter.PRESENT));
        assertThat(onUpdate(appeared, "{}", "{'a':1}")).isTrue();
        assertThat(onUpdate(appeared, "{'a':1}", "{'a':2}")).isFalse();
        assertThat(onUpdate(appeared, "{'a':1}", "{}")).isFalse();
        RegisteredHandler grown = update(h -> h.field("a")
                .newValue((value, context) -> value instanceof Number now
                        && context.oldValue() instanceof Number before
                        && now.intValue() > before.intValue()));
        assertThat(onUpdate(grown, "{'a':1}", "{'a':2}")).isTrue();
        assertThat(onUpdate(grown, "{'a':2}", "{'a':1}")).isFalse();
    }

    @Test
    @Tag("L12")
    @Tag("C15")
    void callbacksGetValuesAndContextAndNullIfAbsent() {
        List<@Nullable Object> asked = new ArrayList<>();
        BiPredicate<@Nullable Object, HandlerContext> filter = (value, context) -> {
            asked.add(value);
            assertThat(context.name()).isEqualTo("x");
            return false;
        };
        String now = "{'metadata':{'name':'x'},'a':{'k':[1]}}";
        assertThat(onUpdate(update(h -> h.field("a").fieldValue(filter)), "{}", now))
                .isFalse();
        assertThat(asked).hasSize(2).last().isNull();
        assertThat(asked.getFirst()).isEqualTo(Map.of("k", List.of(1)));
    }

    @Test
    @Tag("C14")
    void labelsAndAnnotationsOfTheBodyMustAllPass() {
        RegisteredHandler handler = creation(h -> h.labels("a=1,!b").annotations("c", "d=2"));
        assertThat(labelled(handler, "{'a':'1'}", "{'c':'','d':'2'}")).isTrue();
        assertThat(labelled(handler, "{'a':'1','b':''}", "{'c':'','d':'2'}")).isFalse();
        assertThat(labelled(handler, "{'a':'1'}", "{'d':'2'}")).isFalse();
        assertThat(labelled(handler, "{}", "{'c':'','d':'2'}")).isFalse();
        RegisteredHandler tested = creation(h -> h.label("a", "1"::equals).annotation("c", value -> value == null));
        assertThat(labelled(tested, "{'a':'1'}", "{}")).isTrue();
        assertThat(labelled(tested, "{'a':'1'}", "{'c':''}")).isFalse();
        assertThat(labelled(tested, "{}", "{}")).isFalse();
    }

    private static boolean labelled(RegisteredHandler handler, String labels, String annotations) {
        String body = "{'metadata':{'labels':" + labels + ",'annotations':" + annotations + "}}";
        return selected(handler, Reason.CREATE, false, null, body);
    }

    @Test
    @Tag("C17")
    void whenIsAskedLastAndCombined() {
        List<String> asked = new ArrayList<>();
        Predicate<HandlerContext> small = context -> {
            asked.add(context.name());
            return context.spec().getInt("size", 0) < 10;
        };
        Predicate<HandlerContext> even = context -> context.spec().getInt("size", 0) % 2 == 0;
        RegisteredHandler handler = creation(
                h -> h.labels("yes").when(Filter.any(small, Filter.not(even))).when(context -> true));
        assertThat(labelled(handler, "{}", "{}")).isFalse();
        assertThat(asked).as("asked although the labels do not match").isEmpty();
        assertThat(sized(handler, 4)).isTrue();
        assertThat(sized(handler, 11)).isTrue();
        assertThat(sized(handler, 12)).isFalse();
        assertThat(asked).containsOnly("x").hasSize(3);
    }

    private static boolean sized(RegisteredHandler handler, int size) {
        return selected(
                handler,
                Reason.CREATE,
                false,
                null,
                "{'metadata':{'name':'x','labels':{'yes':''}},'spec':{'size':" + size + "}}");
    }

    @Test
    @Tag("C19")
    @Tag("L06")
    void oneFunctionUnderOneIdIsCalledOnce() {
        RegisteredHandler created = creation(h -> h.labels("never"));
        RegisteredHandler again = new RegisteredHandler(
                creation(h -> {}).declaration(), created.id(), created.function(), created.invoker());
        RegisteredHandler otherId =
                new RegisteredHandler(creation(h -> {}).declaration(), "other", created.function(), created.invoker());
        InvocationCause.Changing creation = new InvocationCause.Changing(cause(Reason.CREATE, false, null, PLAIN));
        assertThat(HandlerSelection.forChange(
                        List.of(created, again, again, otherId), subject(PLAIN), creation, contexts()))
                .as("the first one that is selected, not the first one")
                .containsExactly(again, otherId);
    }

    @Test
    @Tag("L06")
    void creationAndResumingOfOneFunctionAreOnePerOccasion() {
        RegisteredHandler created = creation(h -> {});
        RegisteredHandler resumed = new RegisteredHandler(
                resume(h -> {}).declaration(), created.id(), created.function(), created.invoker());
        List<RegisteredHandler> pair = List.of(created, resumed);
        InvocationCause.Changing creation = new InvocationCause.Changing(cause(Reason.CREATE, false, null, PLAIN));
        InvocationCause.Changing resuming = new InvocationCause.Changing(cause(Reason.RESUME, true, PLAIN, PLAIN));
        assertThat(HandlerSelection.forChange(pair, subject(PLAIN), creation, contexts()))
                .containsExactly(created);
        assertThat(HandlerSelection.forChange(pair, subject(PLAIN), resuming, contexts()))
                .containsExactly(resumed);
    }

    @Test
    @Tag("C13")
    void couldMatchLaterWhereOnlyTheChangeIsMissing() {
        InvocationCause.Changing unchanged =
                new InvocationCause.Changing(cause(Reason.UPDATE, false, "{'a':1}", "{'a':1}"));
        RegisteredHandler handler = update(h -> h.field("a"));
        RegisteredHandler labelled = update(h -> h.labels("never"));
        assertThat(HandlerSelection.concerns(handler, subject("{'a':1}"), unchanged, contexts()))
                .isTrue();
        assertThat(HandlerSelection.concerns(labelled, subject(PLAIN), unchanged, contexts()))
                .isFalse();
    }

    private static final List<RegisteredHandler> DUE =
            Stream.of("a", "b", "c").map(HandlerFixtures::creation).toList();

    private static final Body NOBODY = Body.of(Map.of());

    private static String plan(HandlerLifecycle lifecycle, int seed) {
        List<RegisteredHandler> named = DUE.stream().map(handler -> handler).toList();
        return HandlerSelection.plan(
                        lifecycle, named, handler -> 2 - named.indexOf(handler) / 2, new Random(seed), NOBODY)
                .stream()
                .map(handler -> "abc".substring(named.indexOf(handler), named.indexOf(handler) + 1))
                .collect(Collectors.joining());
    }

    private static Set<String> plans(HandlerLifecycle lifecycle) {
        return IntStream.range(0, 100).mapToObj(seed -> plan(lifecycle, seed)).collect(Collectors.toSet());
    }

    private static HandlerLifecycle own(HandlerLifecycle.Custom lifecycle) {
        return lifecycle;
    }

    @Test
    @Tag("C26")
    void lifecyclesOfUsersPlanAmongTheDue() {
        assertThat(plan(own((due, body) -> due.reversed()), 0)).isEqualTo("cba");
        assertThat(plan(own((due, body) -> List.of(due.get(1), due.get(1))), 0)).isEqualTo("b");
        assertThat(plan(own((due, body) -> List.of(new DueHandler("a", 2))), 0)).isEqualTo("a");
        assertThatIllegalStateException()
                .isThrownBy(() -> plan(own((due, body) -> List.of()), 0))
                .withMessageContaining("has planned []; it must plan one or more of the due handlers");
        assertThatIllegalStateException()
                .isThrownBy(() -> plan(own((due, body) -> List.of(new DueHandler("other", 0))), 0));
        assertThat(HandlerSelection.plan(
                        own((due, body) -> List.of(new DueHandler("a", 0))),
                        List.of(),
                        handler -> 0,
                        new Random(0),
                        NOBODY))
                .as("nobody is asked about nothing")
                .isEmpty();
    }

    @Test
    @Tag("C26")
    void lifecyclesPlanTheCycle() {
        assertThat(plans(HandlerLifecycle.IN_ORDER)).containsExactly("abc");
        assertThat(plans(HandlerLifecycle.ALL_AT_ONCE)).containsExactly("abc");
        assertThat(plans(HandlerLifecycle.ONE_BY_ONE)).containsExactly("a");
        assertThat(plans(HandlerLifecycle.ASAP)).as("fewest attempts").containsExactly("c");
        assertThat(plans(HandlerLifecycle.RANDOMIZED)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(plans(HandlerLifecycle.SHUFFLED))
                .containsExactlyInAnyOrder("abc", "acb", "bac", "bca", "cab", "cba");
        for (HandlerLifecycle lifecycle : HandlerLifecycle.BuiltIn.values()) {
            assertThat(HandlerSelection.plan(lifecycle, List.of(), handler -> 0, new Random(0), NOBODY))
                    .isEmpty();
        }
    }
}
