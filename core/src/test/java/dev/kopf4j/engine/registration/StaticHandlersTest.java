package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Memo;
import dev.kopf4j.OnConvert;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnProbe;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnValidate;
import dev.kopf4j.SnakeCaseIds;
import dev.kopf4j.SubHandler;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredActivity;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Static handlers: no instance, and one function, however many classes inherit it. Tests {@link AnnotatedClass}. */
@Tag("L71")
@SuppressWarnings("unused") // the handlers are found by reflection
class StaticHandlersTest {
    private static final List<Object> CALLED = new CopyOnWriteArrayList<>();

    private final Scenario story = new Scenario();

    @BeforeEach
    void forget() {
        CALLED.clear();
    }

    @AfterEach
    void end() {
        story.close();
    }

    private void run(Object... beansOrClasses) {
        story.start(beansOrClasses);
        story.server.create(Scenario.example());
        story.rest();
    }

    private abstract static class WithStatic {
        @OnCreate("kopfexamples")
        static void made() {
            CALLED.add("made");
        }

        @OnTimer(value = "kopfexamples", interval = "1h")
        static void timed() {
            CALLED.add("timed");
        }

        @OnEvent("kopfexamples")
        static void event() {
            CALLED.add("event");
        }

        @OnIndex("kopfexamples")
        static String indexed(String name) {
            CALLED.add("indexed");
            return name;
        }
    }

    private abstract static class OneAbove extends WithStatic {
        @OnDelete("kopfexamples")
        static void gone() {}
    }

    private static final class OtherAbove extends WithStatic {
        @OnDelete(value = "kopfexamples", id = "other")
        void gone() {}
    }

    @Test
    void aStaticMethodThatSeveralClassesInheritIsOneFunction() {
        run(OneAbove.class, OtherAbove.class);
        assertThat(CALLED).containsOnlyOnce("made", "timed");
    }

    private abstract static class WithStaticOfAllKinds {
        @OnCreate("kopfexamples")
        static void made() {}

        @OnIndex("kopfexamples")
        static String indexed(String name) {
            return name;
        }

        @OnValidate("kopfexamples")
        static void valid() {}

        @OnStartup
        static void ready() {}

        @OnProbe
        static String alive() {
            return "";
        }

        @OnConvert(value = "kopfexamples.kopf.dev", from = "v1", to = "v2")
        static Map<String, Object> up(Body body) {
            return body.toMap();
        }

        @SubHandler
        static void part() {}
    }

    private static final class Left extends WithStaticOfAllKinds {
        @OnDelete("kopfexamples")
        void left() {}
    }

    private static final class Right extends WithStaticOfAllKinds {
        @OnDelete("kopfexamples")
        void right() {}
    }

    @ParameterizedTest(name = "only looked at: {0}")
    @ValueSource(booleans = {false, true})
    void aStaticMethodThatSeveralClassesInheritIsReadOnce(boolean surveyed) {
        List<Registration> classes =
                List.of(new Registration.Annotated(Left.class), new Registration.Annotated(new Right()));
        HandlerRegistry registry =
                surveyed ? RegistryBuilder.survey(classes, Memo.class) : RegistryBuilder.build(classes);
        assertThat(registry.handlers())
                .extracting(RegisteredHandler::id)
                .containsExactly("made", "indexed", "valid", "left", "right");
        assertThat(registry.activities()).extracting(RegisteredActivity::id).containsExactly("ready", "alive");
        assertThat(registry.conversions()).hasSize(1);
        assertThat(registry.handlers().getLast().subHandlerMethods()).containsOnlyKeys("part");
    }

    private abstract static class WithPlace {
        @OnCreate(value = "kopfexamples", paramBy = "place")
        static void made(String param) {}

        abstract String place();
    }

    private static final class Alpha extends WithPlace {
        @Override
        String place() {
            return "alpha";
        }
    }

    private static final class Beta extends WithPlace {
        @Override
        String place() {
            return "beta";
        }
    }

    private abstract static class WithDelay {
        @OnTimer(value = "kopfexamples", interval = "1h", initialDelayBy = "delay")
        static void tick() {}

        abstract Duration delay();
    }

    private static final class Early extends WithDelay {
        @Override
        Duration delay() {
            return Duration.ZERO;
        }
    }

    private static final class Late extends WithDelay {
        @Override
        Duration delay() {
            return Duration.ofMinutes(5);
        }
    }

    private abstract static class WithTwoWords {
        @OnStartup
        static void isReady() {}
    }

    private static final class Plainly extends WithTwoWords {}

    @SnakeCaseIds
    private static final class Snakelike extends WithTwoWords {}

    static Stream<Arguments> unlikeHeirs() {
        return Stream.of(
                Arguments.of(
                        Alpha.class,
                        Beta.class,
                        "@OnCreate on WithPlace.made(String): it is static, and so one handler, but two classes, Alpha and"
                                + " Beta, have it, and would each ask another method for paramBy = \"place\""),
                Arguments.of(new Alpha(), new Alpha(), "two objects of Alpha have it"),
                Arguments.of(
                        Early.class,
                        Late.class,
                        "two classes, Early and Late, have it, and would each ask another method for initialDelayBy"),
                Arguments.of(
                        Plainly.class,
                        Snakelike.class,
                        "@OnStartup on WithTwoWords.isReady(): it is static, and so one handler, but two classes, Plainly"
                                + " and Snakelike, have it, with the ids 'isReady' and 'is_ready': let both"));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("unlikeHeirs")
    void aStaticMethodIsRefusedIfTheClassesThatInheritItMakeItDiffer(Object one, Object other, String words) {
        List<Registration> classes = List.of(new Registration.Annotated(one), new Registration.Annotated(other));
        assertThatThrownBy(() -> RegistryBuilder.build(classes))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(words);
        assertThatThrownBy(() -> RegistryBuilder.survey(classes, Memo.class))
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining(words);
    }

    private record Choosy(String name) {
        @OnCreate(value = "kopfexamples", when = "isMine")
        static void made(String name) {
            CALLED.add(name);
        }

        boolean isMine(HandlerContext context) {
            return name.equals(context.name());
        }
    }

    /** Whoever selects the object: the function is one. */
    @Test
    void aStaticMethodIsCalledForWhatTheFilterOfAnyOfItsObjectsLetsPass() {
        story.start(new Choosy("other"), new Choosy("x"), new Choosy("x"));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(CALLED).hasSize(1);
    }
}
