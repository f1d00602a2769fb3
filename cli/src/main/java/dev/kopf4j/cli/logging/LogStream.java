package dev.kopf4j.cli.logging;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the lines of the log go. No line is dropped: if nobody takes them, whoever logs waits, which nothing ends but
 * the end of the process. So it tells when a line has waited for long. Written to by one thread at a time; asked by
 * any.
 */
public final class LogStream extends OutputStream {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Platform platform;
    private final Supplier<PrintStream> target;
    private volatile @Nullable Deadline overdue;

    /** Writes to what is stderr at that moment. */
    public LogStream(Platform platform) {
        this(platform, () -> System.err);
    }

    LogStream(Platform platform, Supplier<PrintStream> target) {
        this.platform = platform;
        this.target = target;
    }

    /** Returns what is wrong, for people; empty if nothing is. */
    public List<String> troubles() {
        Deadline deadline = overdue;
        return deadline != null && deadline.hasPassed(platform)
                ? List.of("nobody has taken a line of the log from stderr for more than " + PATIENCE.toSeconds()
                        + " s, and all that logs waits for that")
                : List.of();
    }

    @Override
    public void write(int singleByte) throws IOException {
        write(new byte[] {(byte) singleByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        overdue = platform.after(PATIENCE);
        try {
            target.get().write(bytes, offset, length);
        } finally {
            overdue = null;
        }
    }

    @Override
    public void flush() {
        overdue = platform.after(PATIENCE);
        try {
            target.get().flush();
        } finally {
            overdue = null;
        }
    }
}
