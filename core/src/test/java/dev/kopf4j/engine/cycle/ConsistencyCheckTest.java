package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ConsistencyCheck}: how long an object waits for the event of its own change. */
class ConsistencyCheckTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.EPOCH);
    private final ConsistencyCheck consistencyCheck = new ConsistencyCheck(platform, Duration.ofSeconds(5));
    private final ObjectMemory memory =
            new ObjectMemory("u", new ObjectReference("v1", "Kind", "x", "u", "ns"), true, new StillStream());

    @BeforeEach
    void changeTheObject() {
        consistencyCheck.expectVersion(memory, body("9"), body("10"));
    }

    @ParameterizedTest(name = "own change {0}, then {1} {2}: {3}")
    @CsvSource({
        // The operator's own change.
        "10, MODIFIED, 10, true",
        "10, ADDED,    10, true",
        // Come late, or once more.
        "10, MODIFIED, 9,  true",
        // Somebody else's.
        "10, MODIFIED, 11, false",
        "10, MODIFIED, a,  false",
        // As it is now, whatever the versions say.
        "10, LISTED,   10, false",
        "10, DELETED,  9,  false",
        // Something is left to be done.
        ",   MODIFIED, 10, false"
    })
    void skipsWhatBringsNothingNew(@Nullable String own, WatchEventType type, String version, boolean passed) {
        if (own != null) {
            consistencyCheck.skipEventOf(memory, own);
        }

        assertThat(consistencyCheck.skips(memory, type, version)).isEqualTo(passed);
    }

    @Test
    void waitsNoLongerForItsOwnChangeOnceItHasCome() {
        consistencyCheck.skipEventOf(memory, "10");

        assertThat(consistencyCheck.skips(memory, WatchEventType.MODIFIED, "10"))
                .isTrue();

        assertThat(consistencyCheck.isVersionExpected(memory)).isFalse();
        assertThat(memory.knownVersion().newest()).isEqualTo("10");
    }

    @Test
    void looksAtOlderStatesOnceItsOwnChangeHasComeOrIsOverdue() {
        consistencyCheck.skipEventOf(memory, "10");
        platform.runFor(Duration.ofSeconds(6));
        assertThat(consistencyCheck.skips(memory, WatchEventType.MODIFIED, "9")).isFalse();

        assertThat(consistencyCheck.skips(memory, WatchEventType.MODIFIED, "10"))
                .isTrue();
        assertThat(consistencyCheck.skips(memory, WatchEventType.MODIFIED, "9")).isFalse();
    }

    private static ObjectNode body(String version) {
        ObjectNode body = Json.object();
        body.putObject("metadata").put("resourceVersion", version);
        return body;
    }
}
