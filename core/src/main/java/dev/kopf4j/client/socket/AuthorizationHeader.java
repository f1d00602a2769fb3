package dev.kopf4j.client.socket;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@code Authorization} header of a credential. Reads a token's file anew every minute. Thread-safe. */
final class AuthorizationHeader {
    /** As client-go does: Kubernetes renews the tokens of service accounts long before they expire. */
    private static final Duration TOKEN_KEPT_FOR = Duration.ofMinutes(1);

    private final Platform platform;
    private final ConnectionInfo info;
    private final Monitor monitor;
    private @Nullable String token;
    private Deadline keptUntil;

    AuthorizationHeader(Platform platform, ConnectionInfo info) {
        this.platform = platform;
        this.info = info;
        this.monitor = platform.monitor();
        this.token = info.token();
        this.keptUntil = platform.after(Duration.ZERO);
    }

    Optional<String> header() {
        if (info.username() != null && info.password() != null) {
            return Optional.of(basic(info.username(), info.password()));
        }
        String known = currentToken();
        if (known == null) {
            return Optional.ofNullable(info.scheme());
        }
        return Optional.of((info.scheme() == null ? "Bearer" : info.scheme()) + " " + known);
    }

    static String basic(String username, String password) {
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    private @Nullable String currentToken() {
        String path = info.tokenPath();
        return path == null
                ? info.token()
                : monitor.locked(() -> Optional.ofNullable(refreshed(path))).orElse(null);
    }

    private @Nullable String refreshed(String path) {
        if (keptUntil.hasPassed(platform)) {
            keptUntil = platform.after(TOKEN_KEPT_FOR);
            token = read(path, token);
        }
        return token;
    }

    /**
     * An unreadable file is no error yet: the last token may still be valid. If it is not, the server answers with 401.
     */
    private static @Nullable String read(String path, @Nullable String last) {
        try {
            String text = Files.readString(Path.of(path)).strip();
            return text.isEmpty() ? last : text;
        } catch (IOException e) {
            return last;
        }
    }
}
