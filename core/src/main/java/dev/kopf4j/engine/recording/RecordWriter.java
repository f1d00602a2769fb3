package dev.kopf4j.engine.recording;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.recording.LineRing.Lines;
import dev.kopf4j.engine.recording.RecordFolder.OpenFile;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the lines of a recorder into the files of a folder, in a task of its own, four times a second as long as there
 * are any: at rest it waits. The memory of the recorder is its queue: if that overflows, or the disk is full, lines are
 * missing in the files, and a line says how many. Nothing of the operator ever waits for it, or fails by it. Files are
 * not forced to the disk: what was written outlives the process, however it ends, and not always the machine.
 */
public final class RecordWriter {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.recorder");
    private static final Duration GATHERING = Duration.ofMillis(250);
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final long MEGABYTE = 1024 * 1024;

    /** A new file begins at this size: the oldest one is deleted as a whole. */
    private static final long FILE = 8 * MEGABYTE;

    /** How many files the limit is for, at the least. */
    private static final int FILES = 8;

    private final Platform platform;
    private final Recorder recorder;
    private final RecordFolder folder;
    private final long limit;
    private final Opening opening;
    private final Task task;

    // Confined to the task.
    private Instant begin;
    private long next = 1;
    private int number = 1;
    private @Nullable OpenFile file;
    private boolean failing;

    /** How a new file comes to be: {@link RecordFolder#begin}, or what a test has instead. */
    @FunctionalInterface
    interface Opening {
        OpenFile open(Instant begin, int number) throws IOException;
    }

    RecordWriter(Platform platform, Recorder recorder, RecordFolder folder, long limit, Opening opening) {
        this.platform = platform;
        this.recorder = recorder;
        this.folder = folder;
        this.limit = limit;
        this.opening = opening;
        this.begin = platform.now();
        this.task = platform.spawn("writer of the record", this::work);
    }

    /** A writer that works until it is ended; null if the settings name no folder. */
    public static @Nullable RecordWriter start(
            Platform platform, Recorder recorder, OperatorSettings.Recorder settings) {
        String name = settings.folder();
        if (name == null) {
            return null;
        }
        if (!recorder.isOn()) {
            log.warn(
                    "Nothing is recorded into {} (recorder.folder), as recorder.memory is 0: lines pass through that memory.",
                    name);
            return null;
        }
        RecordFolder folder = new RecordFolder(Path.of(name));
        return new RecordWriter(platform, recorder, folder, settings.folderLimit() * MEGABYTE, folder::begin);
    }

    /** Writes what is left, and ends; a disk that does not answer is left behind at the deadline. */
    public void end(Deadline deadline) throws InterruptedException {
        task.interrupt();
        if (!task.join(deadline)) {
            log.warn("The end of the record could not be written to {}: the disk does not answer.", folder.path());
        }
    }

    private void work() {
        try {
            while (true) {
                if (!recorder.await(next, Deadline.NEVER)) {
                    continue;
                }
                platform.sleep(failing ? RETRY : GATHERING);
                writeAll();
            }
        } catch (InterruptedException e) {
            writeAll();
            close();
        }
    }

    private void writeAll() {
        try {
            if (file != null && Files.notExists(file.path())) {
                close(); // somebody has tidied up
            }
            for (Lines lines = recorder.read(next); lines.bytes().length > 0; lines = recorder.read(next)) {
                append(lines.first() > next ? withLoss(lines) : lines.bytes());
                next = lines.end();
            }
            if (failing) {
                failing = false;
                log.info("The record is written to {} again.", folder.path());
            }
        } catch (IOException e) {
            giveUp();
            if (!failing) {
                failing = true;
                log.warn(
                        "K4-014: The record cannot be written to {}: {}. The operator goes on without; it is tried again every {} s, and what"
                                + " the memory (recorder.memory) has no room for until then will be missing.",
                        folder.path(),
                        FileProblem.describe(folder.path(), e),
                        RETRY.toSeconds());
            }
        }
    }

    /** With the line that says how many are missing before them: it is never all that a file has. */
    private byte[] withLoss(Lines lines) {
        byte[] loss = recorder.lost(next, lines.first() - next).getBytes(StandardCharsets.US_ASCII);
        byte[] both = Arrays.copyOf(loss, loss.length + lines.bytes().length);
        System.arraycopy(lines.bytes(), 0, both, loss.length, lines.bytes().length);
        return both;
    }

    private void append(byte[] lines) throws IOException {
        long most = Math.min(FILE, limit / FILES);
        if (file != null && file.size() + lines.length > most) {
            close();
        }
        if (file == null) {
            folder.shrinkTo(limit - most);
            if (number == 1) {
                begin = folder.beginAfterAll(begin);
            }
            file = opening.open(begin, number);
            number = file.number() + 1;
        }
        file.append(lines);
    }

    /** Another attempt begins a file anew, as this one may never be written again. Nothing is left of an empty one. */
    private void giveUp() {
        OpenFile failed = file;
        close();
        if (failed == null) {
            return;
        }
        try {
            if (Files.size(failed.path()) == 0) {
                Files.delete(failed.path());
                number = failed.number();
            }
        } catch (IOException e) {
            log.debug("{} could not be removed", failed.path(), e);
        }
    }

    private void close() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            log.debug("{} could not be closed", file.path(), e);
        }
        file = null;
    }
}
