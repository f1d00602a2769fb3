package dev.kopf4j.fabric8;

import dev.kopf4j.ConnectionInfo;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Sends the operator's credential with each request, as the operator itself does: fabric8 knows neither schemes other
 * than Bearer nor files of tokens. Thread-safe.
 */
final class CredentialInterceptor implements Interceptor {
    static final String NAME = "kopf4j-credential";

    private final ConnectionInfo connection;

    CredentialInterceptor(ConnectionInfo connection) {
        this.connection = connection;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        String value = value();
        if (value != null) {
            builder.setHeader("Authorization", value);
        }
    }

    private @Nullable String value() {
        if (connection.username() != null && connection.password() != null) {
            String pair = connection.username() + ":" + connection.password();
            return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        }
        String token = token();
        if (token == null) {
            return connection.scheme();
        }
        return (connection.scheme() == null ? "Bearer" : connection.scheme()) + " " + token;
    }

    /**
     * An unreadable file is not an error yet: the last token may still be valid, and if not, the server answers 401.
     */
    private @Nullable String token() {
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
