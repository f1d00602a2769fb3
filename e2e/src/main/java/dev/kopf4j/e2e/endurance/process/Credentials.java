package dev.kopf4j.e2e.endurance.process;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The files by which operators log in: a token, a kubeconfig that names its file, and one whose plugin prints it and
 * counts how often it is run.
 */
public final class Credentials {
    private final Path folder;

    /**
     * Writes the files.
     *
     * @param administrator where the cluster is
     */
    public Credentials(Path folder, Config administrator, String token) {
        this.folder = folder;
        replace(token);
        write("plugin", plugin(), "rwx------");
        write(
                "kubeconfig-file",
                OperatorKubeconfig.of(administrator, "tokenFile: " + folder.resolve("token")),
                "rw-------");
        write(
                "kubeconfig-exec",
                OperatorKubeconfig.of(
                        administrator, """
                exec:
                      apiVersion: client.authentication.k8s.io/v1
                      interactiveMode: Never
                      command: %s
                """.formatted(folder.resolve("plugin")).strip()),
                "rw-------");
    }

    /** The kubeconfig with the plugin, or the one with the token's file. */
    public Path kubeconfig(boolean plugin) {
        return folder.resolve(plugin ? "kubeconfig-exec" : "kubeconfig-file");
    }

    /** Replaces the token, in one step. */
    public void replace(String token) {
        write("token.new", token, "rw-------");
        try {
            Files.move(
                    folder.resolve("token.new"),
                    folder.resolve("token"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the token cannot be replaced", e);
        }
    }

    /** How often the plugin was run. */
    public long pluginRuns() {
        Path runs = folder.resolve("plugin-runs");
        try {
            return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("the runs of the plugin cannot be read", e);
        }
    }

    private String plugin() {
        return """
                #!/bin/sh
                echo run >> '%1$s/plugin-runs'
                printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%%s"}}' "$(cat '%1$s/token')"
                """.formatted(folder);
    }

    private void write(String name, String text, String permissions) {
        Path file = folder.resolve(name);
        try {
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
    }
}
