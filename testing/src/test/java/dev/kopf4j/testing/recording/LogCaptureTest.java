package dev.kopf4j.testing.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link LogCapture} with tests that replace the standard output. */
class LogCaptureTest {
    private final PrintStream before = System.out;
    private final Recording recording = new Recording(new SimulatedPlatform(0, Instant.EPOCH));
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @AfterEach
    void putBack() {
        System.setOut(before);
    }

    private void print() {
        CurrentRecording.within(recording, () -> System.out.println("hello"));
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("hello" + System.lineSeparator());
        assertThat(recording.output()).isEqualTo("hello" + System.lineSeparator());
    }

    @Test
    void printsAreRecordedThoughATestHasReplacedTheOutput() {
        LogCapture.install();
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        LogCapture.install();
        print();
    }

    @Test
    void printsAreRecordedOnceWhereATestHasPutAStreamInFront() {
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        LogCapture.install();
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        LogCapture.install();
        print();
    }
}
