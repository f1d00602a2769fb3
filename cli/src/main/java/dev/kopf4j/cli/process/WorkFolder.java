package dev.kopf4j.cli.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A temporary folder of a command, deleted with all that is in it: at its end, and when a signal ends the program. */
public final class WorkFolder implements AutoCloseable {
    /** Whoever still writes while the program ends may add to the folder meanwhile, but not for ever. */
    private static final int ATTEMPTS = 100;

    private final Path path;
    private final Thread atExit;

    private WorkFolder(Path path) {
        this.path = path;
        this.atExit = Thread.ofPlatform().unstarted(this::deleteAtExit);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Makes a folder whose name begins so, where the system has its temporary files. */
    public static WorkFolder create(String name) throws IOException {
        return new WorkFolder(Files.createTempDirectory(name));
    }

    /** Makes a folder whose name begins so, in another one. */
    public static WorkFolder create(Path parent, String name) throws IOException {
        return new WorkFolder(Files.createTempDirectory(parent, name));
    }

    /** Returns the folder. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            return; // the program ends, and deletes it
        }
        delete();
    }

    private void deleteAtExit() {
        for (int attempt = 0; attempt < ATTEMPTS && Files.exists(path); attempt++) {
            try {
                delete();
            } catch (IOException e) {
                // something was added or has gone meanwhile: once more
            }
        }
    }

    private void delete() throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
