package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.object.ObjectReference.CompactUid;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uids are kept as numbers where they are UUIDs as servers write them, and come back as they were. */
class CompactUidTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "00000000-0000-0000-0000-000000000000, true",
                "ffffffff-ffff-ffff-ffff-ffffffffffff, true",
                "01234567-89ab-cdef-8123-456789abcdef, true",
                "80000000-0000-4000-8000-000000000001, true",
                "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF, false",
                "01234567-89ab-cdef-8123-456789abcdeF, false",
                "01234567-89ab-cdef-8123-456789abcdeg, false",
                "01234567-89ab-cdef-8123-456789abcd:f, false",
                "01234567-89ab-cdef-8123-456789abcd`f, false",
                "01234567-89ab-cdef-8123-456789abcd/f, false",
                "01234567-89ab-cdef-8123-456789abcde٣, false",
                "01234567-89ab-cdef-8123-456789abcd-f, false",
                "01234567089ab-cdef-8123-456789abcdef, false",
                "0123456-789ab-cdef-8123-456789abcdef, false",
                "01234567-89ab-cdef-8123-456789abcde, false",
                "01234567-89ab-cdef-8123-456789abcdef0, false",
                "0123456789abcdef8123456789abcdef, false",
                "+1234567-89ab-cdef-8123-456789abcdef, false",
                "1-1-1-1-1, false",
                "uid-1, false",
                "\"\", false",
                "Pod//v1//web-0//default//-, false",
            })
    void comesBackAsItWas(String text, boolean isNumbers) {
        CompactUid uid = CompactUid.of(text);
        assertThat(uid.text() == null).isEqualTo(isNumbers);
        assertThat(uid).hasToString(text).isEqualTo(CompactUid.of(new String(text)));
    }

    @Test
    void uidsThatDifferAreNeverTheSame() {
        Random random = new Random(1);
        Set<String> texts = new HashSet<>();
        Set<CompactUid> uids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String uuid = new UUID(random.nextLong(), random.nextLong()).toString();
            StringBuilder changed = new StringBuilder(uuid);
            changed.setCharAt(random.nextInt(uuid.length()), "0af-AF g".charAt(random.nextInt(8)));
            for (String text : List.of(uuid, changed.toString())) {
                assertThat(CompactUid.of(text)).hasToString(text);
                texts.add(text);
                uids.add(CompactUid.of(text));
            }
        }
        assertThat(uids).hasSameSizeAs(texts);
    }
}
