package dev.kopf4j.devcluster.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Creates files and folders that only their owner can read, if the file system supports that. */
public final class OwnerOnlyFiles {
    private OwnerOnlyFiles() {}

    /**
     * Creates an empty file. On a file system without permissions it does nothing, because writing creates the file.
     */
    public static void create(Path file) throws IOException {
        if (hasRights(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
    }

    /** Makes a folder, with those above it, if it is missing. */
    public static void createFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (hasRights(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(folder);
        }
    }

    private static boolean hasRights(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
