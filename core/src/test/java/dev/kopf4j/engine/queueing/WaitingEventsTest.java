package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.queueing.ObjectQueue.QueuedEvent;
import dev.kopf4j.engine.queueing.ObjectQueue.WaitingEvents;
import dev.kopf4j.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link WaitingEvents}: which of the events that wait for one object stay, and in which order. */
class WaitingEventsTest {
    private final WaitingEvents events = new WaitingEvents();

    @ParameterizedTest(name = "{0} {1}, then {2} {3}: {4}")
    @CsvSource({
        "MODIFIED, 5,  MODIFIED, 6,  MODIFIED 6",
        "MODIFIED, 5,  MODIFIED, 5,  MODIFIED 5",
        "MODIFIED, 9,  MODIFIED, 10, MODIFIED 10",
        // Come late, or once more.
        "LISTED,   10, MODIFIED, 9,  LISTED 10",
        "MODIFIED, 10, ADDED,    9,  MODIFIED 10",
        "DELETED,  10, MODIFIED, 9,  DELETED 10",
        // So it is now: versions may have started anew.
        "MODIFIED, 10, LISTED,   9,  LISTED 9",
        "MODIFIED, 10, DELETED,  9,  DELETED 9",
        // The order cannot be told.
        "MODIFIED, b,  MODIFIED, a,  MODIFIED a",
        "MODIFIED, 10, MODIFIED, a,  MODIFIED a",
        "DELETED,  '', ADDED,    9,  ADDED 9",
    })
    void keepsTheNewerOfTwoStates(
            WatchEventType first, String version, WatchEventType then, String nextVersion, String kept) {
        events.add(QueuedEvent.parsed(event(first, version)), true);
        events.add(QueuedEvent.parsed(event(then, nextVersion)).compact(), true);

        assertThat(events.size()).isEqualTo(1);
        assertThat(described(events.poll())).isEqualTo(kept);
        assertThat(events.size()).isZero();
    }

    @Test
    void keepsEachEventInItsOrderWhereEachCounts() {
        events.add(QueuedEvent.parsed(event(WatchEventType.MODIFIED, "10")), false);
        events.add(QueuedEvent.parsed(event(WatchEventType.MODIFIED, "9")), false);

        assertThat(described(events.poll())).isEqualTo("MODIFIED 10");
        assertThat(described(events.poll())).isEqualTo("MODIFIED 9");
        assertThat(events.poll()).isNull();
    }

    @ParameterizedTest(name = "{0} before {1} {2}: {3}")
    @CsvSource({
        "10, MODIFIED, 11, true",
        "10, MODIFIED, 10, true",
        "10, MODIFIED, 9,  false",
        "10, DELETED,  9,  true",
        "10, MODIFIED, a,  true"
    })
    void isOutdatedByWhatIsNotOlder(String version, WatchEventType later, String laterVersion, boolean outdated) {
        events.add(QueuedEvent.parsed(event(WatchEventType.MODIFIED, version)), false);
        events.add(QueuedEvent.parsed(event(later, laterVersion)), false);

        QueuedEvent taken = Objects.requireNonNull(events.poll());

        assertThat(events.hasNewerThan(taken)).isEqualTo(outdated);
    }

    @Test
    void nothingIsOutdatedByNothing() {
        assertThat(events.hasNewerThan(QueuedEvent.parsed(event(WatchEventType.MODIFIED, "10"))))
                .isFalse();
    }

    private static RawEvent event(WatchEventType type, String version) {
        ObjectNode body = Json.object();
        ObjectNode metadata = body.putObject("metadata");
        if (!version.isEmpty()) {
            metadata.put("resourceVersion", version);
        }
        return RawEvent.of(type, body);
    }

    private static String described(@Nullable QueuedEvent event) {
        return event == null
                ? "none"
                : event.type() + " " + ResourceVersions.of(event.event().body());
    }
}
