package dev.kopf4j.e2e.endurance.process;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** Writes the kubeconfig of an operator. */
final class OperatorKubeconfig {
    private OperatorKubeconfig() {}

    /**
     * Its text.
     *
     * @param administrator where the cluster is
     * @param user how the operator logs in
     */
    static String of(Config administrator, String user) {
        String authority = authority(administrator);
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: trial
                  cluster:
                    server: %s
                    %s
                users:
                - name: operator
                  user:
                    %s
                contexts:
                - name: trial
                  context: {cluster: trial, user: operator, namespace: endurance-a}
                current-context: trial
                """.formatted(
                        administrator.getMasterUrl(),
                        authority.isEmpty() ? "" : "certificate-authority-data: " + authority,
                        user);
    }

    private static String authority(Config administrator) {
        if (administrator.getCaCertData() != null) {
            return administrator.getCaCertData();
        }
        if (administrator.getCaCertFile() == null) {
            return "";
        }
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(administrator.getCaCertFile())));
        } catch (IOException e) {
            throw new UncheckedIOException("the certificate of the cluster's authority cannot be read", e);
        }
    }
}
