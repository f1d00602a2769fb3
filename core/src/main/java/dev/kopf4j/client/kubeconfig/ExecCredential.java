package dev.kopf4j.client.kubeconfig;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The output of an exec plugin: a token, or a certificate with its key, or both. */
record ExecCredential(
        @Nullable String token,
        @Nullable String certificate,
        @Nullable String key,
        @Nullable Instant expiration) {

    static ExecCredential parse(ExecPluginCommand command, byte[] output) {
        JsonNode printed;
        try {
            printed = Json.parseObject(output);
        } catch (JsonConversionException e) {
            // The message does not quote the output: it may be a secret.
            throw new NoCredentialsException(command.describe() + " has not printed an ExecCredential object", e);
        }
        if (!command.apiVersion().equals(text(printed, "apiVersion"))) {
            throw new NoCredentialsException(command.describe() + " was asked for " + command.apiVersion()
                    + ", but has printed " + text(printed, "apiVersion"));
        }
        JsonNode status = printed.path("status");
        ExecCredential credential = new ExecCredential(
                text(status, "token"),
                text(status, "clientCertificateData"),
                text(status, "clientKeyData"),
                instant(command, text(status, "expirationTimestamp")));
        if (credential.token == null && (credential.certificate == null || credential.key == null)) {
            throw new NoCredentialsException(
                    command.describe() + " has printed neither a token nor a certificate with its key");
        }
        return credential;
    }

    private static @Nullable String text(JsonNode node, String field) {
        String value = node.path(field).asString("");
        return value.isEmpty() ? null : value;
    }

    private static @Nullable Instant instant(ExecPluginCommand command, @Nullable String timestamp) {
        try {
            return timestamp == null ? null : OffsetDateTime.parse(timestamp).toInstant();
        } catch (DateTimeParseException e) {
            throw new NoCredentialsException(
                    command.describe() + " has printed a wrong expirationTimestamp: " + timestamp, e);
        }
    }

    void describe(ConnectionInfo.Builder info) {
        if (token != null) {
            info.token(token);
        }
        if (certificate != null && key != null) {
            info.certificatePath(null)
                    .privateKeyPath(null)
                    .certificateData(certificate)
                    .privateKeyData(key);
        }
        info.expiration(expiration);
    }
}
