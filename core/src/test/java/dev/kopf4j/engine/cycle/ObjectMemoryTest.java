package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.object.ObjectReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An object at rest is known by the same uid and the same reference as one that is looked at. */
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
}
