package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Body;
import dev.kopf4j.Kopf;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Patch;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.testing.assertion.KopfAssertions;
import dev.kopf4j.testing.recording.LogLine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

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

    /** Answers to its own changes, for ever. */
    static class Counting {
        @OnCreate("configmaps")
        @OnUpdate("configmaps")
        void count(Body body, Patch patch) {
            patch.set("data.n", String.valueOf(Integer.parseInt(body.getString("data.n", "0")) + 1));
        }
    }

    /** Its error is lost with the thread. */
    static class OwnThread {
        static volatile @Nullable Thread last;

        @OnCreate("configmaps")
        void create(KubernetesClient client) {
            Thread thread = new Thread(() -> client.configMaps().withName("x").get(), "mine");
            thread.setUncaughtExceptionHandler((which, failure) -> {});
            thread.start();
            last = thread;
        }
    }

    @Disabled("run by the tests below")
    static class NoTest {
        @KopfTest(value = Never.class, time = TestTime.VIRTUAL)
        void neverRuns() {}

        @Test
        @KopfTest(value = Never.class, time = TestTime.VIRTUAL)
        void runs() {}
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
        @KopfTest(value = Never.class, timeout = "1m", time = TestTime.VIRTUAL)
        void timesOut(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
        }

        @Test
        @KopfTest(value = Counting.class, time = TestTime.VIRTUAL)
        void neverRests(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
        }

        @Test
        @KopfTest(Broken.class)
        void cannotStart() {}

        @Test
        @KopfTest(value = OwnThread.class, time = TestTime.VIRTUAL)
        void losesAnError(TestedOperator operator, KubernetesClient client) throws InterruptedException {
            operator.awaitHandled(client.resource(configMap("x")).create());
            Objects.requireNonNull(OwnThread.last).join();
        }

        @Test
        @KopfTest(value = Never.class, time = TestTime.VIRTUAL)
        void waitsForNothing(KubernetesClient client) {
            client.resource(configMap("x")).create();
        }

        @Test
        @KopfTest(value = Never.class, time = TestTime.VIRTUAL)
        void assertsWrongly(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitCalls("create", 2);
            KopfAssertions.assertThat(operator).hasCalled("create").on("x").once();
        }

        static OperatorBuilder waiting() {
            return dev.kopf4j.Operator.builder()
                    .clusterwide()
                    .onDaemon("configmaps", "wait", context -> {
                        context.stopped().await(Duration.ofDays(1));
                        return null;
                    })
                    .onCreate("secrets", "never", context -> null);
        }

        @Test
        @KopfTest(builder = "waiting", time = TestTime.VIRTUAL)
        void killsACall(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitIdle();
            operator.kill();
            operator.restart();
            operator.awaitCalls("never", 1);
        }

        static OperatorBuilder elsewhere() {
            return dev.kopf4j.Operator.builder()
                    .namespaces("kube-system")
                    .onCreate("configmaps", "create", context -> null);
        }

        static OperatorBuilder parted() {
            return dev.kopf4j.Operator.builder()
                    .clusterwide()
                    .onStartup("prepare", context -> null)
                    .onCreate("configmaps", "create", context -> {
                        context.subHandlers().add("part", part -> null);
                        return null;
                    });
        }

        private static void handled(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
        }

        @Test
        @KopfTest(builder = "parted", time = TestTime.VIRTUAL)
        void misspellsAHandlerThatIsNeverCalled(TestedOperator operator, KubernetesClient client) {
            handled(operator, client);
            KopfAssertions.assertThat(operator).hasNeverCalled("craete");
        }

        @Test
        @KopfTest(builder = "parted", time = TestTime.VIRTUAL)
        void awaitsNoCallsOfAHandlerThatIsNotThere(TestedOperator operator, KubernetesClient client) {
            handled(operator, client);
            assertThat(operator.awaitCalls("craete", 0)).isEmpty();
        }

        @Test
        @KopfTest(builder = "parted", time = TestTime.VIRTUAL)
        void looksForCallsOfAnActivity(TestedOperator operator, KubernetesClient client) {
            handled(operator, client);
            KopfAssertions.assertThat(operator).hasNeverCalled("prepare");
        }

        @Test
        @KopfTest(builder = "parted", time = TestTime.VIRTUAL)
        void awaitsWhatNeverWas(TestedOperator operator) {
            operator.awaitHandled(configMap("nope"));
        }

        @Test
        @KopfTest(value = Never.class, time = TestTime.VIRTUAL)
        void misspellsAKind(TestedOperator operator) {
            assertThat(operator.snapshots("ConfgMap", "x")).isEmpty();
        }

        @Test
        @KopfTest(Never.class)
        void misspellsAKindInRealTime(TestedOperator operator) {
            assertThat(operator.snapshots("configmaps", "x")).isEmpty();
        }

        @Test
        @KopfTest(builder = "elsewhere", time = TestTime.VIRTUAL)
        void awaitsWhatIsInAnotherNamespace(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
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
                Thread.sleep(1500);
                return null;
            });
        }

        @Test
        @KopfTest(builder = "connecting", time = TestTime.VIRTUAL)
        void waitsForASocket(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitIdle();
        }

        static OperatorBuilder connecting() {
            return dev.kopf4j.Operator.builder().clusterwide().onCreate("configmaps", "connecting", context -> {
                try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                        Socket socket = new Socket(InetAddress.getLoopbackAddress(), silent.getLocalPort())) {
                    return socket.getInputStream().read();
                }
            });
        }

        static class Locking {
            @OnCreate("configmaps")
            synchronized void create(KubernetesClient client) {
                client.secrets().withName("x").get();
            }
        }

        /** As the client does for a kind that is named by texts. */
        static class LookingUp {
            @OnCreate("configmaps")
            void create(KubernetesClient client) {
                getResourceDefinitionContext(client);
            }

            private synchronized void getResourceDefinitionContext(KubernetesClient client) {
                client.secrets().withName("x").get();
            }
        }

        @Test
        @KopfTest(value = LookingUp.class, time = TestTime.VIRTUAL)
        @DevClusterOptions(faults = "x1 GET **/secrets/x 503")
        void waitsForALookUp(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            client.resource(configMap("y")).create();
            operator.awaitIdle();
        }

        @Test
        @KopfTest(value = Locking.class, time = TestTime.VIRTUAL)
        @DevClusterOptions(faults = "x1 GET **/secrets/x 503")
        void waitsForALock(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            client.resource(configMap("y")).create();
            operator.awaitIdle();
        }

        @Test
        @KopfTest(builder = "watching", time = TestTime.VIRTUAL)
        void watchesByTheClient(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitIdle();
            throw new AssertionError(operator.calls("watching").getFirst().toString());
        }

        static OperatorBuilder watching() {
            return dev.kopf4j.Operator.builder().clusterwide().onCreate("configmaps", "watching", context -> {
                context.service(KubernetesClient.class).secrets().watch(new Watcher<Secret>() {
                    @Override
                    public void eventReceived(Action action, Secret secret) {}

                    @Override
                    public void onClose(WatcherException cause) {}
                });
                return null;
            });
        }

        static class Status {
            @OnCreate("configmaps")
            String create(dev.kopf4j.Patch patch) {
                Kopf.info("Renamed", "It is x now.");
                patch.label("phase", "Ready");
                return "done";
            }
        }

        @Test
        @KopfTest(value = Status.class, time = TestTime.VIRTUAL)
        void findsAnotherLabel(TestedOperator operator, KubernetesClient client) {
            ConfigMap created = client.resource(configMap("x")).create();
            operator.awaitHandled(created);
            assertThat(client.resource(created).get().getMetadata().getLabels()).containsEntry("phase", "Running");
        }

        static class Careless {
            @OnCreate("configmaps")
            void create() {
                org.slf4j.LoggerFactory.getLogger("kopf4j.reactor")
                        .error(Platform.UNEXPECTED, "This is a defect of the framework");
            }
        }

        @Test
        @KopfTest(value = Careless.class, time = TestTime.VIRTUAL)
        void logsAnErrorOfTheFramework(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
        }

        @Test
        @KopfTest(value = Status.class, time = TestTime.VIRTUAL)
        @DevClusterOptions(faults = "PATCH **/configmaps/x 403")
        void leavesAnObjectAlone(TestClock clock, KubernetesClient client) {
            client.resource(configMap("x")).create();
            clock.advance(Duration.ofMinutes(1));
        }

        @Test
        @KopfTest(value = Status.class, time = TestTime.VIRTUAL)
        void expectsAnEvent(TestedOperator operator, KubernetesClient client) {
            client.resource(configMap("x")).create();
            operator.awaitEvent("Created");
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
                .contains("ConfigMap default/x was not handled within 1m.")
                .contains("What is pending:\n  ConfigMap default/x waits for 240.")
                .contains(
                        "ConfigMap default/x: create asks for a retry after 0.0 ms: TemporaryException: the database is down");
    }

    /** No handler asks for another attempt there; what is done about it is in a warning long before. */
    @Test
    void anObjectThatNeverRestsIsNotSaidToWaitForARetry() {
        assertThat(FailingTests.report(Failing.class, "neverRests"))
                .containsPattern("waits for [0-9.]+ s until its next cycle\n")
                .doesNotContain("for a retry")
                .containsPattern("lines before, among them:\\)\n.* log +WARN .*K4-028")
                .contains("  (the last ones:)");
    }

    @Test
    void anOperatorThatCannotStartFailsTheTestWithItsReason() {
        assertThat(FailingTests.report(Failing.class, "cannotStart")).contains("no licence");
    }

    @Test
    void aFailedAssertionIsFollowedByTheHistory() {
        assertThat(FailingTests.report(Failing.class, "assertsWrongly"))
                .contains("expected 1 calls of the handler 'create', but there were 2:")
                .contains("ConfigMap default/x: create asks for a retry")
                .contains("What has happened:")
                .contains("   300.000 s  call     ConfigMap default/x: create begins, attempt 2");
    }

    @Test
    void aCallOfAKilledOperatorIsNotPending() {
        String report = FailingTests.report(Failing.class, "killsACall");
        assertThat(report.split("wait@default/x runs since", -1)).as(report).hasSize(2); // the newer one
    }

    @Test
    void awaitingWhatIsInANamespaceThatIsNotWatchedIsTold() {
        assertThat(FailingTests.report(Failing.class, "awaitsWhatIsInAnotherNamespace"))
                .contains("the operator does not watch configmaps.v1 in namespace 'default', but in 'kube-system'");
    }

    @Test
    void awaitingWhatTheOperatorDoesNotWatchIsRefused() {
        assertThat(FailingTests.report(Failing.class, "awaitsWhatIsNotWatched"))
                .contains("the operator does not watch v1 Secret, so it will never handle x");
    }

    @Test
    void whatTheOperatorDoesNotHaveIsNotTakenForNotCalled() {
        String words = "the operator has no handler 'craete', so it is never called; it has 'create'. Was it renamed?";
        assertThat(FailingTests.report(Failing.class, "misspellsAHandlerThatIsNeverCalled"))
                .contains(words);
        assertThat(FailingTests.report(Failing.class, "awaitsNoCallsOfAHandlerThatIsNotThere"))
                .contains(words);
        assertThat(FailingTests.report(Failing.class, "looksForCallsOfAnActivity"))
                .contains("'prepare' is a handler of the operator's activities");
        assertThat(FailingTests.report(Failing.class, "misspellsAKind"))
                .contains("the cluster serves no kind 'ConfgMap', so that nothing of it is called 'x'");
        assertThat(FailingTests.report(Failing.class, "misspellsAKindInRealTime"))
                .contains("the cluster serves no kind 'configmaps'");
    }

    static OperatorBuilder parted() {
        return Failing.parted();
    }

    @Test
    @KopfTest(builder = "parted", start = false, time = TestTime.VIRTUAL)
    void whatWasDeletedBeforeTheOperatorBeganIsHandled(TestedOperator operator, KubernetesClient client) {
        client.resource(configMap("x")).create();
        client.resource(configMap("x")).delete();
        operator.restart();
        operator.awaitHandled(configMap("x"));
        assertThat(FailingTests.report(Failing.class, "awaitsWhatNeverWas"))
                .contains("there is no ConfigMap default/nope, and there was none, so nothing can be handled");
    }

    @Test
    @KopfTest(builder = "parted", start = false, time = TestTime.VIRTUAL)
    void aHandlerThatIsThereMayBeNeverCalled(TestedOperator operator, KubernetesClient client) {
        KopfAssertions.assertThat(operator).hasNeverCalled("anything"); // nothing was started
        operator.restart();
        KopfAssertions.assertThat(operator).hasNeverCalled("create").hasNeverCalled("create/part");
        assertThat(operator.snapshots("Secret", "x")).isEmpty();
        operator.awaitHandled(client.resource(configMap("x")).create());
        KopfAssertions.assertThat(operator).hasCalled("create/part");
    }

    @Test
    void aSleepInVirtualTimeIsNamedAndDoesNotHang() {
        assertThat(FailingTests.report(Failing.class, "leavesTheSimulation"))
                .contains("sleepy@x' sleeps, and no time of the simulation passes meanwhile")
                .contains("java.lang.Thread.sleep")
                .contains("FailuresTest$Failing.lambda$sleepy$");
    }

    @Test
    void aThreadOfOnesOwnInVirtualTimeIsNamed() {
        assertThat(FailingTests.report(Failing.class, "usesAThreadOfItsOwn"))
                .contains("the client was used in the thread 'my-own', which is not part of the simulation");
    }

    @Test
    void aSocketInVirtualTimeIsNamed() {
        assertThat(FailingTests.report(Failing.class, "waitsForASocket"))
                .contains("connecting@x' waits for something that is not part of the simulation (a socket,")
                .contains("FailuresTest$Failing.lambda$connecting$")
                .contains("use the injected client and the handler's own waiting, or test it in real time");
    }

    @Test
    void aLockInVirtualTimeIsNamed() {
        assertThat(FailingTests.report(Failing.class, "waitsForALock"))
                .contains("waits for something that is not part of the simulation")
                .contains("a lock that another handler holds during a request")
                .contains("FailuresTest$Failing$Locking.create")
                .doesNotContain("ResourceDefinitionContext");
        assertThat(FailingTests.report(Failing.class, "waitsForALookUp"))
                .contains("take genericKubernetesResources(ResourceDefinitionContext) in place of the one with texts");
    }

    @Test
    void aWatchOfTheClientInVirtualTimeIsRefused() {
        assertThat(FailingTests.report(Failing.class, "watchesByTheClient"))
                .contains("watching failed after 0.0 ms: IllegalStateException: watches and informers of the"
                        + " client have threads of their own, which have no place in virtual time:"
                        + " /api/v1/namespaces/default/secrets. Use handlers and indices instead");
    }

    @Test
    void anAssertionOfAnotherLibraryIsFollowedByTheHistory() {
        assertThat(FailingTests.report(Failing.class, "findsAnotherLabel"))
                .contains("[\"phase\"=\"Ready\" (expected: \"Running\")]")
                .contains("What has happened:")
                .contains("call     ConfigMap default/x: create succeeded after 0.0 ms with \"done\"");
    }

    @Test
    void anErrorOfTheFrameworkFailsTheTestWithTheHistory() {
        assertThat(FailingTests.report(Failing.class, "logsAnErrorOfTheFramework"))
                .contains("the framework has logged unexpected errors:\n  ERROR This is a defect of the framework")
                .contains("What has happened:");
    }

    @Test
    void anObjectThatTheFrameworkLeavesAloneFailsTheTest() {
        assertThat(FailingTests.report(Failing.class, "leavesAnObjectAlone"))
                .contains("the framework has logged unexpected errors:\n  ERROR K4-020: Throttling for 1 seconds");
    }

    /** The words of the framework in texts of others. */
    static class Payment {
        @OnCreate("configmaps")
        void create(int retry, Logger logger) {
            logger.error("charge declined due to an unexpected error: is a defect of the framework");
            if (retry == 0) {
                throw new TemporaryException("the payment service has failed due to an unexpected error");
            }
        }
    }

    @Test
    @KopfTest(value = Payment.class, time = TestTime.VIRTUAL)
    void whatHandlersSayOfUnexpectedErrorsIsNoErrorOfTheFramework(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        KopfAssertions.assertThat(operator).hasLogged("Handler 'create' failed temporarily: the payment service");
        assertThat(operator.logs()).noneMatch(LogLine::isFrameworkError);
    }

    @Test
    void aMissingEventIsToldBesideThoseThatThereWere() {
        assertThat(FailingTests.report(Failing.class, "expectsAnEvent"))
                .contains("there was no Kubernetes event with the reason Created within 1h.")
                .contains("The events that there were:\n  Normal Renamed about ConfigMap x: It is x now.");
    }

    @Test
    void anErrorInAThreadOfOnesOwnFailsTheTest() {
        assertThat(FailingTests.report(Failing.class, "losesAnError"))
                .contains("the client was used in the thread 'mine', which is not part of the simulation");
    }

    @Test
    void aTestThatDoesNotWaitShowsNothing() {
        assertThat(FailingTests.report(Failing.class, "waitsForNothing"))
                .contains(
                        "the test does not wait for the operator: what it has written may not be handled yet when it looks");
    }

    @Test
    void aMethodThatIsNoTestIsNamed() {
        assertThat(FailingTests.report(NoTest.class, "runs"))
                .contains("NoTest.neverRuns has @KopfTest, but is no test, so that it would never run: add @Test");
    }
}
