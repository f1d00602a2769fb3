package dev.kopf4j.cli.image;

import dev.kopf4j.cli.source.OperatorFiles;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
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

    /** The operator in the image. */
    public static final String OPERATOR = "/app";

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
        Files.createDirectories(at(OPERATOR));
        List<String> arguments = new ArrayList<>();
        if (!files.classFiles().isEmpty()) {
            OperatorJar.write(files, at(OPERATOR).resolve("operator.jar"));
            arguments.add(OPERATOR + "/operator.jar");
        }
        arguments.addAll(addAll(files.given(), "given"));
        List<String> libraries = addAll(files.libraries(), "lib");
        if (!libraries.isEmpty()) {
            arguments.addAll(List.of("--classpath", String.join(":", libraries)));
        }
        files.names().forEach(name -> arguments.addAll(List.of("-m", name)));
        return arguments;
    }

    private List<String> addAll(List<Path> places, String folder) throws IOException {
        List<String> added = new ArrayList<>();
        for (Path place : places) {
            String path = OPERATOR + "/" + folder + "/" + added.size() + "-"
                    + place.toRealPath().getFileName();
            copy(place, at(path));
            added.add(path);
        }
        return added;
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
