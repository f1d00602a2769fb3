package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Body;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.Meta;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Spec;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.Call;
import dev.kopf4j.runtime.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lives of daemons: how they start, what they see, how they are tried again, and how they come to their ends. */
class DaemonTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private void say(String what) {
        story.calls.add(what + " at " + story.seconds());
    }

    private UnaryOperator<OperatorBuilder> daemon(UnaryOperator<HandlerOptions> options, Handler handler) {
        return builder -> builder.onDaemon("kex", h -> options.apply(h.id("dmn")), context -> {
            say("starts " + context.retry());
            return handler.handle(context);
        });
    }

    private Handler untilStopped() {
        return context -> {
            context.stopped().await();
            say("ends " + context.stopped().reasons());
            return null;
        };
    }

    private void create() {
        story.server.create(Scenario.example());
    }

    private List<String> warnings() {
        return story.lines(Level.WARN);
    }

    private boolean isHeld() {
        return story.server.exists("x")
                && story.at("/metadata/finalizers/0").asString("").equals(Scenario.FINALIZER);
    }

    /** Waits as code does that knows nothing of interrupts. */
    private void deafFor(Duration time) {
        Deadline end = story.world.after(time);
        while (!end.hasPassed(story.world)) {
            try {
                story.world.monitor().awaitTrue(() -> false, end);
            } catch (InterruptedException e) {
                say("is interrupted");
            }
        }
    }

    @Test
    @Tag("E01")
    @Tag("E02")
    @Tag("E08")
    void oneRunsBesideEachObjectFromItsFinalizerToItsDeletion() {
        story.start(daemon(h -> h, context -> {
            assertThat(isHeld()).isTrue();
            context.stopped().await();
            say(context.name() + " ends " + context.stopped().reasons());
            return null;
        }));
        create();
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 0 at 0.5");
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).hasSize(3).last().isEqualTo("x ends [RESOURCE_DELETED] at 3600.5");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.server.exists("y")).isTrue();
    }

    @Test
    @Tag("E01")
    void listedObjectsHaveTheirsToo() {
        create();
        story.start(daemon(h -> h, untilStopped()));
        assertThat(story.calls).containsExactly("starts 0 at 0.0");
    }

    @Test
    @Tag("E02")
    void theSignIsAskedForOrWaitedForWithATimeLimit() {
        story.start(daemon(h -> h, context -> {
            while (!context.stopped().await(Duration.ofSeconds(10))) {
                say("works, stopped " + context.stopped().isSet() + " "
                        + context.stopped().reasons());
            }
            say("ends, stopped " + context.stopped().isSet());
            return null;
        }));
        create();
        story.pass(Duration.ofSeconds(25));
        story.server.delete("x");
        story.rest();
        assertThat(story.calls)
                .containsExactly(
                        "starts 0 at 0.5",
                        "works, stopped false [] at 10.5",
                        "works, stopped false [] at 20.5",
                        "ends, stopped true at 25.5");
    }

    @Test
    @Tag("E03")
    void startsAfterItsInitialDelay() {
        story.start(daemon(h -> h.initialDelay(Duration.ofSeconds(30)), untilStopped()));
        create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 30.5");
    }

    @Test
    @Tag("E03")
    void theInitialDelayMayDependOnTheObject() {
        story.start(daemon(
                h -> h.initialDelay(context -> Duration.ofSeconds(context.name().equals("x") ? 7 : 9)),
                untilStopped()));
        create();
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 7.5", "starts 0 at 9.5");
    }

    @Test
    @Tag("E03")
    void noInitialDelayOrANegativeOneIsTheStart() {
        story.start(daemon(
                h -> h.initialDelay(context -> context.name().equals("x") ? null : Duration.ofDays(-1)),
                untilStopped()));
        create();
        story.server.create(Scenario.example("y"));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 0 at 0.5");
        assertThat(story.lines(Level.ERROR)).isEmpty();
    }

    @Test
    @Tag("E03")
    void deletionsDoNotWaitForInitialDelays() {
        story.start(daemon(h -> h.initialDelay(Duration.ofDays(1)), untilStopped()));
        create();
        story.rest();
        assertThat(isHeld()).isTrue();
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.calls).isEmpty();
    }

    @Test
    @Tag("E03")
    void anInitialDelayThatFailsIsToldAndTheDaemonIsNotStarted() {
        story.start(daemon(
                h -> h.initialDelay(context -> {
                    throw new IllegalStateException("no idea");
                }),
                untilStopped()));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).isEmpty();
        assertThat(story.lines(Level.ERROR)).singleElement().asString().contains("initial delay", "no idea");
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E04")
    void errorsAreTriedAgainInMemoryOnly() {
        story.start(daemon(
                h -> h.errors(ErrorsMode.TEMPORARY)
                        .backoff(Duration.ofSeconds(1))
                        .retries(10),
                context -> {
                    if (context.retry() < 3) {
                        throw new TemporaryException("I'll be back!", Duration.ofSeconds(2));
                    } else if (context.retry() < 5) {
                        throw new IllegalStateException("Something happened!");
                    }
                    assertThat(context.runtime()).isEqualTo(Duration.ofSeconds(8));
                    throw new PermanentException("Bye-bye!");
                }));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "starts 0 at 0.5",
                        "starts 1 at 2.5",
                        "starts 2 at 4.5",
                        "starts 3 at 6.5",
                        "starts 4 at 7.5",
                        "starts 5 at 8.5");
        assertThat(story.server.patches()).as("the finalizer").hasSize(1);
        assertThat(story.lines(Level.DEBUG))
                .contains("debug: Daemon 'dmn' has exited on its own and will not be retried or restarted.");
    }

    @Test
    @Tag("E04")
    void attemptsAreCounted() {
        story.start(daemon(h -> h.retries(2).backoff(Duration.ofSeconds(5)), context -> {
            throw new IllegalStateException("again");
        }));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 1 at 5.5");
    }

    @Test
    @Tag("E04")
    void theTimeForAllAttemptsInterrupts() {
        story.start(daemon(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            story.world.sleep(Duration.ofHours(1));
            return null;
        }));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.infos()).containsExactly("error: Daemon 'dmn' has timed out after 5 seconds.");
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E04")
    void codeThatIgnoresItsTimeoutIsLeftBehindWithItsStack() {
        story.start(daemon(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            deafFor(Duration.ofMinutes(10));
            return null;
        }));
        create();
        story.pass(Duration.ofSeconds(16));
        assertThat(warnings())
                .anySatisfy(line -> assertThat(line)
                        .contains("Daemon 'dmn' ignores that it was interrupted 10 seconds ago")
                        .contains("deafFor"))
                .contains("error: Daemon 'dmn' has timed out after 15 seconds.");
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(isHeld()).as("nothing holds the object any more").isFalse();
        story.pass(Duration.ofMinutes(20));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 5.5");
    }

    @Test
    @Tag("E04")
    @Tag("E08")
    void whoseOwnEndHasComeIsNotStartedAgainInTheSameProcess() {
        story.start(daemon(h -> h, context -> "done"));
        create();
        story.rest();
        assertThat(story.at("/status/dmn").asString()).isEqualTo("done");
        assertThat(isHeld())
                .as("dropped with the next event, that of the result")
                .isFalse();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
        story.restart(daemon(h -> h, context -> "done"));
        story.rest();
        assertThat(story.calls).hasSize(2);
    }

    @Test
    @Tag("E04")
    void itsOwnEndIsForgottenWithTheObjectAlsoIfTheSameUidComesAgain() {
        story.start(daemon(h -> h, context -> null));
        create();
        story.rest();
        story.server.delete("x");
        story.rest();
        create();
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 0 at 1.5");
    }

    /** Its end is its own, whatever happens while its changes are on their way. */
    @Test
    @Tag("E04")
    @Tag("E05")
    void whoseOwnEndHasComeIsNotStartedAgainThoughItsFiltersHaveChangedMeanwhile() {
        boolean[] down = {false};
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(Call call) throws IOException {
                if (down[0] && call.method().equals("PATCH")) {
                    throw new IOException("no route to host");
                }
            }
        });
        story.start(daemon(h -> h.labels("!off"), context -> {
            down[0] = true;
            return "done";
        }));
        create();
        story.rest();
        story.server.change("x", "metadata.labels", Map.of("off", "yes"));
        story.pass(Duration.ofMinutes(10));
        assertThat(story.lines(Level.ERROR))
                .anySatisfy(
                        line -> assertThat(line).contains("The changes that Daemon 'dmn' has made are not written"));
        down[0] = false;
        story.server.change("x", "metadata.labels", null);
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
    }

    @Test
    @Tag("E04")
    void onesThatThrowAtOnceAreNoBusyLoop() {
        story.start(daemon(h -> h, context -> {
            throw new IllegalStateException("at once");
        }));
        create();
        story.pass(Duration.ofMinutes(3));
        assertThat(story.calls)
                .containsExactly("starts 0 at 0.5", "starts 1 at 60.5", "starts 2 at 120.5", "starts 3 at 180.5");
    }

    @Test
    @Tag("E05")
    @Tag("E16")
    void filtersThatDoNotMatchAnyMoreStopItAndThoseThatMatchAgainStartIt() {
        story.start(daemon(h -> h.labels("app=web"), untilStopped()));
        create();
        story.rest();
        assertThat(story.calls).isEmpty();
        assertThat(isHeld()).isFalse();
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.rest();
        assertThat(isHeld()).isTrue();
        story.server.change("x", "metadata.labels", Map.of("app", "none"));
        story.rest();
        assertThat(isHeld()).isFalse();
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 1.0", "ends [FILTERS_MISMATCH] at 1.5", "starts 0 at 2.0");
    }

    @Test
    @Tag("E05")
    @Tag("E16")
    void oneThatIsStillEndingIsStartedAgainAfterItsEnd() {
        story.start(daemon(h -> h.labels("!off"), context -> {
            context.stopped().await();
            story.world.sleep(Duration.ofSeconds(20));
            say("ends");
            return null;
        }));
        create();
        story.rest();
        story.server.change("x", "metadata.labels", Map.of("off", "yes"));
        story.rest();
        assertThat(isHeld()).as("while it runs").isTrue();
        story.server.change("x", "metadata.labels", null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends at 21.0", "starts 0 at 21.0");
    }

    @Test
    @Tag("E05")
    void callbacksAreAskedAgainWithEachEvent() {
        story.start(daemon(
                h -> h.when(context -> context.spec().getString("field", "").equals("a")), untilStopped()));
        create();
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends [FILTERS_MISMATCH] at 1.0");
        assertThat(isHeld()).isFalse();
    }

    @Test
    @Tag("E05")
    void fieldsAreFiltersToo() {
        story.start(daemon(h -> h.field("status.ready").value(dev.kopf4j.ValueFilter.equalTo(true)), untilStopped()));
        create();
        story.rest();
        story.server.change("x", "status", Map.of("ready", true));
        story.rest();
        story.server.change("x", "status", Map.of("ready", false));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 1.0", "ends [FILTERS_MISMATCH] at 1.5");
    }

    @Test
    @Tag("E06")
    @Tag("L21")
    void oneIsAskedThenInterruptedThenLeftBehind() {
        story.start(daemon(
                h -> h.cancellationBackoff(Duration.ofSeconds(2)).cancellationTimeout(Duration.ofSeconds(3)),
                context -> {
                    context.stopped().await();
                    say("is asked");
                    deafFor(Duration.ofMinutes(1));
                    say("ends " + context.stopped().reasons());
                    return "too late";
                }));
        create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMillis(4900));
        assertThat(story.server.exists("x")).isTrue();
        story.pass(Duration.ofMillis(200));
        assertThat(story.server.exists("x")).isFalse();
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls)
                .containsExactly(
                        "starts 0 at 0.5",
                        "is asked at 1.0",
                        "is interrupted at 3.0",
                        "ends [RESOURCE_DELETED, DAEMON_SIGNALLED, DAEMON_CANCELLED, DAEMON_ABANDONED] at 61.0");
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains(
                        "Daemon 'dmn' did not exit in time. Leaving it orphaned.",
                        "5 seconds ago",
                        "RESOURCE_DELETED",
                        "deafFor");
        assertThat(story.lines(Level.DEBUG))
                .contains(
                        "debug: Daemon 'dmn' is signalled to exit gracefully.",
                        "debug: Daemon 'dmn' is signalled to exit by force.");
    }

    @Test
    @Tag("E06")
    @Tag("L21")
    void oneThatEndsOnTheInterruptIsNoError() {
        story.start(daemon(h -> h.cancellationTimeout(Duration.ofSeconds(3)), context -> {
            story.world.sleep(Duration.ofDays(1));
            return null;
        }));
        create();
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
        assertThat(warnings()).isEmpty();
    }

    @Test
    @Tag("E06")
    @Tag("L21")
    void withoutATimeoutItIsWaitedForAndNeverInterrupted() {
        story.start(daemon(h -> h.cancellationPolling(Duration.ofSeconds(30)), context -> {
            deafFor(Duration.ofHours(1));
            say("ends");
            return null;
        }));
        create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(59));
        assertThat(story.server.exists("x")).isTrue();
        assertThat(story.lines(Level.DEBUG))
                .filteredOn(line -> line.contains("is still exiting. The next check is in 30 seconds."))
                .hasSize(118);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends at 3600.5");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(warnings()).isEmpty();
    }

    @Test
    @Tag("E06")
    void theSettingSaysHowOftenItIsReported() {
        story.start(builder -> daemon(h -> h, context -> {
                    deafFor(Duration.ofMinutes(10));
                    return null;
                })
                .apply(builder.settings(settings -> settings.background().cancellationPolling(Duration.ofMinutes(2)))));
        create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(9));
        assertThat(story.lines(Level.DEBUG))
                .filteredOn(line -> line.contains("is still exiting"))
                .hasSize(5);
    }

    @Test
    @Tag("E07")
    void whatEndsAtOnceNeedsNoFurtherCycle() {
        story.start(builder -> daemon(h -> h, untilStopped())
                .apply(builder)
                .onDelete("kex", h -> h.id("del"), story.noting("deleted")));
        create();
        story.rest();
        int before = story.server.patches().size();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).contains("ends [RESOURCE_DELETED] at 1.0", "deleted");
        assertThat(story.server.patches())
                .as("one for the finalizer and the progress")
                .hasSize(before + 1);
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E07")
    void theSettingSaysHowLongAtOnceIs() {
        story.start(builder -> daemon(h -> h, context -> {
                    context.stopped().await();
                    story.world.sleep(Duration.ofSeconds(2));
                    return null;
                })
                .apply(builder.settings(settings -> settings.background().instantExitTimeout(Duration.ofSeconds(3))))
                .onDelete("kex", h -> h.id("del"), story.noting("deleted")));
        create();
        story.rest();
        int before = story.server.patches().size();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.server.patches())
                .as("one for the finalizer and the progress")
                .hasSize(before + 1);
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E08")
    void deletionHandlersDoNotWaitAndAreNotRepeatedUntilTheDaemonHasEnded() {
        story.start(builder -> daemon(h -> h, context -> {
                    context.stopped().await();
                    story.world.sleep(Duration.ofSeconds(30));
                    say("ends");
                    return null;
                })
                .apply(builder)
                .onDelete("kex", h -> h.id("del"), context -> {
                    say("deletes");
                    return null;
                }));
        create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "status", Map.of("some", "change"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "deletes at 1.01", "ends at 31.0");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.infos())
                .containsOnlyOnce(
                        "info: Deletion is processed: 1 succeeded; 0 failed.", "info: Handler 'del' succeeded.");
    }

    @Test
    @Tag("E08")
    void deletionHandlersThatHaveSucceededAreNotRepeatedByTheNextProcess() {
        UnaryOperator<OperatorBuilder> handlers = builder -> daemon(h -> h, context -> {
                    context.stopped().await();
                    deafFor(Duration.ofMinutes(30));
                    return null;
                })
                .apply(builder)
                .onDelete("kex", h -> h.id("del"), context -> {
                    say("deletes");
                    return null;
                });
        story.start(handlers);
        create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofSeconds(10));
        story.kill().start(handlers);
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "deletes at 1.01");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E08")
    void objectsThatVanishTakeTheirDaemonsAlong() {
        story.start(daemon(h -> h, untilStopped()));
        create();
        story.rest();
        story.server.change("x", "metadata.finalizers", null);
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends [RESOURCE_DELETED] at 1.0");
    }

    @Test
    @Tag("E09")
    @Tag("L22")
    void theEndOfTheOperatorStopsAll() {
        story.start(daemon(h -> h, untilStopped()));
        create();
        story.rest();
        story.stop();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends [OPERATOR_EXITING] at 1.0");
        assertThat(isHeld()).as("for the next process").isTrue();
        assertThat(story.world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("L22")
    @Tag("E10")
    void whatIsReturnedAtTheEndOfTheOperatorIsWritten() {
        story.start(daemon(h -> h, context -> {
            context.stopped().await();
            return "bye";
        }));
        create();
        story.rest();
        story.stop();
        assertThat(story.at("/status/dmn").asString()).isEqualTo("bye");
    }

    @Test
    @Tag("L22")
    void codeThatHangsIsInterruptedAfterFiveSecondsAndTheOperatorEndsAllTheSame() {
        story.start(daemon(h -> h, context -> {
            deafFor(Duration.ofMinutes(10));
            return null;
        }));
        create();
        story.rest();
        story.stop();
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 6.0");
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("Leaving it orphaned", "OPERATOR_EXITING", "deafFor");
        assertThat(story.world.describeTasks().lines().toList())
                .as("only the code that ignores everything")
                .singleElement()
                .asString()
                .contains("dmn@ns/x");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("L22")
    void stagesOfItsOwnComeBeforeTheFiveSeconds() {
        story.start(daemon(
                h -> h.cancellationBackoff(Duration.ofSeconds(20)).cancellationTimeout(Duration.ofSeconds(10)),
                context -> {
                    story.world.sleep(Duration.ofHours(1));
                    return null;
                }));
        create();
        story.rest();
        story.stop();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.lines(Level.DEBUG)).contains("debug: Daemon 'dmn' is signalled to exit by force.");
        assertThat(warnings()).isEmpty();
        assertThat(story.world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("E10")
    @Tag("L14")
    void changesAreWrittenAfterEachAttemptAlsoIfItFails() {
        story.start(daemon(h -> h, context -> {
            context.patch().status().set("attempts", context.retry() + 1);
            if (context.retry() == 0) {
                throw new TemporaryException("again", Duration.ofSeconds(10));
            }
            return Map.of("finished", true);
        }));
        create();
        story.rest();
        assertThat(story.at("/status").toString()).isEqualTo("{\"attempts\":1}");
        story.pass(Duration.ofSeconds(10));
        assertThat(story.at("/status").toString()).isEqualTo("{\"attempts\":2,\"dmn\":{\"finished\":true}}");
        assertThat(story.server.patches().get(1).body().at("/metadata/uid").asString())
                .isEqualTo("uid-x");
    }

    @Test
    @Tag("E10")
    void transformationsThatMeetNewerChangesAreMadeAgain() {
        story.start(daemon(h -> h, context -> {
            story.server.hold();
            story.server.change("x", "spec.other", "first");
            context.patch().transform(body -> {
                @SuppressWarnings("unchecked")
                Map<String, Object> spec = (Map<String, Object>) Objects.requireNonNull(body.get("spec"));
                spec.put("seen", String.valueOf(spec.get("other")));
            });
            return null;
        }));
        create();
        story.rest();
        assertThat(story.at("/spec").has("seen")).isFalse();
        story.server.release();
        story.pass(Duration.ofSeconds(5));
        assertThat(story.at("/spec/seen").asString()).isEqualTo("first");
    }

    @Test
    @Tag("E10")
    void changesThatTheServerFindsInvalidAreDroppedLoudly() {
        story.server.refuse("status.bad");
        story.start(daemon(h -> h, context -> {
            context.patch().status().set("bad", 1);
            return null;
        }));
        create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.lines(Level.ERROR)).singleElement().asString().contains("The server refuses", "dropped");
    }

    @Test
    @Tag("E15")
    void viewsAlwaysShowTheNewestState() {
        story.start(daemon(h -> h, context -> {
            Body body = context.body();
            Spec spec = context.spec();
            Meta meta = context.meta();
            while (!context.stopped().await(Duration.ofSeconds(10))) {
                say(spec.getString("field", "") + body.spec().getString("field", "") + meta.labels());
            }
            return null;
        }));
        create();
        story.pass(Duration.ofSeconds(12));
        story.server.change("x", "spec.field", "b");
        story.server.change("x", "metadata.labels", Map.of("l", "m"));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "aa{} at 10.5", "bb{l=m} at 20.5");
    }

    @Test
    @Tag("E15")
    void ownChangesAreSeenInTheNextAttempt() {
        story.start(daemon(h -> h, context -> {
            say("sees " + context.spec().getString("field", ""));
            if (context.retry() == 0) {
                story.server.hold();
                context.patch().spec().set("field", "mine");
                throw new TemporaryException("again", Duration.ZERO);
            }
            return null;
        }));
        create();
        story.rest();
        assertThat(story.calls)
                .containsExactly("starts 0 at 0.5", "sees a at 0.5", "starts 1 at 0.5", "sees mine at 0.5");
    }

    @Test
    @Tag("E15")
    void handlersOfChangesWaitForTheStateThatItHasMade() {
        story.start(builder -> daemon(h -> h.initialDelay(Duration.ofSeconds(3)), context -> {
                    story.server.hold();
                    context.patch().status().set("made", true);
                    throw new TemporaryException("much later", Duration.ofDays(1));
                })
                .apply(builder)
                .onCreate("kex", h -> h.id("fn"), context -> {
                    say("handler sees " + context.status().toJson());
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(10));
                    }
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(12));
        assertThat(story.calls).containsExactly("handler sees {} at 0.5", "starts 0 at 3.5");
        story.server.release();
        story.rest();
        assertThat(story.calls).hasSize(3).last().isEqualTo("handler sees {\"made\":true} at 12.5");
    }

    @Test
    @Tag("E16")
    void eventsDoNotStartASecondOne() {
        story.start(daemon(h -> h, untilStopped()));
        create();
        for (int i = 0; i < 10; i++) {
            story.rest();
            story.server.change("x", "spec.field", "f" + i);
            story.server.endWatches();
        }
        story.server.replay();
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
    }

    @Test
    @Tag("E16")
    void severalOfOneObjectRunSideBySide() {
        story.start(builder -> daemon(h -> h, untilStopped())
                .apply(builder)
                .onDaemon("kex", h -> h.id("other"), this::alsoUntilStopped));
        create();
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls)
                .containsExactlyInAnyOrder(
                        "starts 0 at 0.5",
                        "other starts at 0.5",
                        "ends [RESOURCE_DELETED] at 1.0",
                        "other ends at 1.0");
    }

    private Object alsoUntilStopped(HandlerContext context) throws InterruptedException {
        say("other starts");
        context.stopped().await();
        say("other ends");
        return Map.of();
    }
}
