package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Memo;
import dev.kopf4j.OnConvert;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Resource;
import dev.kopf4j.Spec;
import dev.kopf4j.SubHandler;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.injection.HandlersOfAnotherPackage;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Which methods of a class are handlers, and of which instance. Tests {@link HandlerInstance} and
 * {@link AnnotatedClass}.
 */
@Tag("L71")
@SuppressWarnings("unused") // the handlers are found by reflection
class HandlerClassesTest {
    private static final List<Object> CALLED_ON = new CopyOnWriteArrayList<>();
    private static final String STATIC = "no instance";

    private final Scenario story = new Scenario();

    @BeforeEach
    void forget() {
        CALLED_ON.clear();
    }

    @AfterEach
    void end() {
        story.close();
    }

    private static List<String> ids(Object... beansOrClasses) {
        List<Registration> registrations = Stream.of(beansOrClasses)
                .<Registration>map(Registration.Annotated::new)
                .toList();
        return RegistryBuilder.build(registrations).handlers().stream()
                .map(RegisteredHandler::id)
                .toList();
    }

    private void run(Object... beansOrClasses) {
        story.start(beansOrClasses);
        story.server.create(Scenario.example());
        story.rest();
    }

    private static class Plain {
        @OnCreate("kopfexamples")
        private void hidden() {
            CALLED_ON.add(this);
        }

        @OnCreate("kopfexamples")
        void visible() {
            CALLED_ON.add(this);
        }

        @OnCreate("kopfexamples")
        static void still() {
            CALLED_ON.add(STATIC);
        }
    }

    @Test
    void aClassHasOneInstanceInAnOperatorWhateverTheVisibilityOfItsMethods() {
        run(Plain.class);
        assertThat(CALLED_ON).hasSize(3).contains(STATIC);
        assertThat(CALLED_ON.stream().filter(Plain.class::isInstance).distinct())
                .hasSize(1);
    }

    @Test
    void eachOperatorHasAnInstanceOfItsOwn() {
        run(Plain.class);
        Object first =
                CALLED_ON.stream().filter(Plain.class::isInstance).findFirst().orElseThrow();
        CALLED_ON.clear();
        try (Scenario other = new Scenario()) {
            other.start(Plain.class);
            other.server.create(Scenario.example());
            other.rest();
        }
        assertThat(CALLED_ON).hasSize(3).doesNotContain(first);
    }

    @Test
    void anInstanceThatIsGivenIsTheOneThatIsCalled() {
        Plain given = new Plain();
        run(given);
        assertThat(CALLED_ON).containsExactlyInAnyOrder(given, given, STATIC);
    }

    /** A record, as two of them may be equal. */
    private record Tenant(String name) {
        @OnCreate("kopfexamples")
        void made() {
            CALLED_ON.add(this);
        }

        @OnCreate("kopfexamples")
        static void still() {
            CALLED_ON.add(STATIC);
        }
    }

    @Test
    void anInstanceThatIsGivenTwiceIsCalledOnce() {
        Tenant one = new Tenant("a");
        run(one, one);
        assertThat(CALLED_ON).containsExactlyInAnyOrder(one, STATIC);
    }

