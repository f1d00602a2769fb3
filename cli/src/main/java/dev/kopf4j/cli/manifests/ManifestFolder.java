package dev.kopf4j.cli.manifests;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A folder that files are written into: all or none of them. What was made before is made anew; what people have
 * written is never overwritten. Confined to one thread.
 */
final class ManifestFolder {
    private static final String MARK = "# Made by `kopf4j manifests`, which makes it anew: do not edit.\n";

    private final Path folder;
    private final Map<String, String> files = new LinkedHashMap<>();

    ManifestFolder(Path folder) {
        this.folder = folder;
    }

    /** A file that is made anew each time. */
    ManifestFolder made(String name, String text) {
        files.put(name, MARK + text);
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
     * Writes the files, and removes those below it that were made before and are not made any more.
     *
     * @throws CommandException if a file of other people is in the way, or a file cannot be written
     */
    void write() {
        files.keySet().stream().map(folder::resolve).forEach(ManifestFolder::requireOwn);
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
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> present = Files.walk(folder, 2)) {
            for (Path file : present.filter(Files::isRegularFile).toList()) {
                if (file.toString().endsWith(".yaml") && isMade(file)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void requireOwn(Path file) {
        try {
            if (Files.exists(file) && !isMade(file)) {
                throw CommandException.usage(file + " was not made by `kopf4j manifests`, and would be overwritten;"
                        + " name another folder, or delete the file.");
            }
        } catch (IOException e) {
            throw CommandException.usage("Cannot read " + file + ": " + FileProblem.describe(file, e));
        }
    }

    private static boolean isMade(Path file) throws IOException {
        return Files.readString(file).startsWith(MARK);
    }
}
