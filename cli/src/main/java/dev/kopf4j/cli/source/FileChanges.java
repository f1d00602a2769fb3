package dev.kopf4j.cli.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits for changes of files, and of all files in folders, by looking at them again and again: that also sees the
 * changes of shared folders and of editors that replace files. Confined to one thread.
 */
public final class FileChanges {
    private static final long LOOK_MILLIS = 50;

    private final List<Path> places;
    private Map<Path, State> seen;

    private record State(FileTime changed, long size) {}

    /** What else is to be done while nothing changes. */
    @FunctionalInterface
    public interface Meanwhile {
        /** Must be quick. */
        void call() throws InterruptedException;
    }

    /** Looks at these files and folders for the first time. */
    public FileChanges(List<Path> places) {
        this.places = List.copyOf(places);
        this.seen = look();
    }

    /**
     * Waits until something has changed, and nothing more changes for a moment.
     *
     * @param end ends the wait
     * @param meanwhile is called at each look
     * @return false if it was ended
     */
    public boolean await(CountDownLatch end, Meanwhile meanwhile) throws InterruptedException {
        boolean changing = false;
        while (!end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            meanwhile.call();
            Map<Path, State> now = look();
            boolean changed = !now.equals(seen);
            seen = now;
            if (changing && !changed) {
                return true;
            }
            changing = changed;
        }
        return false;
    }

    private Map<Path, State> look() {
        Map<Path, State> states = new HashMap<>();
        for (Path place : places) {
            try (Stream<Path> files = Files.walk(place)) {
                files.forEach(file -> add(states, file));
            } catch (IOException | UncheckedIOException e) {
                states.put(place, new State(FileTime.fromMillis(0), -1)); // being replaced
            }
        }
        return states;
    }

    private static void add(Map<Path, State> states, Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isRegularFile()) {
                states.put(file, new State(attributes.lastModifiedTime(), attributes.size()));
            }
        } catch (IOException e) {
            states.put(file, new State(FileTime.fromMillis(0), -1)); // it has just gone
        }
    }
}
