package dev.kopf4j.testing.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L49")
class RecordedTextTest {
    private static final LogLine LOGGED = new LogLine("INFO", "kopf4j", "meanwhile", Optional.empty(), false);

    private final RecordedText text = new RecordedText();

    @Test
    void aPrintedLineIsWholeWhateverOthersLogMeanwhile() {
        text.print("I am ");
        text.log(LOGGED);
        text.print("here\nand");
        assertThat(text.text()).isEqualTo("INFO meanwhile\nI am here\nand");
        text.print(" there\n");
        text.log(LOGGED);
        assertThat(text.text()).isEqualTo("INFO meanwhile\nI am here\nand there\nINFO meanwhile\n");
    }

    @Test
    void linesOfOtherThreadsAreWholeToo() throws InterruptedException {
        text.print("I am ");
        Thread other = Thread.ofVirtual().start(() -> text.print("another\n"));
        other.join();
        text.print("here\n");
        assertThat(text.text()).isEqualTo("another\nI am here\n");
    }
}
