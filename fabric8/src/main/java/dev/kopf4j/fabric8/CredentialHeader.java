package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The header {@code Authorization} of a credential, as the operator itself sends it. */
final class CredentialHeader {
    static final String NAME = "Authorization";

    private CredentialHeader() {}

    /** Null for none. The file of a token is read at each call. */
    static @Nullable String of(ConnectionInfo connection) {
        if (connection.username() != null && connection.password() != null) {
            String pair = connection.username() + ":" + connection.password();
            return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        }
        String token = token(connection);
        if (token == null) {
            return connection.scheme();
        }
        return (connection.scheme() == null ? "Bearer" : connection.scheme()) + " " + token;
    }

    /**
     * An unreadable file is not an error yet: the last token may still be valid, and if not, the server answers 401.
     */
    private static @Nullable String token(ConnectionInfo connection) {
        if (connection.tokenPath() == null) {
            return connection.token();
        }
        try {
            return Files.readString(Path.of(connection.tokenPath())).strip();
        } catch (IOException e) {
            return connection.token();
        }
    }
}
