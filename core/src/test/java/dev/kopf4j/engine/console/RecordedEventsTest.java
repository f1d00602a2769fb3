package dev.kopf4j.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.console.ConsoleServer.ConsoleQuery;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.recording.Recorder;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordedEventsTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final Recorder recorder = new Recorder(platform, new OperatorSettings().recorder());
    private final RecordedEvents events = new RecordedEvents(platform, recorder);
    private final Map<Integer, HttpReply> replies = new TreeMap<>();

    private void ask(int number, String query) {
        platform.spawn("reader " + number, () -> {
            try {
                replies.put(number, events.answer(ConsoleQuery.of(query, "")));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        platform.runFor(Duration.ofMillis(10));
    }

    private String reply(int number) {
        return new String(Objects.requireNonNull(replies.get(number)).body(), StandardCharsets.UTF_8);
    }

    private void record() {
        recorder.happened(new OperatorStep.PauseChanged(null, "peering", true));
    }

    @Test
    void whoeverWaitsIsAnsweredWhenThereIsSomething() {
        ask(1, "");
        assertThat(replies).isEmpty();
        record();
        platform.runFor(Duration.ofMillis(10));
        assertThat(reply(1)).contains("id: 1\ndata: {\"n\":1,", "event: position\ndata: 2\n");
    }

    /** Others are, all the time. */
    @Test
    void whoeverWaitsForAnObjectIsAnsweredAfterAWhileThoughNothingConcernsIt() {
        ask(1, "uid=u");
        for (int i = 0; i < 60; i++) {
            record();
            platform.runFor(Duration.ofMillis(100));
        }
        assertThat(reply(1)).contains("event: position").doesNotContain("peering");
    }

    /** Browsers that have closed the page look like those that wait. */
    @Test
    void theOneThatHasWaitedLongestMakesRoom() {
        for (int i = 1; i <= 13; i++) {
            ask(i, "");
        }
        platform.runFor(Duration.ofSeconds(1));
        assertThat(replies.keySet()).isEqualTo(Set.of(1));
        assertThat(reply(1)).contains("event: position");
        record();
        platform.runFor(Duration.ofMillis(10));
        assertThat(replies).hasSize(13);
        assertThat(replies.values()).extracting(HttpReply::status).containsOnly(200);
    }
}
