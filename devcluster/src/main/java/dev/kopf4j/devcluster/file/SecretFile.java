package dev.kopf4j.devcluster.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Supplier;

/** A small secret text in a folder, which only its owner can read. */
public final class SecretFile {
    private SecretFile() {}

    /**
     * The text of a file, which is made if it is missing.
     *
     * @throws UncheckedIOException if the folder cannot be used
     */
    public static String readOrCreate(Path folder, String name, Supplier<String> maker) {
        Path file = folder.resolve(name);
        try {
            if (!Files.exists(file)) {
                OwnerOnlyFiles.createFolder(folder);
                Path made = folder.resolve(name + ".new");
                Files.deleteIfExists(made);
                OwnerOnlyFiles.create(made);
                Files.writeString(made, maker.get());
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw FileErrors.failure("the data folder " + folder + " cannot be used", e);
        }
    }
}
