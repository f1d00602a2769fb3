package dev.kopf4j.devcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;

/**
 * Kubeconfigs for one cluster, as YAML. Immutable.
 *
 * @param url the URL of the cluster
 * @param authority the certificate of its authority as PEM; empty without TLS
 */
record Kubeconfig(String url, String authority) {
    /** A kubeconfig for the administrator. */
    String withToken(String token) {
        return of("admin", "token: " + token);
    }

    /**
     * A kubeconfig for a user with a client certificate.
     *
     * @param certificateAndKey both as PEM, the certificate first
     */
    String withCertificate(String certificateAndKey) {
        int key = certificateAndKey.indexOf("-----BEGIN PRIVATE KEY");
        return of(
                "client",
                "client-certificate-data: " + base64(certificateAndKey.substring(0, key)) + "\n    client-key-data: "
                        + base64(certificateAndKey.substring(key)));
    }

    private String of(String user, String credentials) {
        String trust = authority.isEmpty() ? "" : "\n    certificate-authority-data: " + base64(authority);
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: devcluster
                  cluster:
                    server: %s%s
                users:
                - name: %s
                  user:
                    %s
                contexts:
                - name: devcluster
                  context:
                    cluster: devcluster
                    user: %s
                    namespace: default
                current-context: devcluster
                """.formatted(url, trust, user, credentials, user);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes a kubeconfig to a file that only its owner can read: all of it, or none. */
    static void write(String kubeconfig, Path file) {
        try {
            // Only its owner can read it. Beside the file, since nothing else can become it at once.
            Path made =
                    Files.createTempFile(file.toAbsolutePath().resolveSibling(""), "." + file.getFileName(), ".new");
            try {
                Files.writeString(made, kubeconfig);
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the kubeconfig cannot be written to " + file, e);
        }
    }
}
