package dev.kopf4j.cli.manifests;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A folder that files are written into: all or none of them. What was made before is made anew; what people have
 * written is never overwritten. Confined to one thread.
 */
final class ManifestFolder {
    private static final String TOLD = ", which makes it anew: do not edit.\n";

    /** Of versions that did not say for whom. */
    private static final String OLD_MARK = "# Made by `kopf4j manifests`" + TOLD;

    private final Path folder;
    private final Set<String> possible;
    private final String mark;
    private final Map<String, String> files = new LinkedHashMap<>();

    /**
     * A folder that nothing is written into yet.
     *
     * @param option by which it is made
     * @param operator the name of the operator that it is of
     * @param possible the names of all files that can be made by the option
     */
    ManifestFolder(Path folder, String option, String operator, Set<String> possible) {
        this.folder = folder;
        this.possible = Set.copyOf(possible);
        this.mark = "# Made by `kopf4j manifests " + option + "` for '" + operator + "'" + TOLD;
    }

    /** A file that is made anew each time. */
    ManifestFolder made(String name, String text) {
        if (!possible.contains(name)) {
            throw new IllegalArgumentException(name + " would not be removed when it is not made any more");
        }
        files.put(name, mark + text);
        return this;
    }

    /** A file that is written once, for people to edit. */
    ManifestFolder begun(String name, String text) {
        if (!Files.exists(folder.resolve(name))) {
            files.put(name, text);
        }
        return this;
    }

    /**
     * Writes the files, and removes those that were made for the same operator before and are not made any more. Other
     * folders below it may be those of other operators.
     *
     * @throws CommandException if a file of other people is in the way, or a file cannot be written
     */
    void write() {
        files.keySet().stream().map(folder::resolve).forEach(this::requireOwn);
        try {
            removeMade();
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.toAbsolutePath().getParent());
                Files.writeString(path, file.getValue());
            }
        } catch (IOException e) {
            throw CommandException.usage(
                    "Cannot write into the folder " + folder + ": " + FileProblem.describe(folder, e));
        }
    }

    private void removeMade() throws IOException {
        for (String name : possible) {
            Path file = folder.resolve(name);
            if (Files.isRegularFile(file) && isMade(file)) {
                Files.delete(file);
            }
        }
    }

    private void requireOwn(Path file) {
        try {
            if (Files.exists(file) && !isMade(file)) {
                throw CommandException.usage(
                        file + " was not made by `kopf4j manifests` for this operator, and would be"
                                + " overwritten; name another folder, or delete the file.");
            }
        } catch (IOException e) {
            throw CommandException.usage("Cannot read " + file + ": " + FileProblem.describe(file, e));
        }
    }

    private boolean isMade(Path file) throws IOException {
        String text = Files.readString(file);
        return text.startsWith(mark) || text.startsWith(OLD_MARK);
    }
}
