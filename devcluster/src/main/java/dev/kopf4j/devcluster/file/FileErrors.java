package dev.kopf4j.devcluster.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;

/** Makes messages of failures with files. Pure. */
public final class FileErrors {
    private FileErrors() {}

    /**
     * An error that names the failed action. The cause's message is appended unless it is only a path, as those of
     * {@link FileSystemException} are.
     */
    public static UncheckedIOException failure(String action, IOException cause) {
        return new UncheckedIOException(
                cause instanceof FileSystemException ? action : action + ": " + cause.getMessage(), cause);
    }
}
