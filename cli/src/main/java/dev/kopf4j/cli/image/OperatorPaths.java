package dev.kopf4j.cli.image;

import dev.kopf4j.cli.source.OperatorParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the parts of an operator lie in its image. Whoever starts it there names the same paths: the image itself, and
 * the Deployment that {@code kopf4j manifests} prints. Immutable.
 *
 * @param jar the jar of the compiled sources; it is there only if there are sources
 * @param given the jars and folders that were named, by where they lie here
 * @param libraries what these use, by where it lies here
 * @param names the classes and packages whose handlers are wanted
 */
public record OperatorPaths(
        List<String> jar, Map<Path, String> given, Map<Path, String> libraries, List<String> names) {
    /** The folder of the operator in the image. */
    public static final String FOLDER = "/app";

    /** The paths of these parts. */
    public static OperatorPaths of(OperatorParts parts) {
        return new OperatorPaths(
                parts.hasSources() ? List.of(FOLDER + "/operator.jar") : List.of(),
                numbered(parts.given(), "given"),
                numbered(parts.libraries(), "lib"),
                parts.names());
    }

    /** Two may have the same name. */
    private static Map<Path, String> numbered(List<Path> places, String folder) {
        Map<Path, String> paths = new LinkedHashMap<>();
        for (Path place : places) {
            try {
                paths.putIfAbsent(
                        place,
                        FOLDER + "/" + folder + "/" + paths.size() + "-"
                                + place.toRealPath().getFileName());
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot find " + place, e);
            }
        }
        return paths;
    }

    /** The arguments by which {@code kopf4j run} finds the operator there. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(jar);
        arguments.addAll(given.values());
        if (!libraries.isEmpty()) {
            arguments.addAll(List.of("--classpath", String.join(":", libraries.values())));
        }
        names.forEach(name -> arguments.addAll(List.of("-m", name)));
        return arguments;
    }
}
