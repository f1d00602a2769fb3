package dev.kopf4j.cli.image;

import dev.kopf4j.cli.source.OperatorFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Jars of compiled sources with their resources: the same files make the same jar. */
final class OperatorJar {
    /** The earliest time that a jar can have, whatever the zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

    private OperatorJar() {}

    static void write(OperatorFiles files, Path target) throws IOException {
        SortedMap<String, byte[]> content = new TreeMap<>(files.classFiles());
        for (Map.Entry<String, Path> each :
                ResourceFiles.of(files.resources()).files().entrySet()) {
            content.put(each.getKey(), Files.readAllBytes(each.getValue()));
        }
        try (OutputStream file = Files.newOutputStream(target);
                ZipOutputStream jar = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> each : content.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(TIME);
                jar.putNextEntry(entry);
                jar.write(each.getValue());
                jar.closeEntry();
            }
        }
    }
}
