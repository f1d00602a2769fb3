package dev.kopf4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A temporary folder of a command, deleted with all that is in it.
 *
 * @param path the folder
 */
public record WorkFolder(Path path) implements AutoCloseable {
    /** Makes a folder whose name begins so. */
    public static WorkFolder create(String name) throws IOException {
        return new WorkFolder(Files.createTempDirectory(name));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> tree = Files.walk(path)) {
            for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
