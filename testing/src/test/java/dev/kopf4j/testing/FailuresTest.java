package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.testing.assertion.KopfAssertions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a user reads when a test fails. */
@Tag("N01")
@Tag("L49")
@Tag("K09")
class FailuresTest {
    static class Never {
        @OnCreate("configmaps")
        void create() {
            throw new TemporaryException("the database is down", Duration.ofMinutes(5));
        }
    }

    static class Broken {
        @OnStartup
        void start() {
            throw new PermanentException("no licence");
        }

        @OnCreate("configmaps")
        void create() {}
    }

    @Disabled("run by the tests below")
    static class Failing {
        @Test
        @KopfTest(value = Never.class, timeout = "300ms")
        void timesOut(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
        }

        @Test
        @KopfTest(Broken.class)
        void cannotStart() {}

        @Test
        @KopfTest(value = Never.class, time = TestTime.VIRTUAL)
        void assertsWrongly(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitCalls("create", 2);
            KopfAssertions.assertThat(operator).hasCalled("create").on("x").once();
        }

        @Test
        @KopfTest(Never.class)
        void awaitsWhatIsNotWatched(TestedOperator operator) {
            operator.awaitHandled(
                    java.util.Map.of("apiVersion", "v1", "kind", "Secret", "metadata", java.util.Map.of("name", "x")));
        }

        @Test
        @KopfTest(builder = "sleepy", time = TestTime.VIRTUAL)
        void leavesTheSimulation(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitIdle();
        }

        static OperatorBuilder sleepy() {
            return dev.kopf4j.Operator.builder().clusterwide().onCreate("configmaps", "sleepy", context -> {
                Thread.sleep(60_000);
                return null;
            });
        }

        @Test
        @KopfTest(builder = "foreign", time = TestTime.VIRTUAL)
        void usesAThreadOfItsOwn(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitIdle();
            throw new AssertionError(operator.calls("foreign").getFirst().toString());
        }

        static OperatorBuilder foreign() {
            return dev.kopf4j.Operator.builder().clusterwide().onCreate("configmaps", "foreign", context -> {
                KubernetesClient client = context.service(KubernetesClient.class);
                Throwable[] problem = new Throwable[1];
                Thread.ofPlatform()
                        .name("my-own")
                        .start(() -> {
                            try {
                                client.configMaps().withName("x").get();
                            } catch (RuntimeException e) {
                                problem[0] = e;
                            }
                        })
                        .join();
                throw new PermanentException(String.valueOf(problem[0]));
            });
        }
    }

    @Test
    void aWaitThatFailsTellsWhatIsPendingAndWhatHasHappened() {
        assertThat(FailingTests.report(Failing.class, "timesOut"))
                .contains("ConfigMap default/x was not handled within 0.3 s.")
                .contains("What is pending:\n  ConfigMap default/x waits for 29")
                .contains("create@default/x asks for a retry: dev.kopf4j.TemporaryException: the database is down");
    }

    @Test
    void anOperatorThatCannotStartFailsTheTestWithItsReason() {
        assertThat(FailingTests.report(Failing.class, "cannotStart")).contains("no licence");
    }

    @Test
    void aFailedAssertionIsFollowedByTheHistory() {
        assertThat(FailingTests.report(Failing.class, "assertsWrongly"))
                .contains("expected 1 calls of the handler 'create', but there were 2:")
                .contains("create@default/x (attempt 2) asks for a retry")
                .contains("What has happened:")
                .contains("   300.000 s  call   create@default/x (attempt 2) begins");
    }

    @Test
    void awaitingWhatTheOperatorDoesNotWatchIsRefused() {
        assertThat(FailingTests.report(Failing.class, "awaitsWhatIsNotWatched"))
                .contains("the operator does not watch v1 Secret, so it will never handle x");
    }

    @Test
    void aSleepInVirtualTimeIsNamedAndDoesNotHang() {
        assertThat(FailingTests.report(Failing.class, "leavesTheSimulation"))
                .contains("sleepy@x' waits for something that is not part of the simulation")
                .contains("java.lang.Thread.sleep")
                .contains("FailuresTest$Failing.lambda$sleepy$");
    }

    @Test
    void aThreadOfOnesOwnInVirtualTimeIsNamed() {
        assertThat(FailingTests.report(Failing.class, "usesAThreadOfItsOwn"))
                .contains("the client was used in the thread 'my-own', which is not part of the simulation");
    }
}
