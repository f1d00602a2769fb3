package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.DaemonScenario;
import dev.kopf4j.engine.simulation.FakeApiServer;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * When the changes that daemons make are written, and who sees them. Tests {@link OperatorDaemons.DaemonPatchWriter}
 * and {@code DaemonPatchSender}.
 */
class DaemonPatchWriterTest {
    private final DaemonScenario story = new DaemonScenario();

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E10")
    @Tag("L14")
    void changesAreWrittenAfterEachAttemptAlsoIfItFails() {
        story.start(story.daemon(h -> {}, context -> {
            context.patch().status().set("attempts", context.retry() + 1);
            if (context.retry() == 0) {
                throw new TemporaryException("again", Duration.ofSeconds(10));
            }
            return Map.of("finished", true);
        }));
        story.create();
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
        story.start(story.daemon(h -> {}, context -> {
            story.server.hold();
            story.server.change("x", "spec.other", "first");
            context.patch().transform(body -> {
                @SuppressWarnings("unchecked")
                Map<String, Object> spec = (Map<String, Object>) Objects.requireNonNull(body.get("spec"));
                spec.put("seen", String.valueOf(spec.get("other")));
            });
            return null;
        }));
        story.create();
        story.rest();
        assertThat(story.at("/spec").has("seen")).isFalse();
        story.server.release();
        story.pass(Duration.ofSeconds(5));
        assertThat(story.at("/spec/seen").asString()).isEqualTo("first");
    }

    /** Somebody changes the object, before the request comes. */
    private @Nullable IOException changedByOthers(boolean really) {
        if (really) {
            story.server.change("x", "spec.other", "at " + story.seconds());
        }
        return null;
    }

    @Test
    @Tag("E08")
    @Tag("E10")
    void changesThatOthersMeetAgainAndAgainDoNotHoldUpADaemonThatHasToStop() {
        List<Double> times = new ArrayList<>();
        atPatches("ours", number -> changedByOthers(true), times);
        story.start(builder -> story.daemon(h -> {}, context -> {
                    context.stopped().await();
                    context.patch().transform(body -> body.put("extra", "ours"));
                    return null;
                })
                .apply(builder)
                .settings(settings -> settings.queueing().errorDelays(List.of(Duration.ofSeconds(1)))));
        story.create();
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(times).hasSize(4);
        assertThat(story.warnings()).singleElement().asString().contains("as it has to stop");
        assertThat(story.server.exists("x")).isFalse();
    }

    /** Notes when requests come that have this word in their body, and lets those fail for which there is a failure. */
    private void atPatches(String word, IntFunction<@Nullable IOException> failures, List<Double> times) {
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest transportRequest) throws IOException {
                byte[] body = transportRequest.body();
                if (body != null && new String(body, StandardCharsets.UTF_8).contains(word)) {
                    times.add(story.seconds());
                    IOException failure = failures.apply(times.size());
                    if (failure != null) {
                        throw failure;
                    }
                }
            }
        });
    }

    @Test
    @Tag("E10")
    void changesThatCannotBeWrittenAreWrittenAgainAfterThePausesForErrors() {
        List<Double> times = new ArrayList<>();
        atPatches("bye", number -> number < 5 ? new ConnectException("no route") : null, times);
        story.start(builder -> story.daemon(h -> {}, context -> "bye")
                .apply(builder)
                .settings(settings -> {
                    settings.networking().errorBackoffs(List.of());
                    settings.queueing().errorDelays(List.of(Duration.ofSeconds(2), Duration.ofSeconds(7)));
                }));
        story.create();
        story.pass(Duration.ofMinutes(1));
        assertThat(times).containsExactly(0.5, 2.5, 9.5, 16.5, 23.5);
        assertThat(story.at("/status/dmn").asString()).isEqualTo("bye");
    }

    @Test
    @Tag("E10")
    void transformationsThatMeetNewerChangesAreMadeAgainAfterThePausesForErrors() {
        List<Double> times = new ArrayList<>();
        story.start(builder -> story.daemon(h -> {}, context -> {
                    atPatches("ours", number -> changedByOthers(number < 4), times);
                    context.patch().transform(body -> body.put("extra", "ours"));
                    return null;
                })
                .apply(builder)
                .settings(settings ->
                        settings.queueing().errorDelays(List.of(Duration.ofSeconds(2), Duration.ofSeconds(7)))));
        story.create();
        story.pass(Duration.ofSeconds(24));
        assertThat(times).containsExactly(0.5, 2.5, 9.5, 16.5);
        assertThat(story.at("/extra").asString()).isEqualTo("ours");
    }

    @Test
    @Tag("E10")
    void changesThatTheServerFindsInvalidAreDroppedLoudly() {
        story.server.refuse("status.bad");
        story.start(story.daemon(h -> {}, context -> {
            context.patch().status().set("bad", 1);
            return null;
        }));
        story.create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.lines(Level.ERROR)).singleElement().asString().contains("The server refuses", "dropped");
    }

    @Test
    @Tag("E15")
    void ownChangesAreSeenInTheNextAttempt() {
        story.start(story.daemon(h -> {}, context -> {
            story.say("sees " + context.spec().getString("field", ""));
            if (context.retry() == 0) {
                story.server.hold();
                context.patch().spec().set("field", "mine");
                throw new TemporaryException("again", Duration.ZERO);
            }
            return null;
        }));
        story.create();
        story.rest();
        assertThat(story.calls)
                .containsExactly("starts 0 at 0.5", "sees a at 0.5", "starts 1 at 0.5", "sees mine at 0.5");
    }

    @Test
    @Tag("E15")
    void handlersOfChangesWaitForTheStateThatItHasMade() {
        story.start(builder -> story.daemon(h -> h.initialDelay(Duration.ofSeconds(3)), context -> {
                    story.server.hold();
                    context.patch().status().set("made", true);
                    throw new TemporaryException("much later", Duration.ofDays(1));
                })
                .apply(builder)
                .onCreate("kex", "fn", context -> {
                    story.say("handler sees " + context.status().toJson());
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(10));
                    }
                    return null;
                }));
        story.create();
        story.pass(Duration.ofSeconds(12));
        assertThat(story.calls).containsExactly("handler sees {} at 0.5", "starts 0 at 3.5");
        story.server.release();
        story.rest();
        assertThat(story.calls).hasSize(3).last().isEqualTo("handler sees {\"made\":true} at 12.5");
    }
}
