package dev.kopf4j.client.login;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The service account of the pod that the operator runs in. Its token is read again and again, because Kubernetes
 * replaces the file about every hour. Immutable.
 *
 * @param folder the folder with the token, the certificate authority, and the namespace
 */
public record ServiceAccountLogin(Path folder) {
    /** The folder where Kubernetes mounts them. */
    public static final ServiceAccountLogin MOUNTED =
            new ServiceAccountLogin(Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));

    /** Higher than a kubeconfig's. */
    private static final int PRIORITY = 20;

    private static final String SERVER = "https://kubernetes.default.svc";

    /** Returns the credential; empty outside of a pod. */
    public Optional<ConnectionInfo> connection() {
        Path token = folder.resolve("token");
        String current = read(token);
        if (current == null) {
            return Optional.empty();
        }
        Path authority = folder.resolve("ca.crt");
        return Optional.of(ConnectionInfo.builder(SERVER)
                .caPath(Files.exists(authority) ? authority.toString() : null)
                .token(current)
                .tokenPath(token.toString())
                .defaultNamespace(read(folder.resolve("namespace")))
                .priority(PRIORITY)
                .build());
    }

    /** Null if there is none. */
    private static @Nullable String read(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            String text = Files.readString(file).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            throw new NoCredentialsException(
                    "the service account's file " + file + " cannot be read: " + FileProblem.describe(file, e), e);
        }
    }
}
