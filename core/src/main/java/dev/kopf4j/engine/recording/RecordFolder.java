package dev.kopf4j.engine.recording;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder with the files of a record: {@code record-BEGIN-NUMBER.jsonl}, so that their names have the order of what
 * they hold, whatever the clock says. Each has whole lines, but for the last one of a process that was killed. Only
 * their owner can read them. Immutable.
 *
 * @param path the folder; it is made when the first file is
 */
public record RecordFolder(Path path) {
    private static final DateTimeFormatter BEGIN =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern NAME = Pattern.compile("record-(\\d{8}T\\d{6}\\.\\d{3}Z)-(\\d{6,18})\\.jsonl");

    /** The oldest one first. The numbers of one process may differ in length. */
    public static final Comparator<Path> ORDER = Comparator.comparing(
                    (Path file) -> name(file).group(1))
            .thenComparingLong(file -> Long.parseLong(name(file).group(2)));

    private static Matcher name(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        var _ = name.matches();
        return name;
    }

    /** Its files, the oldest one first; none if there is no such folder. */
    public List<Path> files() throws IOException {
        if (Files.notExists(path)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(file -> name(file).hasMatch()).sorted(ORDER).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The begin of a process, as its files are to name it: after all that is there, also if the clock has been ahead
     * meanwhile.
     */
    Instant beginAfterAll(Instant wanted) throws IOException {
        List<Path> files = files();
        if (files.isEmpty()) {
            return wanted;
        }
        String last = name(files.getLast()).group(1);
        if (last.compareTo(BEGIN.format(wanted)) < 0) {
            return wanted;
        }
        try {
            return BEGIN.parse(last, Instant::from).plusMillis(1);
        } catch (DateTimeException e) {
            // Somebody else has given it such a name.
            return wanted;
        }
    }

    /** A new file, empty and open. */
    OpenFile begin(Instant begin, int number) throws IOException {
        boolean posix = Files.getFileStore(existing(path.toAbsolutePath())).supportsFileAttributeView("posix");
        Files.createDirectories(path, ownerOnly(posix, "rwx------"));
        for (int at = number; ; at++) {
            Path file = path.resolve("record-" + BEGIN.format(begin) + String.format(Locale.ROOT, "-%09d.jsonl", at));
            try {
                Files.createFile(file, ownerOnly(posix, "rw-------"));
                return new OpenFile(file, at, new RandomAccessFile(file.toFile(), "rw"));
            } catch (FileAlreadyExistsException e) {
                if (!Files.isRegularFile(file)) {
                    throw e;
                }
            }
        }
    }

    private static Path existing(Path path) {
        Path found = path;
        while (Files.notExists(found) && found.getParent() != null) {
            found = found.getParent();
        }
        return found;
    }

    private static FileAttribute<?>[] ownerOnly(boolean posix, String permissions) {
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Deletes the oldest files until no more than that many bytes are left. */
    void shrinkTo(long bytes) throws IOException {
        List<Path> files = files();
        long sum = 0;
        for (Path file : files) {
            sum += Files.size(file);
        }
        for (Path file : files) {
            if (sum <= bytes) {
                return;
            }
            sum -= Files.size(file);
            Files.deleteIfExists(file);
        }
    }

    /** A file that is written; confined to one task. */
    static class OpenFile implements AutoCloseable {
        private final Path path;
        private final int number;
        private final RandomAccessFile file;

        OpenFile(Path path, int number, RandomAccessFile file) {
            this.path = path;
            this.number = number;
            this.file = file;
        }

        Path path() {
            return path;
        }

        /** Which of the files of the process it is. */
        int number() {
            return number;
        }

        long size() throws IOException {
            return file.length();
        }

        /** Writes all of it, or nothing, if that can be had. */
        void append(byte[] lines) throws IOException {
            long before = file.length();
            try {
                write(file, lines);
            } catch (IOException e) {
                try {
                    file.setLength(before);
                } catch (IOException cut) {
                    e.addSuppressed(cut);
                }
                throw e;
            }
        }

        /** Writes at the end. */
        void write(RandomAccessFile target, byte[] lines) throws IOException {
            target.write(lines);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
