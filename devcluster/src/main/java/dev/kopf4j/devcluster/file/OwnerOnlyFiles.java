package dev.kopf4j.devcluster.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates files and folders that only their owner can read, if the file system supports that. */
public final class OwnerOnlyFiles {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private OwnerOnlyFiles() {}

    /**
     * Creates an empty file. On a file system without permissions it does nothing, because writing creates the file.
     */
    public static void create(Path file) throws IOException {
        if (hasRights(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
    }

    /** Takes the rights of all others from a file, unless it is somebody else's, or on a mount that keeps rights. */
    public static void restrict(Path file) throws IOException {
        if (hasRights(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            try {
                Files.setPosixFilePermissions(file, OWNER_ONLY);
            } catch (FileSystemException e) {
                LOG.atWarn().addArgument(file).addArgument(e.getReason()).log("others may read {}: {}");
            }
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
