package dev.kopf4j.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder of the OCI image layout.
 *
 * @see <a href="https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md">the layout</a>
 */
record LayoutFolder(Path folder) {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    /** Fills the folder, which must be empty or an older layout, from a tar of the same form. */
    void unpack(Path image) throws IOException, ImageException {
        if (Files.exists(folder) && !Files.exists(folder.resolve("oci-layout")) && !isEmpty()) {
            throw new ImageException("the folder " + folder + " is neither empty nor an image");
        }
        Path root = folder.toAbsolutePath().normalize();
        Files.createDirectories(root);
        boolean ours = holdsOneImage(root.resolve("index.json"));
        Set<Path> written = new HashSet<>();
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
                written.add(target);
            }
        }
        if (ours) {
            deleteOlderBlobs(root.resolve("blobs").resolve("sha256"), written);
        }
    }

    /** A layout that others have filled with more than an image is not tidied. */
    private static boolean holdsOneImage(Path index) throws IOException {
        if (!Files.exists(index)) {
            return false;
        }
        try {
            JsonNode manifests =
                    JsonMapper.shared().readTree(Files.readAllBytes(index)).path("manifests");
            return manifests.size() == 1;
        } catch (JacksonException e) {
            return false; // cut off by a run that was killed: it is replaced, and nothing else is deleted
        }
    }

    /** Those of an image that was here before would stay for ever. */
    private static void deleteOlderBlobs(Path blobs, Set<Path> written) throws IOException {
        if (!Files.isDirectory(blobs, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.list(blobs)) {
            for (Path file : files.toList()) {
                if (!written.contains(file)
                        && DIGEST.matcher(file.getFileName().toString()).matches()
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(file);
                }
            }
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> content = Files.list(folder)) {
            return content.findAny().isEmpty();
        }
    }
}
