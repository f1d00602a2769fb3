package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.queueing.KnownObjects.ReferenceTexts;
import dev.kopf4j.object.ObjectReference;
import org.junit.jupiter.api.Test;

/** References of many objects share their texts, and are equal to what they were. Tests {@code ReferenceTexts}. */
class ReferenceTextsTest {
    private final ReferenceTexts texts = new ReferenceTexts();

    /** With texts of its own, as a parser makes them. */
    private static ObjectReference parsed(int number, String namespace) {
        return new ObjectReference(
                new String("kopf.dev/v1"), new String("KopfExample"), "x" + number, "uid-" + number, namespace);
    }

    @Test
    void equalTextsAreTheSame() {
        ObjectReference first = texts.shared(parsed(1, new String("default")));
        ObjectReference second = texts.shared(parsed(2, new String("default")));
        assertThat(second.apiVersion()).isSameAs(first.apiVersion());
        assertThat(second.kind()).isSameAs(first.kind());
        assertThat(second.namespace()).isSameAs(first.namespace());
        assertThat(second).isEqualTo(parsed(2, "default"));
    }

    @Test
    void moreNamespacesThanAreKeptStayWhatTheyAre() {
        for (int i = 0; i < 2000; i++) {
            ObjectReference reference = parsed(i, "namespace-" + i);
            assertThat(texts.shared(reference)).isEqualTo(reference);
        }
    }

    @Test
    void aReferenceWithoutTextsStaysSo() {
        ObjectReference empty = new ObjectReference(null, null, null, null, null);
        assertThat(texts.shared(empty)).isEqualTo(empty);
    }
}
