package dev.kopf4j.engine.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Operator;
import dev.kopf4j.engine.OperatorPlan;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is said of parameters and results that make no sense: all at once, with what was probably meant. */
@SuppressWarnings({"unused", "DoNotCallSuggester"}) // handlers are found by reflection
class ParameterMistakesTest {
    private static List<String> mistakes(Object handlers) {
        HandlerDeclarationException mistake = catchThrowableOfType(
                HandlerDeclarationException.class,
                () -> RegistryBuilder.build(
                        OperatorPlan.of(Operator.builder().handlers(handlers)).registrations()));
        return String.valueOf(mistake.getMessage()).lines().toList();
    }

    static final class Several {
        @OnCreate("kex")
        void one(String nmae, StringBuilder what) {}

        @OnUpdate("kex")
        void other(Integer spce, String name) {}
    }

    @Test
    void allWrongParametersOfAClassAreTold() {
        assertThat(mistakes(new Several()))
                .satisfiesExactly(
                        line -> assertThat(line).contains("'String nmae' of Several.one", "did you mean 'name'?"),
                        line -> assertThat(line)
                                .contains("'StringBuilder what' of Several.one", "not known what to give")
                                .doesNotContain("did you mean"),
                        line -> assertThat(line).contains("'Integer spce' of Several.other", "did you mean 'spec'?"));
    }

    static final class WrongType {
        @OnCreate("kex")
        void one(int name) {}
    }

    @Test
    void aKnownNameOfAnotherTypeIsTold() {
        assertThat(mistakes(new WrongType()))
                .singleElement()
                .asString()
                .contains("'int name' of WrongType.one", "'name' has another type; possible are", "String name");
    }

    static final class Activities {
        @OnStartup
        void begin(int rerty, String place) {}
    }

    @Test
    void thoseOfActivitiesAreToldToo() {
        assertThat(mistakes(new Activities()))
                .satisfiesExactly(
                        line -> assertThat(line).contains("rerty", "did you mean 'retry'?"),
                        line -> assertThat(line).contains("place", "not known what to give"));
    }

    static final class Results {
        @OnCreate("kex")
        Thread thread() {
            throw new AssertionError("never called");
        }

        @OnUpdate("kex")
        CompletableFuture<String> future() {
            throw new AssertionError("never called");
        }

        @OnDaemon("kex")
        java.io.InputStream stream() {
            throw new AssertionError("never called");
        }
    }

    @Test
    void whatIsNoDataCannotBeAResult() {
        assertThat(mistakes(new Results()))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("Results.thread() returns a Thread, and nobody waits for it", "@OnDaemon"),
                        line -> assertThat(line)
                                .contains("Results.future() returns a CompletableFuture, and nobody waits"),
                        line -> assertThat(line)
                                .contains("Results.stream() returns a InputStream, which is no data")
                                .doesNotContain("@OnDaemon"));
    }
}
