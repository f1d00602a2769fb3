package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerCall;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Patch;
import dev.kopf4j.PermanentException;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.DaemonScenario;
import dev.kopf4j.engine.simulation.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How daemons that fail are tried again, in memory only, and that daemons that ended by themselves stay ended. Tests
 * {@link DaemonAttempt} and {@link RunningDaemon}.
 */
class DaemonAttemptTest {
    private final DaemonScenario story = new DaemonScenario();
    private final List<String> measured = new ArrayList<>();

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E04")
    void errorsAreTriedAgainInMemoryOnly() {
        story.start(story.daemon(
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
        story.create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "starts 0 at 0.5",
                        "starts 1 at 2.5",
                        "starts 2 at 4.5",
                        "starts 3 at 6.5",
                        "starts 4 at 7.5",
                        "starts 5 at 8.5");
        assertThat(story.server.patches()).as("the finalizer, on and off").hasSize(2);
        assertThat(story.lines(Level.DEBUG))
                .contains("debug: Daemon 'dmn' has exited on its own and will not be retried or restarted.");
    }

    @Test
    @Tag("E04")
    void attemptsAreCounted() {
        story.start(story.daemon(h -> h.retries(2).backoff(Duration.ofSeconds(5)), context -> {
            throw new IllegalStateException("again");
        }));
        story.create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 1 at 5.5");
    }

    @Test
    void eachAttemptIsMeasured() {
        story.start(measured(story.daemon(h -> h.backoff(Duration.ofSeconds(5)), context -> {
            story.world.sleep(Duration.ofSeconds(3));
            switch (context.retry()) {
                case 0 -> throw new TemporaryException("later", Duration.ofSeconds(1));
                case 1 -> throw new IllegalStateException("again");
                default -> throw new PermanentException("never");
            }
        })));
        story.create();
        story.pass(Duration.ofMinutes(1));
        assertThat(measured)
                .containsExactly(
                        "daemon dmn 0 TEMPORARY PT3S", "daemon dmn 1 ERROR PT3S", "daemon dmn 2 PERMANENT PT3S");
    }

    @Test
    void callsOfTimersAreMeasured() {
        story.start(measured(builder ->
                builder.onTimer("kopfexamples", "tick", h -> h.interval(Duration.ofMinutes(1)), context -> null)));
        story.create();
        story.pass(Duration.ofSeconds(150));
        assertThat(measured)
                .containsExactly(
                        "timer tick 0 SUCCEEDED PT0S", "timer tick 0 SUCCEEDED PT0S", "timer tick 0 SUCCEEDED PT0S");
    }

    @Test
    void onesThatEndAtRequestHaveSucceeded() {
        story.start(measured(story.daemon(h -> {}, story.untilStopped())));
        story.create();
        story.pass(Duration.ofSeconds(10));
        assertThat(measured).isEmpty();
        story.server.delete("x");
        story.rest();
        assertThat(measured).singleElement().asString().startsWith("daemon dmn 0 SUCCEEDED PT");
    }

    /** It is no failure of the user's code. */
    @Test
    void onesThatAreInterruptedToStopAreNotMeasured() {
        story.start(measured(story.daemon(h -> h.cancellationTimeout(Duration.ofSeconds(10)), context -> {
            story.world.sleep(Duration.ofHours(1));
            return null;
        })));
        story.create();
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
        assertThat(measured).isEmpty();
    }

    @Test
    void timeoutsAreMeasuredAsSuch() {
        story.start(measured(story.daemon(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            story.world.sleep(Duration.ofHours(1));
            return null;
        })));
        story.create();
        story.pass(Duration.ofMinutes(1));
        assertThat(measured).containsExactly("daemon dmn 0 TIMEOUT PT5S");
    }

