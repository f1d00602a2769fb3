package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files that a server's identity is made of. All methods throw {@link OperatorException} if one cannot be.
 */
final class PemFiles {
    private PemFiles() {}

    static String text(String what, Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw unreadable(what, file, e);
        }
    }

    /** The authorities that clients are told to trust; null if none are given. */
    static @Nullable String authorities(LocalWebhookServer options) {
        Path file = options.caFile();
        return file == null ? options.caPem() : text("certificate authority", file);
    }

    /** The authorities of clients, one after the other; empty if there are none. */
    static String clientAuthorities(LocalWebhookServer options) {
        return options.clientCas().stream()
                .flatMap(PemFiles::filesAt)
                .map(file -> text("client authority", file))
                .collect(Collectors.joining("\n"));
    }

    private static Stream<Path> filesAt(Path place) {
        if (!Files.isDirectory(place)) {
            return Stream.of(place);
        }
        try (Stream<Path> files = Files.list(place)) {
            List<Path> all = files.filter(Files::isRegularFile).sorted().toList();
            return all.stream();
        } catch (IOException e) {
            throw unreadable("client authorities", place, e);
        }
    }

    static OperatorException unreadable(String what, Path file, IOException e) {
        return new OperatorException(
                "The " + what + " of the webhook server cannot be read: " + file + ": " + FileProblem.describe(file, e),
                e);
    }
}
