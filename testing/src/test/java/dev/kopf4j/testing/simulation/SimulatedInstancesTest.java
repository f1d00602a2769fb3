package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OnCreate;
import dev.kopf4j.testing.FailingTests;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which instances seeds have, and how many they are. */
class SimulatedInstancesTest {
    private static void declare(Simulation simulation) {
        simulation
                .operator(() -> Parents.clusterwide().onCreate("configmaps", "create", context -> "created"))
                .step("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"));
    }

    @Disabled("is run by the test")
    static class WithAFolder {
        @TempDir
        private Path folder;

        @Simulated(seeds = 1)
        void simulated(Simulation simulation) {
            assertThat(folder).isNotNull();
            declare(simulation);
        }
    }

    @Disabled("is run by the test")
    static class WithAPreparedField {
        private int port;

        @BeforeEach
        void prepare() {
            port = 8080;
        }

        @Simulated(seeds = 1)
        void simulated(Simulation simulation) {
            assertThat(port).isPositive();
            declare(simulation);
        }
    }

    @ParameterizedTest
    @CsvSource({"folder", "port"})
    void fieldsThatSeedsWouldNotSeeAreRefused(String field) {
        assertThat(FailingTests.report(
                        field.equals("port") ? WithAPreparedField.class : WithAFolder.class, "simulated"))
                .contains("the field '" + field + "' of With")
                .contains("each seed of @Simulated has an instance of its own")
                .contains("make what the test needs in its method");
    }

    /** A memo of a class of the user's own. */
    static final class Tally {
        private final AtomicInteger calls = new AtomicInteger();
    }

    static final class Tallied {
        @OnCreate("configmaps")
        static String create(Tally memo) {
            return "call " + memo.calls.incrementAndGet();
        }
    }

    /** The rules know the handlers as the operator does. */
    @Simulated(seeds = 1)
    void operatorsMayHaveMemosOfTheirOwn(Simulation simulation) {
        simulation
                .operator(
                        () -> Parents.clusterwide().handlers(new Tallied()).memo(new Tally(), operator -> new Tally()))
                .step("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"));
    }

    /** One instance for all tests of the class, in the order in which they leave something behind. */
    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    class OfOneClass {
        private @Nullable String last;

        @Test
        void anotherTestComesFirst() {
            last = "left";
            assertThat(last).isNotEmpty();
        }

        @Simulated(seeds = 1)
        void whatItHasLeftWasNotFilled(Simulation simulation) {
            declare(simulation);
        }
    }

    /** An inner class and one with a constructor's parameter; in both, all seeds meet one instance. */
    @Nested
    class Shared {
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private final String name;

        Shared(TestInfo info) {
            name = info.getDisplayName();
        }

        @Simulated(seeds = 10)
        void seedsOfOneInstanceRunOneAfterTheOther(Simulation simulation) {
            assertThat(name).isNotEmpty();
            threads.add(Thread.currentThread());
            declare(simulation);
        }

        /** The test's own thread calls it once, to see whether anything is declared. */
        @AfterEach
        void allSeedsWereDeclaredByOneThread() {
            assertThat(threads).hasSizeLessThanOrEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "12x", "9999999999"})
    void numbersOfSeedsThatMakeNoSenseAreRefused(String text) {
        String property = "kopf4j.test.seeds." + text;
        System.setProperty(property, text);
        try {
            assertThatThrownBy(() -> SimulatedTest.given(property, 1, Integer.MAX_VALUE))
                    .hasMessage("-D" + property + "=" + text + " makes no sense: take a whole number, at least 1");
        } finally {
            System.clearProperty(property);
        }
    }

    /** As Maven passes on what is not set. */
    @Test
    void anEmptyPropertyGivesNoNumberOfSeeds() {
        System.setProperty("kopf4j.test.seeds.empty", " ");
        try {
            assertThat(SimulatedTest.given("kopf4j.test.seeds.empty", 1, 9)).isEmpty();
        } finally {
            System.clearProperty("kopf4j.test.seeds.empty");
        }
    }

    @Test
    void numbersOfSeedsAreTakenFromProperties() {
        String property = "kopf4j.test.seed";
        assertThat(SimulatedTest.given(property, 1, 9)).isEmpty();
        System.setProperty(property, "-42");
        try {
            assertThat(SimulatedTest.given(property, Long.MIN_VALUE, Long.MAX_VALUE))
                    .hasValue(-42);
        } finally {
            System.clearProperty(property);
        }
    }
}
