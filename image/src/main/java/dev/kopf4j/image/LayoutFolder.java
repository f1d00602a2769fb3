package dev.kopf4j.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * A folder of the OCI image layout.
 *
 * @see <a href="https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md">the layout</a>
 */
record LayoutFolder(Path folder) {
    /** Fills the folder, which must be empty or an older layout, from a tar of the same form. */
    void unpack(Path image) throws IOException, ImageException {
        if (Files.exists(folder) && !Files.exists(folder.resolve("oci-layout")) && !isEmpty()) {
            throw new ImageException("the folder " + folder + " is neither empty nor an image");
        }
        Path root = folder.toAbsolutePath().normalize();
        Files.createDirectories(root);
        try (InputStream file = Files.newInputStream(image);
                TarArchiveInputStream tar = new TarArchiveInputStream(file)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path target = root.resolve(entry.getName()).normalize();
                if (!target.startsWith(root)) {
                    throw new ImageException("the image has the file " + entry.getName() + ", outside of " + folder);
                }
                if (entry.isDirectory()) {
                    continue; // that of each file is made
                }
                Path parent = target.getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> content = Files.list(folder)) {
            return content.findAny().isEmpty();
        }
    }
}
