package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.OperatorAccount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster that somebody else has started, on this machine, asked and changed by {@code kubectl} as its administrator.
 * The objects of earlier measurements are deleted first; definitions and accounts stay.
 */
final class RealServer implements MeasuredServer {
    private static final Pattern PATCHES = Pattern.compile(
            "apiserver_request_total\\{[^}]*resource=\"samples\"[^}]*verb=\"(?:PATCH|APPLY)\"[^}]*} (\\S+)");
    private static final String ADMINISTRATOR = """
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: kopf4j-benchmark, namespace: default}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: kopf4j-benchmark}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
            subjects: [{kind: ServiceAccount, name: kopf4j-benchmark, namespace: default}]
            """;

    private final String kubeconfig;
    private final ServerAddress address;

    /**
     * Prepares the cluster.
     *
     * @throws IllegalArgumentException if the server is elsewhere: the load trusts each certificate, and spares nobody
     */
    RealServer(String kubeconfig, boolean statusSubresource) {
        this.kubeconfig = kubeconfig;
        URI url = URI.create(
                kubectl("", "config", "view", "--minify", "--output=jsonpath={.clusters[0].cluster.server}"));
        if (!isOnThisMachine(url)) {
            throw new IllegalArgumentException("--server takes a cluster on this machine, not " + url);
        }
        kubectl("", "delete", "crd", "--ignore-not-found", "samples.bench.kopf4j.dev", "warmups.bench.kopf4j.dev");
        kubectl(
                SampleObjects.definitions(statusSubresource) + "---\n" + OperatorAccount.MANIFESTS + ADMINISTRATOR,
                "apply",
                "--filename=-");
        kubectl(
                "",
                "wait",
                "--for=condition=established",
                "crd/samples.bench.kopf4j.dev",
                "crd/warmups.bench.kopf4j.dev");
        String operatorToken = kubectl("", "create", "token", "--namespace=default", OperatorAccount.NAME);
        String token = kubectl("", "create", "token", "--namespace=default", "kopf4j-benchmark");
        this.address = new ServerAddress(
                url, token, operatorToken, kubeconfigOf(url, operatorToken).toString());
    }

    private static boolean isOnThisMachine(URI url) {
        try {
            return InetAddress.getByName(url.getHost()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private Path kubeconfigOf(URI url, String token) {
        String authority = kubectl(
                "",
                "config",
                "view",
                "--raw",
                "--flatten",
                "--minify",
                "--output=jsonpath={.clusters[0].cluster.certificate-authority-data}");
        try {
            Path file = Files.createTempFile("kopf4j-benchmark", ".kubeconfig");
            file.toFile().deleteOnExit();
            Files.writeString(file, """
                    apiVersion: v1
                    kind: Config
                    current-context: it
                    clusters: [{name: it, cluster: {server: "%s", certificate-authority-data: "%s"}}]
                    users: [{name: it, user: {token: "%s"}}]
                    contexts: [{name: it, context: {cluster: it, user: it}}]
                    """.formatted(url, authority, token));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String kubectl(String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " has failed; its error is above");
            }
            return output.strip();
        } catch (IOException e) {
            throw new UncheckedIOException("kubectl is needed for --server", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for kubectl", e);
        }
    }

    @Override
    public ServerAddress address() {
        return address;
    }

    @Override
    public long patches() {
        Matcher counts = PATCHES.matcher(kubectl("", "get", "--raw", "/metrics"));
        double sum = 0;
        while (counts.find()) {
            sum += Double.parseDouble(counts.group(1));
        }
        return Math.round(sum);
    }

    @Override
    public void close() {
        kubectl("", "delete", "crd", "--ignore-not-found", "samples.bench.kopf4j.dev", "warmups.bench.kopf4j.dev");
    }
}
