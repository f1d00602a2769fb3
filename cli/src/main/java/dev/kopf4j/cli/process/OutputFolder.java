package dev.kopf4j.cli.process;

import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A folder that files are written into: all or none of them. What was made before is made anew; what people have
 * written is never overwritten. Confined to one thread.
 */
public final class OutputFolder {
    private final Path folder;
    private final String maker;
    private final Set<String> possible;
    private final List<String> marks;
    private final Map<String, String> files = new LinkedHashMap<>();

    /**
     * A folder that nothing is written into yet.
     *
     * @param maker what has made the files that are made anew, for people
     * @param possible the names of all files that it can make
     * @param marks how those files begin: the first one is written, the others were before
     */
    public OutputFolder(Path folder, String maker, Set<String> possible, String... marks) {
        this.folder = folder;
        this.maker = maker;
        this.possible = Set.copyOf(possible);
        this.marks = List.of(marks);
    }

    /** A file that is made anew each time. */
    public OutputFolder made(String name, String text) {
        if (!possible.contains(name)) {
            throw new IllegalArgumentException(name + " would not be removed when it is not made any more");
        }
        files.put(name, marks.getFirst() + text);
        return this;
    }

    /** A file that is written once, for people to edit. */
    public OutputFolder begun(String name, String text) {
        if (!Files.exists(folder.resolve(name))) {
            files.put(name, text);
        }
        return this;
    }

    /**
     * Writes the files, and removes those that the same maker has made before and does not make any more. Other folders
     * below it may be those of others.
     *
     * @return the files, in their order
     * @throws CommandException if a file of other people is in the way, or a file cannot be written
     */
    public List<Path> write() {
        List<Path> written = files.keySet().stream().map(folder::resolve).toList();
        written.forEach(this::requireOwn);
        try {
            Files.createDirectories(folder);
            try (WorkFolder work = WorkFolder.create(folder, ".kopf4j-")) {
                writeInto(work.path()); // where there may be no room for them
                moveFrom(work.path());
            }
            removeOutdated();
        } catch (IOException e) {
            throw CommandException.usage(
                    "Cannot write into the folder " + folder + ": " + FileProblem.describe(folder, e));
        }
        return written;
    }

    private void writeInto(Path work) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.createDirectories(
                    folder.resolve(file.getKey()).toAbsolutePath().getParent());
            Path path = work.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }

    private void moveFrom(Path work) throws IOException {
        for (String name : files.keySet()) {
            Path file = folder.resolve(name);
            Path linked = Files.exists(file) ? file.toRealPath() : file; // a link stays, and its file is written
            Files.move(work.resolve(name), linked, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void removeOutdated() throws IOException {
        for (String name : possible) {
            Path file = folder.resolve(name);
            if (!files.containsKey(name) && Files.isRegularFile(file) && isMade(file)) {
                Files.delete(file);
            }
        }
    }

    private void requireOwn(Path file) {
        try {
            // An empty one may have been begun where there was no room for it. What is no file, such as a link to a
            // device, must not be replaced by one.
            if (Files.exists(file) && !(Files.isRegularFile(file) && (Files.size(file) == 0 || isMade(file)))) {
                throw CommandException.usage(file + " was not made by " + maker
                        + ", and would be overwritten; name another folder, or delete the file.");
            }
        } catch (IOException e) {
            throw CommandException.usage("Cannot read " + file + ": " + FileProblem.describe(file, e));
        }
    }

    private boolean isMade(Path file) throws IOException {
        String text = Files.readString(file);
        return marks.stream().anyMatch(text::startsWith);
    }
}
