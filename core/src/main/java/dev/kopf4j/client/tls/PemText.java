package dev.kopf4j.client.tls;

import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The PEM text of a certificate or key that a credential has in a file, as text, or as base64. */
final class PemText {
    private PemText() {}

    /**
     * Reads the text; null if there is neither a path nor data. A path wins.
     *
     * @param what what the text is, for messages
     * @throws IllegalArgumentException if the file cannot be read, or the data is neither PEM nor base64
     */
    static @Nullable String of(String what, @Nullable String path, @Nullable String data) {
        if (path != null) {
            return read(what, Path.of(path));
        }
        return data == null || data.contains("-----BEGIN") ? data : decoded(what, data);
    }

    private static String read(String what, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the file of the " + what + " cannot be read: " + file + ": " + FileProblem.describe(file, e), e);
        }
    }

    private static String decoded(String what, String data) {
        try {
            return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the data of the " + what + " is neither PEM nor base64", e);
        }
    }
}
