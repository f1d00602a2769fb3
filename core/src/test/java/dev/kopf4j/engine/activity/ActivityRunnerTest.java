package dev.kopf4j.engine.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ActivityContext;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.ActivityOptions;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerRetriesException;
import dev.kopf4j.HandlerTimeoutException;
import dev.kopf4j.Logins;
import dev.kopf4j.OnCleanup;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnLogin;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.PermanentException;
import dev.kopf4j.SettingException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.activity.ActivityRunner.ActivityAttempts;
import dev.kopf4j.engine.activity.ActivityRunner.ActivityRun;
import dev.kopf4j.engine.call.HandlerResultTest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/**
 * The handlers of start-up, cleanup, login and probes on a running operator. Tests {@link ActivityRunner},
 * {@link ActivityRun}, {@link ActivityAttempts} and {@code StartupAndCleanup}.
 */
class ActivityRunnerTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private ActivityHandler noting(String what) {
        return context -> {
            story.calls.add(what + " " + context.retry() + " at " + story.seconds());
            return null;
        };
    }

    private UnaryOperator<OperatorBuilder> startingUp(Consumer<ActivityOptions> options, ActivityHandler handler) {
        return builder -> builder.onStartup("configure", options, context -> {
                    noting("startup").handle(context);
                    return handler.handle(context);
                })
                .onCleanup("end", noting("cleanup"))
                .onCreate("kex", "make", story.noting("created"));
    }

    @Test
    @Tag("G01")
    void startupComesBeforeAnythingElseAndMayChangeSettings() {
        story.server.create(Scenario.example());
        story.start(startingUp(h -> {}, context -> {
            assertThat(story.server.listCount()).isZero();
            context.settings().persistence().finalizer("example.dev/own");
            return null;
        }));
        assertThat(story.calls).containsExactly("startup 0 at 0.0", "created");
    }

    /** As {@code fun configure() = runCatching { ... }}. */
    @Test
    @Tag("G01")
    void anExceptionThatKotlinHasCaughtAndReturnedIsAFailure() {
        var lacks = new TemporaryException("no database", Duration.ofSeconds(7));
        story.server.create(Scenario.example());
        story.start(startingUp(
                h -> {}, context -> context.retry() == 0 ? HandlerResultTest.KotlinResults.failure(lacks) : null));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("startup 0 at 0.0", "startup 1 at 7.0", "created");
    }

    @Test
    @Tag("G01")
    void anExceptionOfAnotherThreadSaysWhenToTryAgain() {
        var lacks = new TemporaryException("no database", Duration.ofSeconds(7));
        story.server.create(Scenario.example());
        story.start(startingUp(h -> {}, context -> {
            if (context.retry() == 0) {
                throw new ExecutionException(lacks);
            }
            return null;
        }));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("startup 0 at 0.0", "startup 1 at 7.0", "created");
    }

    /** Whoever has given an option looks for the reason that it does nothing. */
    @Test
    @Tag("G01")
    void aSettingFromOutsideThatAStartUpHandlerOverridesIsTold() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.operator")) {
            story.start(builder -> startingUp(h -> {}, context -> {
                        context.settings().peering().priority(5);
                        context.settings().posting().enabled(false);
                        context.settings().children().fieldManager("others");
                        return null;
                    })
                    .apply(builder)
                    .settings(settings -> settings.from(
                            "the option --set",
                            taken -> taken.set("peering.priority", "100")
                                    .set("posting.enabled", "false")
                                    .set("operator.name", "sites"))));
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "warn: A start-up handler has set peering.priority to 5, so that 100, which comes from the"
                                    + " option --set, does not count.");
        }
    }

    @Test
    @Tag("G01")
    void settingsOfOneRunAreNotThoseOfTheNext() {
        List<Long> seen = new ArrayList<>();
        UnaryOperator<OperatorBuilder> counting = builder -> builder.onStartup("count", context -> {
            OperatorSettings.Peering peering = context.settings().peering();
            seen.add(peering.priority());
            peering.priority(peering.priority() + 1);
            return null;
        });
        story.start(counting).restart(counting);
        assertThat(seen).containsExactly(0L, 0L);
    }

    @Test
    @Tag("G01")
    void settingsAreReadOnlyOnceTheOperatorWorks() {
        List<OperatorSettings> kept = new ArrayList<>();
        story.start(startingUp(h -> {}, context -> kept.add(context.settings())));
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> kept.getFirst().peering().priority(1))
                .withMessageContaining("cannot be changed any more");
    }

    @Test
    void handlersRunInTheOrderOfTheirRegistrationAndFailingOnesAgain() {
        story.start(builder -> builder.onStartup("first", h -> h.backoff(Duration.ofSeconds(5)), context -> {
                    noting("first").handle(context);
                    if (context.retry() == 0) {
                        throw new IllegalStateException("not yet");
                    }
                    return null;
                })
                .onStartup("second", context -> {
                    noting("second").handle(context);
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(2));
                    }
                    return null;
                })
                .onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls)
                .containsExactly("first 0 at 0.0", "second 0 at 0.0", "second 1 at 2.0", "first 1 at 5.0");
        assertThat(story.server.listCount()).isPositive();
    }

    @Test
    @Tag("G01")
    @Tag("L54")
    void failingStartupStopsTheOperatorBeforeAnyRequest() {
        List<String> requests = new ArrayList<>();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(dev.kopf4j.client.transport.TransportRequest transportRequest) {
                requests.add(transportRequest.toString());
            }
        });
        story.start(startingUp(h -> {}, context -> {
            throw new PermanentException("the licence has expired");
        }));
        assertThat(story.failure())
                .isInstanceOf(OperatorException.class)
                .hasMessage("The operator does not start: One or more handlers of the startup activity failed:"
                        + " 'configure': the licence has expired");
        assertThat(requests).isEmpty();
        assertThat(story.calls).containsExactly("startup 0 at 0.0");
    }

    @Test
    void startupHandlersHaveTheirLimits() {
        story.start(
                builder -> builder.onStartup("patient", h -> h.retries(3).backoff(Duration.ofSeconds(1)), context -> {
                    noting("patient").handle(context);
                    throw new IllegalStateException("never");
                }));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("patient 0 at 0.0", "patient 1 at 1.0", "patient 2 at 2.0");
        assertThat(story.failure())
                .hasMessageContaining(
                        "'patient' failed with an exception and will stop now (it would exceed 3 retries on the next attempt): never");
    }

    @Test
    void timeoutInterruptsAStartupHandler() {
        story.start(builder -> builder.onStartup("slow", h -> h.timeout(Duration.ofSeconds(3)), context -> {
            noting("slow").handle(context);
            story.world.sleep(Duration.ofHours(1));
            return null;
        }));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.failure()).hasMessageContaining("'slow': Activity 'slow' has timed out after 0:00:03.");
    }

    @Test
    void ignoredErrorsDoNotKeepTheOperatorFromStarting() {
        story.start(startingUp(h -> h.errors(ErrorsMode.IGNORED), context -> {
            throw new IllegalStateException("whatever");
        }));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).containsExactly("startup 0 at 0.0", "created");
    }

    @Test
    @Tag("G02")
    @Tag("L55")
    void cleanupComesAfterAllElse() {
        story.start(builder -> builder.onCleanup("end", h -> h.backoff(Duration.ofSeconds(1)), context -> {
                    noting("cleanup").handle(context);
                    if (context.retry() == 0) {
                        throw new IllegalStateException("again");
                    }
                    return null;
                })
                .onCreate("kex", "make", context -> {
                    try {
                        story.world.sleep(Duration.ofHours(1));
                    } finally {
                        story.calls.add("handler ends at " + story.seconds());
                    }
                    return null;
                }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(1));
        story.stop();
        assertThat(story.calls).containsExactly("handler ends at 3.5", "cleanup 0 at 3.5", "cleanup 1 at 4.5");
    }

    @Test
    @Tag("L55")
    void cleanupComesAlsoWhenTheClusterCannotBeReached() {
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(dev.kopf4j.client.transport.TransportRequest transportRequest)
                    throws java.io.IOException {
                throw new java.io.IOException("connection refused");
            }
        });
        story.start(builder ->
                builder.onCleanup("end", noting("cleanup")).onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.failure()).hasMessageContaining("cannot be reached");
        assertThat(story.calls).containsExactly("cleanup 0 at 1.5");
    }

    @Test
    void cleanupIsGivenUpWhenItsTimeIsOver() {
        story.start(builder -> builder.settings(s -> s.process().ultimateExitingTimeout(Duration.ofSeconds(2)))
                .onCleanup("end", context -> {
                    story.world.sleep(Duration.ofHours(1));
                    return null;
                })
                .onCreate("kex", "make", story.noting("created")));
        story.stop();
        assertThat(story.hasEnded()).isTrue();
    }

    @Test
    void failingCleanupIsTheOperatorsFailure() {
        story.start(builder -> builder.onCleanup("end", context -> {
                    throw new PermanentException("the disk is full");
                })
                .onCreate("kex", "make", story.noting("created")));
        story.stop();
        assertThat(story.failure())
                .hasMessage("The operator has stopped, but not cleaned up: One or more handlers of the cleanup activity"
                        + " failed: 'end': the disk is full");
    }

    @Test
    void stoppingDuringStartupInterruptsItAndIsNoFailure() {
        story.start(startingUp(h -> {}, context -> {
            story.world.sleep(Duration.ofHours(1));
            return null;
        }));
        story.stop();
        assertThat(story.hasEnded()).isTrue();
        assertThat(story.failure()).isNull();
        assertThat(story.calls).as("no cleanup of what has not begun").containsExactly("startup 0 at 0.0");
    }

    @Test
    @Tag("C32")
    void theLimitThatHasEndedAStartUpHandlerIsTheCauseOfTheFailure() {
        story.start(builder -> builder.onStartup("fn", h -> h.retries(1), context -> {
            throw new IllegalStateException("not today");
        }));
        assertThat(story.failure())
                .cause()
                .hasCauseInstanceOf(HandlerRetriesException.class)
                .hasRootCauseMessage("not today");
        story.start(builder -> builder.onStartup("fn", h -> h.timeout(Duration.ofSeconds(5)), context -> {
            throw new TemporaryException("later", Duration.ofSeconds(3));
        }));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.failure()).cause().hasCauseInstanceOf(HandlerTimeoutException.class);
    }

    /** Annotated handlers of all activities. */
    static final class Annotated {
        private final List<String> calls = new ArrayList<>();

        @OnStartup(param = "a", retries = 2)
        @OnStartup(id = "other", param = "b")
        void configure(OperatorSettings settings, String id, Object param, int retry, Duration runtime, Logger logger) {
            calls.add(id + " " + param + " " + retry + " " + runtime + " " + logger.getName());
            settings.peering().priority(settings.peering().priority() + 1);
        }

        @OnLogin
        static Optional<ConnectionInfo> login(Logins logins) throws InterruptedException {
            return logins.serviceAccount()
                    .or(() -> Optional.of(ConnectionInfo.builder("https://cluster.example")
                            .token("secret")
                            .build()));
        }

        @OnCleanup
        void finish(ActivityContext context) {
            calls.add("cleanup with priority " + context.settings().peering().priority());
        }

        @OnCreate("kex")
        void created(String name) {
            calls.add("created " + name);
        }
    }

    @Test
    @Tag("G01")
    @Tag("G02")
    @Tag("G03")
    @Tag("L44")
    void annotatedMethodsTakePartInActivities() {
        Annotated handlers = new Annotated();
        story.server.create(Scenario.example());
        story.start(handlers).stop();
        assertThat(handlers.calls)
                .containsExactly(
                        "configure a 0 PT0S kopf4j.activities.startup",
                        "other b 0 PT0S kopf4j.activities.startup",
                        "created x",
                        "cleanup with priority 2");
    }

    @Test
    @Tag("G03")
    @Tag("L43")
    void loginHandlersTakeThePlaceOfTheBuiltInLoginsAndMayCallThem() {
        story.server.create(Scenario.example());
        story.start(builder -> builder.onLogin("own", h -> h.retries(3).backoff(Duration.ofSeconds(1)), context -> {
                    noting("login").handle(context);
                    if (context.retry() < 2) {
                        throw new IllegalStateException("the door is closed");
                    }
                    return context.logins().serviceAccount().or(() -> kubeconfig(context.logins()));
                })
                .onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("login 0 at 0.0", "login 1 at 1.0", "login 2 at 2.0", "created");
    }

    /** Nothing is handled without a login. */
    @Test
    @Tag("G03")
    void loginHandlersWithoutABackoffAreTriedAgainSoon() {
        story.server.create(Scenario.example());
        story.start(builder -> builder.onLogin("own", context -> {
                    noting("login").handle(context);
                    if (context.retry() < 12) {
                        throw new IllegalStateException("the vault is sealed");
                    }
                    return kubeconfig(context.logins());
                })
                .onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls)
                .startsWith("login 0 at 0.0", "login 1 at 1.0", "login 2 at 3.0", "login 3 at 6.0")
                .endsWith("login 10 at 55.0", "login 11 at 65.0", "login 12 at 75.0", "created");
    }

    @Test
    @Tag("G03")
    void oneCredentialIsEnough() {
        ActivityHandler broken = context -> {
            noting("vault").handle(context);
            throw new IllegalStateException("the vault is sealed");
        };
        ActivityHandler refusing = context -> {
            throw new PermanentException("there is no such account");
        };
        story.server.create(Scenario.example());
        story.start(builder -> builder.onLogin("vault", broken)
                .onLogin("account", refusing)
                .onLogin("pod", context -> context.logins().serviceAccount())
                .onLogin("spare", h -> h.backoff(Duration.ofSeconds(2)), context -> {
                    noting("spare").handle(context);
                    if (context.retry() == 0) {
                        throw new IllegalStateException("not yet");
                    }
                    return kubeconfig(context.logins());
                })
                .onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls)
                .containsExactly("vault 0 at 0.0", "spare 0 at 0.0", "vault 1 at 1.0", "spare 1 at 2.0", "created");
    }

    private static Optional<ConnectionInfo> kubeconfig(Logins logins) {
        try {
            return logins.kubeconfig();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("G03")
    void loginHandlersMustGiveCredentials() {
        story.start(builder ->
                builder.onLogin("own", context -> "secret").onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.failure())
                .hasMessageContaining(
                        "the login handler 'own' must return a ConnectionInfo, an Optional of one, or null,"
                                + " but has returned a java.lang.String");
    }

    /** Before the first request: an id that cannot be stored. */
    @Test
    void cleanupHandlersEndWhatStartUpHandlersHaveBegunIfTheOperatorCannotStart() {
        story.start(builder -> builder.onStartup("begin", noting("startup"))
                .onCleanup("end", noting("cleanup"))
                .onCreate("kex", "two words", story.noting("created")));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.failure()).hasMessageContaining("two words");
        assertThat(story.calls).containsExactly("startup 0 at 0.0", "cleanup 0 at 0.0");
    }

    @Test
    void anErrorIsNoGracefulEnd() {
        story.start(builder -> builder.whenReady(() -> {
                    throw new NoClassDefFoundError("org/example/Missing");
                })
                .onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.hasEnded()).isTrue();
        assertThat(story.failure()).hasMessageContaining("NoClassDefFoundError: org/example/Missing");
    }

    @Test
    void theActionOfAReadyOperatorEndsBeforeCleanupHandlersAndIsInterrupted() {
        story.start(builder -> builder.whenReady(() -> {
                    try {
                        story.world.sleep(Duration.ofDays(1));
                    } catch (InterruptedException e) {
                        story.calls.add("interrupted");
                        throw new IllegalStateException("cut short", e);
                    }
                })
                .onCleanup("end", noting("cleanup"))
                .onCreate("kex", "make", story.noting("created")));
        story.stop();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).hasSize(2).first().isEqualTo("interrupted");
        assertThat(story.calls.getLast()).startsWith("cleanup");
    }

    @Test
    void theActionOfAReadyOperatorMayEndByItselfAtTheStop() {
        story.start(builder -> builder.whenReady(() -> {
                    try {
                        story.world.sleep(Duration.ofSeconds(1));
                        story.calls.add("registered");
                    } catch (InterruptedException e) {
                        story.calls.add("interrupted");
                    }
                })
                .onCleanup("end", noting("cleanup"))
                .onCreate("kex", "make", story.noting("created")));
        story.stop();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).hasSize(2).first().isEqualTo("registered");
    }

    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        @SuppressWarnings("unchecked") // for the compiler alone
        T unchecked = (T) thrown;
        throw unchecked;
    }

    @Test
    void aCheckedExceptionOfTheActionEndsTheOperatorToo() {
        story.start(builder -> builder.whenReady(
                        () -> ActivityRunnerTest.<RuntimeException>sneak(new java.io.IOException("no registry")))
                .onCreate("kex", "make", story.noting("created")));
        story.pass(Duration.ofSeconds(5));
        assertThat(story.failure()).hasMessageContaining("no registry");
    }

    @Test
    @Tag("K06")
    void embedderTellsWhenToStopAndIsToldWhenAllIsReady() {
        var monitor = story.world.monitor();
        boolean[] stop = {false};
        story.start(builder -> builder.stopWhen(
                        () -> monitor.awaitTrue(() -> stop[0], dev.kopf4j.runtime.Deadline.NEVER))
                .whenReady(() -> story.calls.add("ready"))
                .onCleanup("end", noting("cleanup"))
                .onCreate("kex", "make", story.noting("created")));
        assertThat(story.calls).containsExactly("ready");
        monitor.locked(() -> {
            stop[0] = true;
        });
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactly("ready", "cleanup 0 at 0.5");
        assertThat(story.hasEnded()).isTrue();
    }
}
