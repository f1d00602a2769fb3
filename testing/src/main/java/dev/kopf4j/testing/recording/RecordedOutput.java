package dev.kopf4j.testing.recording;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard output that also goes to the recording of the thread that prints, once: what it passes on may come to
 * another one, as tests put streams of theirs in front of the one that they find. Thread-safe.
 */
final class RecordedOutput extends PrintStream {
    private static final ScopedValue<Boolean> RECORDED = ScopedValue.newInstance();

    RecordedOutput(PrintStream original) {
        super(original, true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        if (RECORDED.isBound()) {
            super.write(bytes, from, length);
            return;
        }
        ScopedValue.where(RECORDED, true).run(() -> super.write(bytes, from, length));
        CurrentRecording.tell(recording -> recording.printed(new String(bytes, from, length, StandardCharsets.UTF_8)));
    }
}
