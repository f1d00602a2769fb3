package dev.kopf4j.cli.source;

import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files and folders that a user has named, by what is in them. Immutable.
 *
 * @param sources the source files, with those of folders
 * @param sourceFolders folders of sources, and those of resources beside them; their other files are resources
 * @param classes jars and folders of classes
 */
record SourcePlaces(List<Path> sources, List<Path> sourceFolders, List<Path> classes) {
    private static final String SOURCE = ".java";
    private static final String JAR = ".jar";

    /** Where Maven and Gradle have the sources of programs; resources are in a folder beside it. */
    private static final Path MAIN = Path.of("src", "main", "java");

    SourcePlaces {
        sources = List.copyOf(sources);
        sourceFolders = List.copyOf(sourceFolders);
        classes = List.copyOf(classes);
    }

    /**
     * Sorts what was named.
     *
     * @throws CommandException if a folder has nothing of use
     */
    static SourcePlaces of(List<Path> named) {
        List<Path> sources = new ArrayList<>();
        List<Path> folders = new ArrayList<>();
        List<Path> classes = new ArrayList<>();
        for (Path path : named) {
            List<Path> inside = Files.isDirectory(path) ? sourcesBelow(path) : List.of();
            if (path.toString().endsWith(SOURCE) && !Files.isDirectory(path)) {
                sources.add(path);
            } else if (inside.isEmpty()) {
                classes.addAll(libraries(path));
            } else {
                sources.addAll(inside);
                folders.add(path);
                resources(path).filter(Files::isDirectory).ifPresent(folders::add);
            }
        }
        return new SourcePlaces(sources, folders, classes);
    }

    /** The folder of resources that build tools take along with this folder of sources. */
    static Optional<Path> resources(Path folder) {
        Path full = folder.toAbsolutePath().normalize();
        return full.endsWith(MAIN) ? Optional.of(full.resolveSibling("resources")) : Optional.empty();
    }

    /** Returns a jar, a folder of classes, or the jars that are in a folder. */
    static List<Path> libraries(Path path) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        List<Path> jars = filesBelow(path, JAR).stream()
                .filter(jar -> path.equals(jar.getParent()))
                .toList();
        if (!jars.isEmpty()) {
            return jars;
        }
        if (filesBelow(path, ".class").isEmpty()) {
            throw CommandException.usage(
                    "The folder " + path + " has neither Java source files, nor classes, nor jars.");
        }
        return List.of(path);
    }

    /** Without descriptors of modules: sources are compiled on the class path, as the jars there are. */
    private static List<Path> sourcesBelow(Path folder) {
        return filesBelow(folder, SOURCE).stream()
                .filter(file -> !file.endsWith("module-info.java"))
                .toList();
    }

    private static List<Path> filesBelow(Path folder, String extension) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(extension) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw unreadable(folder, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private static CommandException unreadable(Path folder, IOException failure) {
        return CommandException.usage(
                "Cannot read the folder " + folder + ": " + FileProblem.describe(folder, failure));
    }

    /** True if the source file at this position is one of a folder's. */
    boolean isOfFolder(int position) {
        return position < sources.size() && sourceFolders.stream().anyMatch(sources.get(position)::startsWith);
    }
}
