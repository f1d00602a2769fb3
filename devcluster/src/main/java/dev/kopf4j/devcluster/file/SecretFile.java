package dev.kopf4j.devcluster.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/** A small secret text in a folder, which only its owner can read. */
public final class SecretFile {
    private SecretFile() {}

    /**
     * The text of a file, as ISO-8859-1, which is made if it is missing.
     *
     * @throws UncheckedIOException if the folder cannot be used
     */
    public static String readOrCreate(Path folder, String name, Supplier<String> maker) {
        Path file = folder.resolve(name);
        try {
            // In an encoding that any bytes are a text of: whether it is damaged, is the caller's to judge.
            return Files.exists(file)
                    ? Files.readString(file, StandardCharsets.ISO_8859_1)
                    : replace(folder, name, maker.get());
        } catch (IOException e) {
            throw failure(folder, e);
        }
    }

    /**
     * Makes a file, or gives it another text, which is returned.
     *
     * @throws UncheckedIOException if the folder cannot be used
     */
    public static String replace(Path folder, String name, String text) {
        try {
            OwnerOnlyFiles.createFolder(folder);
            Path made = folder.resolve(name + ".new");
            Files.deleteIfExists(made);
            OwnerOnlyFiles.create(made);
            try (FileChannel out = FileChannel.open(made, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    var _ = out.write(bytes);
                }
                // Or a loss of power leaves an empty file of that name.
                out.force(true);
            }
            Files.move(made, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            return text;
        } catch (IOException e) {
            throw failure(folder, e);
        }
    }

    private static UncheckedIOException failure(Path folder, IOException cause) {
        return FileErrors.failure("the data folder " + folder + " cannot be used", cause);
    }
}
