package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.cycle.Repetition.Fight;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What is remembered of an object, and what it is known by. */
class ObjectMemoryTest {
    @ParameterizedTest
    @CsvSource({
        "01234567-89ab-cdef-8123-456789abcdef, 01234567-89ab-cdef-8123-456789abcdef, ns",
        "01234567-89ab-cdef-8123-456789abcdef, 01234567-89ab-cdef-8123-456789abcdef,",
        "01234567-89AB-cdef-8123-456789abcdef, 01234567-89AB-cdef-8123-456789abcdef, ns",
        "Kind//v1//x//ns//-, , ns",
        "Kind//v1//x//ns//-, '', ns",
    })
    void keepsWhatNamesIt(String key, @Nullable String uid, @Nullable String namespace) {
        ObjectReference reference = new ObjectReference("v1", "Kind", "x", uid, namespace);
        ObjectMemory memory = new ObjectMemory(key, reference, true, new StillStream());
        for (int i = 0; i < 2; i++) {
            assertThat(memory.uid()).isEqualTo(key);
            assertThat(memory.reference()).isEqualTo(reference);
            memory.workEnds();
            assertThat(memory.uid()).isEqualTo(key);
            assertThat(memory.reference()).isEqualTo(reference);
            memory.workBegins();
            assertThat(memory.reference()).as("one for all that refer to it").isSameAs(memory.reference());
        }
    }

    @Test
    void whatWaitsToBeDoneAgainIsToldUntilItIsInOrder() {
        SimulatedPlatform platform = new SimulatedPlatform(0, Instant.EPOCH);
        ObjectMemory memory = new ObjectMemory(
                "uid-x", new ObjectReference("v1", "Kind", "x", "uid-x", "ns"), false, new StillStream());
        Repetition creation = memory.repetition(Fight.STATE_REMOVED);
        assertThat(creation.begins(platform, times -> Duration.ofSeconds(times)))
                .hasValue(0);
        assertThat(creation.left(platform)).isZero();
        assertThat(creation.begins(platform, times -> Duration.ofSeconds(times)))
                .hasValue(1);
        assertThat(creation.left(platform)).isEqualTo(Duration.ofSeconds(1));
        assertThat(told(memory)).containsEntry("removed", "true");

        memory.isInOrder(Fight.STATE_REMOVED, platform);
        assertThat(told(memory)).doesNotContainKey("removed");
        assertThat(memory.repetition(Fight.STATE_REMOVED)).as("within a minute").isSameAs(creation);

        platform.runFor(Duration.ofMinutes(1));
        memory.isInOrder(Fight.STATE_REMOVED, platform);
        assertThat(memory.repetition(Fight.STATE_REMOVED)).isNotSameAs(creation);
    }

    private static Map<String, String> told(ObjectMemory memory) {
        ObjectNode told = Json.object();
        memory.tell(told);
        Map<String, String> texts = new HashMap<>();
        told.forEachEntry((key, value) -> texts.put(key, value.asString("")));
        return texts;
    }
}
