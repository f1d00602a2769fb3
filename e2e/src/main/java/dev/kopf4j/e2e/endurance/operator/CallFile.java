package dev.kopf4j.e2e.endurance.operator;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Where the calls of handlers are written down: each line is on the disk before {@link #add} returns. Thread-safe; an
 * interrupt of one thread does not close it for the others, as it would close a channel.
 */
final class CallFile {
    private final FileOutputStream file;

    private CallFile(FileOutputStream file) {
        this.file = file;
    }

    /** Goes on behind what earlier processes have written. */
    static CallFile continued(Path path) {
        try {
            return new CallFile(new FileOutputStream(path.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException("the file of calls cannot be written: " + path, e);
        }
    }

    synchronized void add(String line) {
        try {
            file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            file.getFD().sync();
        } catch (IOException e) {
            throw new UncheckedIOException("a call cannot be written down", e);
        }
    }
}
