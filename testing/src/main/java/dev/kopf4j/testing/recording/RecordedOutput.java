package dev.kopf4j.testing.recording;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Standard output that also goes to the recording of the thread that prints. Thread-safe. */
final class RecordedOutput extends PrintStream {
    RecordedOutput(PrintStream original) {
        super(original, true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        super.write(bytes, from, length);
        CurrentRecording.tell(recording -> recording.printed(new String(bytes, from, length, StandardCharsets.UTF_8)));
    }
}
