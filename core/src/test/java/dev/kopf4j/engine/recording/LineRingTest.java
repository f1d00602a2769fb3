package dev.kopf4j.engine.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The newest lines stay, and each has its number. */
class LineRingTest {
    private static void add(LineRing ring, int lines) {
        for (int line = 0; line < lines; line++) {
            byte[] bytes = ("line " + ring.next() + "\n").getBytes(StandardCharsets.US_ASCII);
            assertThat(ring.add(bytes, bytes.length)).isTrue();
        }
    }

    private static String read(LineRing ring, long from) {
        StringBuilder all = new StringBuilder();
        for (LineRing.Lines lines = ring.read(from); lines.bytes().length > 0; lines = ring.read(lines.end())) {
            String text = new String(lines.bytes(), StandardCharsets.US_ASCII);
            assertThat(text).startsWith("line " + lines.first() + "\n").endsWith("line " + (lines.end() - 1) + "\n");
            all.append(text);
        }
        return all.toString();
    }

    @ParameterizedTest
    @Tag("Q20")
    @CsvSource({
        // bytes, lines, from, the first line that is there, the last one
        "100, 0, 0, 0, 0",
        "100, 3, 0, 1, 3",
        "100, 3, 2, 2, 3",
        "100, 3, 4, 0, 0",
        "100, 9, 0, 1, 9",
        "100, 30, 0, 19, 30",
        "100, 30, 25, 25, 30",
        "100, 30, 3, 19, 30",
        "100, 1000, 0, 994, 1000",
    })
    void theNewestLinesStay(int bytes, int lines, int from, int first, int last) {
        LineRing ring = new LineRing(bytes, 25);
        add(ring, lines);
        assertThat(ring.next()).isEqualTo(lines + 1L);
        StringBuilder expected = new StringBuilder();
        for (int line = first; line <= last && line > 0; line++) {
            expected.append("line ").append(line).append('\n');
        }
        assertThat(read(ring, from)).isEqualTo(expected.toString());
    }

    @Test
    @Tag("Q20")
    void aLineThatIsTooLongIsRefusedAndASmallerRingKeepsTheNewest() {
        LineRing ring = new LineRing(400, 100);
        assertThat(ring.add(new byte[101], 101)).isFalse();
        add(ring, 40);
        ring.resize(200);
        assertThat(read(ring, 0)).endsWith("line 40\n").doesNotContain("line 1\n");
        add(ring, 40);
        assertThat(read(ring, 0)).endsWith("line 80\n").hasSizeLessThanOrEqualTo(200);
        ring.resize(0);
        assertThat(ring.isOn()).isFalse();
        assertThat(read(ring, 0)).isEmpty();
    }
}
