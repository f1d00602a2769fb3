package dev.kopf4j.devcluster.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the data of the server itself, which are files beside its classes. */
public final class BesideClass {
    private BesideClass() {}

    /** The content of a file beside a class. */
    public static byte[] bytes(Class<?> type, String file) {
        try (InputStream stream = type.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException(file + " is missing beside " + type);
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }

    /** The lines of a text beside a class, without comments and blank ones. */
    public static List<String> lines(Class<?> type, String file) {
        return new String(bytes(type, file), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.strip().startsWith("#"))
                .toList();
    }
}