    /** Nobody knows when it ends. */
    @Test
    void onesThatIgnoreTheirTimeoutAreMeasuredOnceWhenTheyAreLeftBehind() {
        story.start(measured(story.daemon(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            story.deafFor(Duration.ofMinutes(10));
            return null;
        })));
        story.create();
        story.pass(Duration.ofSeconds(16));
        assertThat(measured).containsExactly("daemon dmn 0 TIMEOUT PT15S");
        story.pass(Duration.ofMinutes(20));
        assertThat(measured).hasSize(1);
    }

    /** Notes what is measured. */
    private UnaryOperator<OperatorBuilder> measured(UnaryOperator<OperatorBuilder> handlers) {
        return builder -> handlers.apply(builder).metricsListener(new MetricsListener() {
            @Override
            public void handlerEnded(HandlerCall call) {
                measured.add(String.join(
                        " ",
                        call.kind().name().toLowerCase(Locale.ROOT),
                        call.handler(),
                        String.valueOf(call.retry()),
                        call.outcome().name(),
                        call.took().toString()));
            }
        });
    }

    @Test
    @Tag("E04")
    void onesThatThrowAtOnceAreNoBusyLoop() {
        story.start(story.daemon(h -> {}, context -> {
            throw new IllegalStateException("at once");
        }));
        story.create();
        story.pass(Duration.ofMinutes(3));
        assertThat(story.calls)
                .containsExactly("starts 0 at 0.5", "starts 1 at 60.5", "starts 2 at 120.5", "starts 3 at 180.5");
    }

    @Test
    @Tag("E04")
    void theTimeForAllAttemptsInterrupts() {
        story.start(story.daemon(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            story.world.sleep(Duration.ofHours(1));
            return null;
        }));
        story.create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.infos()).containsExactly("error: Daemon 'dmn' has timed out after 0:00:05.");
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E04")
    void codeThatIgnoresItsTimeoutIsLeftBehindWithItsStack() {
        story.start(story.daemon(h -> h.timeout(Duration.ofSeconds(5)), context -> {
            story.deafFor(Duration.ofMinutes(10));
            return null;
        }));
        story.create();
        story.pass(Duration.ofSeconds(16));
        assertThat(story.warnings())
                .anySatisfy(line -> assertThat(line)
                        .contains("Daemon 'dmn' ignores that it was interrupted 10 seconds ago")
                        .contains("deafFor"))
                .contains("error: Daemon 'dmn' has timed out after 0:00:15.");
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.isHeld()).as("nothing holds the object any more").isFalse();
        story.pass(Duration.ofMinutes(20));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 5.5");
    }

    @Test
    @Tag("E04")
    @Tag("E08")
    void whoseOwnEndHasComeIsNotStartedAgainInTheSameProcess() {
        story.start(story.daemon(h -> {}, context -> "done"));
        story.create();
        story.rest();
        assertThat(story.at("/status/dmn").asString()).isEqualTo("done");
        assertThat(story.isHeld()).as("nothing needs the finalizer any more").isFalse();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
        story.restart(story.daemon(h -> {}, context -> "done"));
        story.rest();
        assertThat(story.calls).hasSize(2);
    }

    /** Nobody writes anything at its end, and no event comes: it wakes the object's worker itself. */
    @Test
    @Tag("E08")
    void itsOwnEndLetsTheObjectGo() {
        story.start(story.daemon(h -> {}, context -> null));
        story.create();
        story.rest();
        assertThat(story.isHeld()).isFalse();
        assertThat(story.server.patches()).as("the finalizer, on and off").hasSize(2);
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
    }

    /** The other one still needs the finalizer. */
    @Test
    @Tag("E08")
    void theEndOfOneOfTwoDoesNot() {
        story.start(builder -> story.daemon(h -> {}, context -> null)
                .apply(builder)
                .onTimer("kopfexamples", "tick", h -> h.interval(Duration.ofMinutes(1)), context -> null));
        story.create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.isHeld()).isTrue();
        assertThat(story.server.patches()).as("the finalizer").hasSize(1);
    }

    @Test
    @Tag("E04")
    void itsOwnEndIsForgottenWithTheObjectAlsoIfTheSameUidComesAgain() {
        story.start(story.daemon(h -> {}, context -> null));
        story.create();
        story.rest();
        story.server.delete("x");
        story.rest();
        story.create();
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
            public void before(TransportRequest transportRequest) throws IOException {
                if (down[0] && transportRequest.method().equals("PATCH")) {
                    throw new IOException("no route to host");
                }
            }
        });
        story.start(story.daemon(h -> h.labels("!off"), context -> {
            down[0] = true;
            return "done";
        }));
        story.create();
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

    /** Keeps records elsewhere, and cannot be reached at first. */
    private static final class FailingStore implements ProgressStorage.Custom {
        private boolean fails = true;

        @Override
        public @Nullable Map<String, Object> fetch(String handlerId, Map<String, Object> body) {
            if (fails) {
                throw new IllegalStateException("the database is down");
            }
            return null;
        }

        @Override
        public Map<String, Object> store(String handlerId, Map<String, Object> record, Map<String, Object> body) {
            return Map.of();
        }

        @Override
        public Map<String, Object> purge(String handlerId, Map<String, Object> body) {
            return Map.of();
        }
    }

    @Test
    @Tag("E04")
    void anErrorOfTheStorageOfProgressEndsNoTimer() {
        FailingStore store = new FailingStore();
        story.start(builder -> builder.settings(settings -> {
                    settings.persistence().progressStorage(store);
                    settings.queueing().errorDelays(List.of(Duration.ofSeconds(2), Duration.ofSeconds(5)));
                })
                .onTimer("kex", "tick", h -> h.interval(Duration.ofMinutes(1)), context -> {
                    story.say("tick " + context.retry());
                    return null;
                }));
        story.create();
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("tick 0 at 0.5", "tick 0 at 2.5", "tick 0 at 7.5");
        assertThat(story.lines(Level.ERROR))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains("tick", "the database is down"));
        store.fails = false;
        story.pass(Duration.ofSeconds(70));
        assertThat(story.calls).hasSize(5).endsWith("tick 0 at 12.5", "tick 0 at 72.5");
        store.fails = true;
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.server.exists("x")).isFalse();
    }

    private static final class UnreadableError extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new AssertionError("not even its message can be read");
        }
    }

    @Test
    @Tag("E04")
    void anExceptionThatCannotEvenBeLoggedEndsNoDaemon() {
        story.start(story.daemon(h -> {}, context -> {
            throw new UnreadableError();
        }));
        story.create();
        story.pass(Duration.ofSeconds(70));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 1 at 60.5");
        assertThat(story.lines(Level.ERROR))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("its message cannot be read"));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    void aPatchThatIsChangedAfterTheTimeoutSaysThatItIsTooLate() {
        assertPatchIsClosed(h -> h.timeout(Duration.ofSeconds(5)));
    }

    @Test
    void aPatchThatIsChangedAfterAnInterruptInOrderToStopSaysThatItIsTooLate() {
        assertPatchIsClosed(h -> h.labels("!off").cancellationTimeout(Duration.ofSeconds(1)));
    }

    /** As by a thread of the daemon's own that goes on once its call has ended. */
    private void assertPatchIsClosed(Consumer<OnDaemon.Options> options) {
        AtomicReference<@Nullable Patch> kept = new AtomicReference<>();
        story.start(story.daemon(options, context -> {
            kept.set(context.patch().set("spec.made", "in time"));
            story.world.sleep(Duration.ofHours(1));
            return null;
        }));
        story.create();
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "metadata.labels", Map.of("off", "yes"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.at("/spec/made").asString()).isEqualTo("in time");
        Patch patch = Objects.requireNonNull(kept.get());
        assertThatThrownBy(() -> patch.set("spec.late", true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("after the call of its handler has ended");
    }
}
