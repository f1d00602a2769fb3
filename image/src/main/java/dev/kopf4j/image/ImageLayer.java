package dev.kopf4j.image;

import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A layer of files and folders.
 *
 * @param name for people
 * @param source a file or a folder on this machine; what it links to is taken in its place
 * @param target where it will be in the image
 */
record ImageLayer(String name, Path source, String target) {
    /** Reads {@code NAME=SOURCE=TARGET}. */
    static ImageLayer parse(String text) throws ImageException {
        String[] parts = text.split("=", 3);
        if (parts.length != 3 || !parts[2].startsWith("/")) {
            throw new ImageException("a layer is NAME=SOURCE=TARGET with an absolute target, not " + text);
        }
        return new ImageLayer(parts[0], Path.of(parts[1]), parts[2]);
    }

    FileEntriesLayer files() throws ImageException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
        try (Stream<Path> tree = Files.walk(source, java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            List<Path> sorted = tree.sorted().toList();
            for (Path file : sorted) {
                String path = source.relativize(file).toString();
                layer.addEntry(
                        file, AbsoluteUnixPath.get(path.isEmpty() ? target : target + "/" + path), permissions(file));
            }
        } catch (IOException e) {
            throw new ImageException("the files of the layer " + name + " cannot be read: " + e, e);
        }
        return layer.build();
    }

    /** Everybody may read; nobody but root may write. */
    private static FilePermissions permissions(Path file) {
        boolean executable = Files.isDirectory(file) || Files.isExecutable(file);
        return FilePermissions.fromOctalString(executable ? "755" : "644");
    }
}
