package dev.kopf4j.engine.admission.server;

import dev.kopf4j.OperatorException;
import dev.kopf4j.text.FileProblem;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The texts of all files that make a server's identity, read at one moment. Immutable.
 *
 * @param certificate null if there is no such file
 * @param key null if there is no such file
 * @param authorities null if there is no such file
 * @param clientAuthorities those of the clients, one after the other; empty if there are none
 */
record IdentityFiles(
        @Nullable String certificate,
        @Nullable String key,
        @Nullable String authorities,
        String clientAuthorities) {
    /**
     * Reads them.
     *
     * @throws OperatorException if one cannot be read
     */
    static IdentityFiles read(LocalWebhookServer options) {
        return new IdentityFiles(
                read("certificate", options.certificateFile()),
                read("key", options.keyFile()),
                read("certificate authority", options.caFile()),
                options.clientCas().stream()
                        .flatMap(IdentityFiles::filesAt)
                        .map(file -> Objects.requireNonNullElse(read("client authority", file), ""))
                        .collect(Collectors.joining("\n")));
    }

    private static @Nullable String read(String what, @Nullable Path file) {
        try {
            return file == null ? null : Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw unreadable(what, file, e);
        }
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

    private static OperatorException unreadable(String what, Path file, IOException e) {
        return new OperatorException(
                "The " + what + " of the webhook server cannot be read: " + file + ": " + FileProblem.describe(file, e),
                e);
    }

    /** SHA-256 over all of them: equal as long as nothing has changed. */
    String digest() {
        Map<String, @Nullable String> parts = new LinkedHashMap<>();
        parts.put("certificate", certificate);
        parts.put("key", key);
        parts.put("authorities", authorities);
        parts.put("clients", clientAuthorities);
        try {
            byte[] all = parts.toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "IdentityFiles[" + digest() + "]";
    }
}