    @Test
    void twoInstancesOfOneClassAreRefusedAsTheirHandlersHaveOneId() {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> story.start(new Tenant("a"), new Tenant("a")))
                .withMessageContainingAll(
                        "id 'made'", "Tenant.made() of two objects", "register one object that serves both", "when =");
    }

    private record Shared(String name, List<String> seen) {
        @OnCreate(value = "kopfexamples", when = "isMine")
        void made(String name) {
            seen.add(name);
        }

        boolean isMine(String name) {
            return name.startsWith(this.name);
        }
    }

    @Test
    void twoInstancesOfOneClassMayShareObjectsByAFilter() {
        Shared one = new Shared("a", new CopyOnWriteArrayList<>());
        Shared other = new Shared("b", new CopyOnWriteArrayList<>());
        story.start(one, other);
        story.server.create(Scenario.example("a1"));
        story.server.create(Scenario.example("b1"));
        story.rest();
        assertThat(one.seen()).containsExactly("a1");
        assertThat(other.seen()).containsExactly("b1");
    }

    private record Each(String name, List<String> seen) {
        @OnTimer(value = "kopfexamples", interval = "1h", when = "isMine")
        void timer(String name) {
            seen.add("timer " + name);
        }

        @OnDaemon(value = "kopfexamples", when = "isMine")
        void daemon(String name) {
            seen.add("daemon " + name);
        }

        @OnIndex(value = "kopfexamples", when = "isMine")
        String index(String name) {
            seen.add("index " + name);
            return name;
        }

        boolean isMine(String name) {
            return name.contains(this.name);
        }
    }

    @Test
    void aFilterOfTheInstanceChoosesForHandlersOfAllKinds() {
        Each one = new Each("a", new CopyOnWriteArrayList<>());
        Each other = new Each("b", new CopyOnWriteArrayList<>());
        story.start(one, other);
        story.server.create(Scenario.example("a1"));
        story.server.create(Scenario.example("b1"));
        story.pass(Duration.ofSeconds(5));
        assertThat(Set.copyOf(one.seen())).containsExactlyInAnyOrder("timer a1", "daemon a1", "index a1");
        assertThat(Set.copyOf(other.seen())).containsExactlyInAnyOrder("timer b1", "daemon b1", "index b1");
    }

    @Test
    void anObjectThatBothInstancesLetPassIsTold() {
        story.start(new Each("a", new CopyOnWriteArrayList<>()), new Each("b", new CopyOnWriteArrayList<>()));
        story.server.create(Scenario.example("ab"));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("are both meant for this object");
    }

    private record Admitting(String name) {
        @OnValidate(value = "kopfexamples", when = "isMine")
        void validate() {}

        @OnMutate(value = "kopfexamples", when = "isMine")
        void mutate() {}

        boolean isMine(String name) {
            return name.contains(this.name);
        }
    }

    private record Unfiltered(String name) {
        @OnTimer(value = "kopfexamples", interval = "1h", labels = "a=b")
        void timer() {}
    }

    @Test
    void twoInstancesThatAdmitObjectsMayHaveAFilterAndAFilterThatIsTheSameForBothDoesNotDo() {
        assertThat(ids(new Admitting("a"), new Admitting("b"))).hasSize(4);
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> ids(new Unfiltered("a"), new Unfiltered("b")))
                .withMessageContainingAll("id 'timer'", "Unfiltered.timer() of two objects");
    }

    private static final class Single {
        static final Single INSTANCE = new Single();

        private Single() {}

        @OnCreate("kopfexamples")
        void made() {
            CALLED_ON.add(this);
        }
    }

    @Test
    void theOneInstanceThatAClassKeepsIsTaken() {
        run(Single.class);
        assertThat(CALLED_ON).hasSize(1).first().isSameAs(Single.INSTANCE);
    }

    private static final class Labelled {
        @OnCreate(value = "kopfexamples", id = "fn", labels = "a=b")
        void one() {}

        @OnCreate(value = "kopfexamples", id = "fn", labels = "a=b")
        void other() {}
    }

    private static final class Moved {
        @OnField(value = "kopfexamples", field = "spec.size", id = "fn", labels = "a=b", oldValue = "1")
        void one() {}

        @OnField(value = "kopfexamples", field = "spec.size", id = "fn", labels = "a=b", oldValue = "2")
        void other() {}
    }

    @Test
    void twoFunctionsOfOneIdAreRefusedWhereTheirFiltersSayTheSame() {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> ids(new Labelled()))
                .withMessageContainingAll("id 'fn'", "Labelled.one()", "Labelled.other()");
        assertThat(ids(new Moved())).hasSize(2);
    }

    private abstract static class Base {
        @OnCreate("kopfexamples")
        void inherited() {
            CALLED_ON.add(this);
        }

        @OnCreate("kopfexamples")
        void replaced() {}

        @OnCreate("kopfexamples")
        void silenced() {}
    }

    private static final class One extends Base {
        @Override
        @OnCreate(value = "kopfexamples", id = "mine")
        void replaced() {}

        @Override
        void silenced() {}
    }

    @Test
    void inheritedMethodsAreHandlersOnceAndOverridingOnesDecide() {
        assertThat(ids(One.class)).containsExactly("inherited", "mine");
        run(One.class);
        assertThat(CALLED_ON).singleElement().isInstanceOf(One.class);
    }

    private interface Shown {
        @OnCreate("kopfexamples")
        default void shown() {
            CALLED_ON.add(this);
        }

        @OnCreate("kopfexamples")
        default void replaced() {}

        @OnCreate("kopfexamples")
        default void silenced() {}

        @OnCreate("kopfexamples")
        static void ofTheInterface() {}
    }

    private interface More extends Shown {
        @Override
        @OnCreate(value = "kopfexamples", id = "more")
        default void replaced() {}
    }

    static class Quiet {
        public void silenced() {}
    }

    private static final class Showing extends Quiet implements More, Shown {
        @OnCreate("kopfexamples")
        void own() {
            CALLED_ON.add(this);
        }
    }

    @Test
    void defaultMethodsOfInterfacesAreHandlersUnlessTheyAreOverridden() {
        assertThat(ids(Showing.class)).containsExactly("shown", "more", "own");
        run(Showing.class);
        assertThat(CALLED_ON).hasSize(2).allMatch(Showing.class::isInstance);
    }

    private interface Matching<S> {
        default boolean matches(S spec) {
            return false;
        }

        default boolean isMine(int number) {
            return false;
        }

        default boolean isFit() {
            return true;
        }
    }

    private interface Made<S> {
        @OnCreate("kopfexamples")
        default void made(S spec) {}

        @OnCreate("kopfexamples")
        default void silenced(S spec) {}

        @OnCreate(value = "kopfexamples", when = "isFit")
        default void unlike(S spec) {}
    }

    private static final class Making implements Matching<Map<String, Object>>, Made<Map<String, Object>> {
        @Override
        @OnCreate(value = "kopfexamples", when = "matches")
        public void made(Map<String, Object> spec) {
            CALLED_ON.add("made");
        }

        @OnCreate(value = "kopfexamples", when = "isMine")
        void mine() {
            CALLED_ON.add("mine");
        }

        @OnCreate(value = "kopfexamples", id = "overload")
        void unlike(String name) {
            CALLED_ON.add("overload");
        }

        @Override
        public boolean matches(Map<String, Object> spec) {
            return true;
        }

        boolean isMine(String name) {
            return true;
        }

        @Override
        public void silenced(Map<String, Object> spec) {
            CALLED_ON.add("silenced");
        }
    }

    @Test
    void overridesOfGenericDefaultMethodsDecideAndOverloadsOfInterfacesAreInNobodysWay() {
        assertThat(ids(Making.class)).containsExactly("unlike", "made", "mine", "overload");
        run(Making.class);
        assertThat(CALLED_ON).containsExactlyInAnyOrder("made", "mine", "overload");
    }

    private abstract static class Generic<S> {
        @OnCreate("kopfexamples")
        void replaced(S spec) {
            CALLED_ON.add("base");
        }

        @OnCreate("kopfexamples")
        void silenced(S spec) {
            CALLED_ON.add("base");
        }

        @OnCreate(value = "kopfexamples", when = "isMine")
        void filtered() {
            CALLED_ON.add("filtered");
        }

        abstract boolean isMine(S spec);
    }

    private static final class Concrete extends Generic<Map<String, Object>> {
        @Override
        @OnCreate("kopfexamples")
        void replaced(Map<String, Object> spec) {
            CALLED_ON.add("replaced");
        }

        @Override
        void silenced(Map<String, Object> spec) {}

        @Override
        boolean isMine(Map<String, Object> spec) {
            return true;
        }
    }

    @Test
    void overridesOfMethodsOfGenericClassesDecide() {
        assertThat(ids(Concrete.class)).containsExactly("filtered", "replaced");
        run(Concrete.class);
        assertThat(CALLED_ON).containsExactlyInAnyOrder("filtered", "replaced");
    }

    private interface Contract<S> {
        @OnCreate("kopfexamples")
        void created(S spec);

        @OnDelete("kopfexamples")
        void deleted(Spec spec);
    }

    private abstract static class Skeleton {
        @OnDelete("kopfexamples")
        abstract void gone();

        @OnDelete("kopfexamples")
        abstract void repeated();

        @OnEvent("kopfexamples")
        void event() {}
    }

    private static final class Forgetful extends Skeleton implements Contract<Map<String, Object>> {
        @Override
        public void created(Map<String, Object> spec) {}

        @Override
        public void deleted(Spec spec) {}

        @Override
        void gone() {}

        @Override
        @OnDelete("kopfexamples")
        void repeated() {}
    }

    @Test
    void annotationsOfAbstractMethodsAreNotLostWithoutAWord() {
        HandlerDeclarationException refused =
                catchThrowableOfType(HandlerDeclarationException.class, () -> ids(Forgetful.class));
        assertThat(String.valueOf(refused.getMessage()).lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("Forgetful.created(", "Contract.created(Object), which it implements"),
                        line -> assertThat(line).contains("Contract.deleted(Spec), which it implements"),
                        line -> assertThat(line)
                                .isEqualTo("Forgetful.gone() has no annotation, and Skeleton.gone(), which it"
                                        + " implements, has: it would never be called, as annotations of methods are"
                                        + " not inherited; repeat them there"));
    }

    private interface Promise {
        @OnCreate("kopfexamples")
        void made(Spec spec);
    }

    private static class Kept implements Promise {
        @Override
        @OnCreate("kopfexamples")
        public void made(Spec spec) {}
    }

    private static final class SwitchedOff extends Kept {
        @Override
        public void made(Spec spec) {}

        @OnDelete("kopfexamples")
        void gone() {}
    }

    private interface Withdrawn extends Promise {
        @Override
        default void made(Spec spec) {}

        @OnDelete("kopfexamples")
        default void gone() {}
    }

    private static final class WithdrawnToo implements Withdrawn {}

    @Test
    void anOverrideWithoutAnnotationSwitchesAHandlerOffAlsoBelowAnAnnotatedAbstractMethod() {
        assertThat(ids(SwitchedOff.class)).containsExactly("gone");
        assertThat(ids(WithdrawnToo.class)).containsExactly("gone");
    }

    private static final class Adapted implements Withdrawn {
        @Override
        public void made(Spec spec) {
            CALLED_ON.add(this);
        }
    }

    @Test
    void anInterfaceSwitchesOffItsOwnCodeAlone() {
        assertThatThrownBy(() -> ids(Adapted.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(
                        "Adapted.made(Spec) has no annotation, and Promise.made(Spec), which it implements");
    }

    private interface Discreet {
        @OnCreate("kopfexamples")
        private void made() {
            CALLED_ON.add(this);
        }
    }

    private static final class Hiding implements Discreet {}

    @Test
    void privateMethodsOfInterfacesAreHandlersToo() {
        run(Hiding.class);
        assertThat(CALLED_ON).singleElement().isInstanceOf(Hiding.class);
    }

    private static class Parent {
        @OnCreate("kopfexamples")
        void made() {}
    }

    private static final class Child extends Parent {
        @OnDelete("kopfexamples")
        void gone() {}
    }

    @Test
    void aMethodOfTwoClassesOfWhichOneInheritsItIsRefusedInTheirWords() {
        assertThatThrownBy(() -> ids(Parent.class, Child.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("Parent.made() of two classes, Parent and Child, which both have it; make the one"
                        + " abstract that the other extends");
    }

    private static final class Elsewhere extends HandlersOfAnotherPackage {
        @OnCreate("kopfexamples")
        void made() {}
    }

    @Test
    void aMethodThatIsNoOverrideAsItsPackageIsAnotherIsTold() {
        assertThatThrownBy(() -> ids(Elsewhere.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("two different functions have the id 'made'")
                .hasMessageContaining("; the one is package-private in " + HandlersOfAnotherPackage.class.getName()
                        + ", so that the other one, in another package, does not override it: make it protected");
    }

    /** As {@code class Outer { companion object { @JvmStatic @OnCreate fun made() } }}. */
    private static final class Outer {
        @OnCreate("kopfexamples")
        static void made() {}

        private static final class Companion {
            @OnCreate("kopfexamples")
            void made() {}
        }
    }

    @Test
    void aFunctionThatKotlinMakesTwiceIsRefusedInItsWords() {
        assertThatThrownBy(() -> ids(Outer.class, Outer.Companion.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageEndingWith("leave @JvmStatic out");
        assertThatThrownBy(() -> ids(Outer.Companion.class, Outer.class)).hasMessageEndingWith("leave @JvmStatic out");
    }

    private enum Constants {
        ONE;

        @OnCreate("kopfexamples")
        void made() {}
    }

    @Test
    void constantsOfEnumsMayBeRegistered() {
        assertThat(ids(Constants.ONE)).containsExactly("made");
        assertThatThrownBy(() -> ids(Constants.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("is an enum, of which nobody makes an instance; register one of its constants, or"
                        + " make Constants.made() static");
    }

    @Test
    void abstractClassesHaveNoInstance() {
        assertThatThrownBy(() -> ids(Base.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("is a handler of the abstract class " + Base.class.getName())
                .hasMessageContaining("register a class that extends it, or make the method static");
    }

    private static final class WithArgument extends Plain {
        WithArgument(String argument) {}
    }

    @SuppressWarnings("ClassCanBeStatic") // this is the mistake
    private final class Inner extends Plain {}

    private static final class Failing extends Plain {
        Failing() {
            throw new IllegalStateException("no database");
        }
    }

    private static final class BadlyInitialized {
        private static final int NUMBER = Integer.parseInt("no number");

        @OnCreate("kopfexamples")
        void fn() {}
    }

    @Test
    void aStaticInitializerThatFailsIsToldWhenTheOperatorIsMade() {
        assertThatThrownBy(() -> ids(BadlyInitialized.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(
                        "a static initializer that " + BadlyInitialized.class.getName() + " needs has failed: ")
                .hasMessageContaining("no number");
        assertThatThrownBy(() -> ids(BadlyInitialized.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("no instance of " + BadlyInitialized.class.getName() + " can be made: ");
    }

    /** Whatever runs of it says so. */
    private static final class Careless {
        static {
            CALLED_ON.add("static initializer");
        }

        Careless() {
            CALLED_ON.add("constructor");
        }

        private int limit() {
            CALLED_ON.add("limit");
            return 5;
        }

        private boolean isLarge(Object value) {
            CALLED_ON.add("isLarge");
            return true;
        }

        @OnCreate(value = "kopfexamples", paramBy = "limit", field = "spec.size", fieldValueWhen = "isLarge")
        void create(int param) {}

        @OnStartup(paramBy = "limit")
        void start(int param) {}

        @SubHandler
        void part() {}

        @OnConvert(value = "kopfexamples.kopf.dev", from = "v1", to = "v2")
        Map<String, Object> convert(Body body) {
            return body.toMap();
        }
    }

    @Test
    void nothingOfAnOperatorRunsThatIsOnlyLookedAt() {
        var registry = RegistryBuilder.survey(List.of(new Registration.Annotated(Careless.class)), Memo.class);
        assertThat(registry.handlers()).extracting(RegisteredHandler::id).containsExactly("create/spec.size");
        assertThat(CALLED_ON).isEmpty();
    }

    private static final class Choosing {
        Choosing() {
            CALLED_ON.add("constructor");
        }

        boolean isMine(Resource resource) {
            return resource.plural().equals("kopfexamples");
        }

        @OnCreate(resourceWhen = "isMine")
        void create() {}
    }

    @Test
    void aMethodThatSaysWhichResourcesThereAreIsCalledOnAnInstanceThatIsMadeForIt() {
        var registry = RegistryBuilder.survey(List.of(new Registration.Annotated(Choosing.class)), Memo.class);
        assertThat(CALLED_ON).isEmpty();
        var selector = registry.handlers().getFirst().declaration().selector();
        Resource resource = new Resource(
                "kopf.dev",
                "v1",
                new Resource.Names("kopfexamples", "KopfExample", "", Set.of(), Set.of()),
                Set.of(),
                true,
                true,
                Set.of());
        assertThat(selector.matches(resource)).isTrue();
        assertThat(selector.matches(resource)).isTrue();
        assertThat(CALLED_ON).containsExactly("constructor");
    }

    @Test
    void classesThatCannotHaveAnInstanceAreToldAlsoWhenTheOperatorIsOnlyLookedAt() {
        assertThatThrownBy(() -> RegistryBuilder.survey(List.of(new Registration.Annotated(Inner.class)), Memo.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(" is an inner class");
    }

    /** Where it runs, the operator may be given an instance. */
    @Test
    void constructorsAreNotAskedForWhenTheOperatorIsOnlyLookedAt() {
        var registry = RegistryBuilder.survey(List.of(new Registration.Annotated(WithArgument.class)), Memo.class);
        assertThat(registry.handlers()).extracting(RegisteredHandler::id).contains("visible", "still");
    }

    private static final class ChoosingOfSpring {
        ChoosingOfSpring(String database) {}

        @OnCreate(resourceWhen = "isMine")
        void create() {}

        boolean isMine(Resource resource) {
            return true;
        }
    }

    @Test
    void constructorsAreAskedForWhereALookNeedsAnInstance() {
        assertThatThrownBy(() ->
                        RegistryBuilder.survey(List.of(new Registration.Annotated(ChoosingOfSpring.class)), Memo.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(ChoosingOfSpring.class.getName() + " has no constructor without arguments, but"
                        + " ChoosingOfSpring.isMine(Resource) is called also where the operator is only looked at; make"
                        + " that method static, or add a constructor");
    }

    @Test
    void constructorsThatDoNotServeAreToldWhenTheOperatorIsMade() {
        assertThatThrownBy(() -> ids(WithArgument.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(
                        WithArgument.class.getName() + " has no constructor without arguments; add one, or"
                                + " register an instance: new WithArgument(...)");
        assertThatThrownBy(() -> ids(Inner.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessage(Inner.class.getName() + " is an inner class, which only an instance of HandlerClassesTest"
                        + " can make; make it static, or register an instance");
        assertThatThrownBy(() -> ids(Failing.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("the constructor of " + Failing.class.getName() + " has failed: ")
                .hasMessageContaining("no database");
        assertThat(ids(new WithArgument("x"))).contains("visible", "still");
    }
}
