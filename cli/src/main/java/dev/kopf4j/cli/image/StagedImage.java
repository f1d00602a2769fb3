package dev.kopf4j.cli.image;

import dev.kopf4j.cli.source.OperatorFiles;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of an image in a folder, where they lie as in the image. All have the time that they have there: the
 * start-up cache is refused by the JVM if one differs.
 *
 * @param root the folder
 */
public record StagedImage(Path root) {
    /** The program in the image. */
    public static final String PROGRAM = "/opt/kopf4j/lib";

    private static final FileTime TIME = FileTime.fromMillis(1000);

    /** The folder of a path in the image. */
    public Path at(String path) {
        return root.resolve(path.substring(1));
    }

    /** Copies the jars of the program. */
    public void addProgram(Path libraries) throws IOException {
        Files.createDirectories(at(PROGRAM));
        try (Stream<Path> jars = Files.list(libraries)) {
            for (Path jar : jars.sorted().toList()) {
                copy(jar, at(PROGRAM).resolve(jar.getFileName()));
            }
        }
    }

    /** Copies and packs what the operator consists of; returns the arguments by which `run` finds it. */
    public List<String> addOperator(OperatorFiles files) throws IOException {
        OperatorPaths paths = OperatorPaths.of(files.parts());
        Files.createDirectories(at(OperatorPaths.FOLDER));
        for (String jar : paths.jar()) {
            OperatorJar.write(files, at(jar));
        }
        addAll(paths.given());
        addAll(paths.libraries());
        return paths.arguments();
    }

    private void addAll(Map<Path, String> places) throws IOException {
        for (Map.Entry<Path, String> place : places.entrySet()) {
            copy(place.getKey(), at(place.getValue()));
        }
    }

    private static void copy(Path source, Path target) throws IOException {
        try (Stream<Path> tree = Files.walk(source, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : tree.toList()) {
                Path copy = target.resolve(source.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.createDirectories(copy.toAbsolutePath().resolveSibling(""));
                    Files.copy(file, copy);
                }
            }
        }
    }

    /** Gives all files the time that they have in the image. */
    public void settle() throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path each : tree.toList()) {
                Files.setLastModifiedTime(each, TIME);
            }
        }
    }
}
