package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.certificate.TlsCertificates;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.devcluster.http.HttpFrontend;
import dev.kopf4j.devcluster.journal.DataFolder;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An embedded Kubernetes API server on loopback. Thread-safe.
 *
 * <p>{@code try (DevCluster cluster = DevCluster.start()) { ... }} — everything is in memory and gone with
 * {@link #close}.
 */
public final class DevCluster implements AutoCloseable {
    private final ApiServer server;
    private final SystemTaskScheduler tasks;
    private final HttpFrontend frontend;
    private final String token;

    private DevCluster(Options options) {
        token = options.data()
                .map(folder -> DataFolder.secret(folder, "token", DevCluster::newToken))
                .orElseGet(DevCluster::newToken);
        tasks = new SystemTaskScheduler();
        frontend = HttpFrontend.bind(
                options.port(),
                options.https() ? Optional.of(() -> TlsCertificates.of(options.data())) : Optional.empty(),
                options.requestLog());
        try {
            String authority = options.rootCertificate() ? frontend.authority() : "";
            server = served(new ApiServer(options, tasks, token, authority));
        } catch (RuntimeException e) {
            frontend.close();
            tasks.close();
            throw e;
        }
    }

    private ApiServer served(ApiServer made) {
        try {
            frontend.start(made::handle);
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private static String newToken() {
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /**
     * Begins what takes longest in the start of a cluster with TLS, its certificates, in the background: for programs
     * that have other things to do before they start one. From any thread; does nothing when it was begun already.
     */
    public static void prepare() {
        TlsCertificates.prepare();
    }

    /** A cluster on a free port of loopback, over plain HTTP. */
    public static DevCluster start() {
        return start(Options.defaults());
    }

    /** A cluster as the options say; it is listening when this returns. */
    public static DevCluster start(Options options) {
        DevCluster cluster = new DevCluster(options);
        options.kubeconfigFile().ifPresent(cluster::writeKubeconfig);
        return cluster;
    }

    /** Where it listens, without a trailing slash. */
    public String url() {
        return (frontend.authority().isEmpty() ? "http" : "https") + "://127.0.0.1:" + frontend.port();
    }

    /** The bearer token of the cluster's administrator. */
    public String token() {
        return token;
    }

    /** A kubeconfig for the administrator, as YAML. */
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: devcluster
                  cluster:
                    server: %s%s
                users:
                - name: admin
                  user:
                    token: %s
                contexts:
                - name: devcluster
                  context:
                    cluster: devcluster
                    user: admin
                    namespace: default
                current-context: devcluster
                """.formatted(url(), authorityLine(), token);
    }

    private String authorityLine() {
        String authority = frontend.authority();
        return authority.isEmpty() ? "" : "\n    certificate-authority-data: " + base64(authority);
    }

    /**
     * A kubeconfig for a user of some groups, who shows a certificate that is made by this; as YAML. What he may do is
     * up to RBAC, if that is switched on.
     *
     * @throws IllegalStateException without TLS, which certificates belong to
     */
    public String kubeconfig(String user, String... groups) {
        String pem = frontend.clientCertificate(user, List.of(groups))
                .orElseThrow(() -> new IllegalStateException(
                        "client certificates need TLS: start the cluster with Options.https(true)"));
        int key = pem.indexOf("-----BEGIN PRIVATE KEY");
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: devcluster
                  cluster:
                    server: %s%s
                users:
                - name: client
                  user:
                    client-certificate-data: %s
                    client-key-data: %s
                contexts:
                - name: devcluster
                  context:
                    cluster: devcluster
                    user: client
                    namespace: default
                current-context: devcluster
                """.formatted(url(), authorityLine(), base64(pem.substring(0, key)), base64(pem.substring(key)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The certificate of the authority that signed the server's, as PEM; empty without TLS. */
    public String authority() {
        return frontend.authority();
    }

    /** Writes the kubeconfig to a file that only its owner can read. */
    public void writeKubeconfig(Path file) {
        try {
            Files.deleteIfExists(file);
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            Files.writeString(file, kubeconfig());
        } catch (IOException e) {
            throw new UncheckedIOException("the kubeconfig cannot be written to " + file, e);
        }
    }

    /** Answers a request without a socket. */
    public ApiResponse handle(ApiRequest request) {
        return server.handle(request);
    }

    /** Forgets all versions but the present ones: watches from older ones get 410. */
    public void compact() {
        server.compact();
    }

    /**
     * Creates or updates objects, given as JSON or as YAML of one or more documents; namespaces and custom resource
     * definitions come first. IllegalArgumentException when one is refused, with the server's words.
     */
    public void apply(String manifests) {
        List<ObjectNode> objects = new ArrayList<>();
        YamlReader.documents(manifests).forEach(document -> collect(document, objects));
        objects.sort(java.util.Comparator.comparingInt(DevCluster::rank));
        objects.forEach(object -> new ManifestApplier(server, object, token, tasks::settle).apply());
    }

    private static void collect(JsonNode document, List<ObjectNode> into) {
        if (document.path("items") instanceof ArrayNode items
                && document.path("kind").stringValue("").endsWith("List")) {
            items.forEach(item -> collect(item, into));
        } else if (document instanceof ObjectNode object) {
            into.add(object);
        } else {
            throw new IllegalArgumentException("not a Kubernetes object: " + Json.text(document));
        }
    }

    private static int rank(JsonNode object) {
        return switch (object.path("kind").stringValue("")) {
            case "CustomResourceDefinition" -> 0;
            case "Namespace" -> 1;
            default -> 2;
        };
    }

    /** What goes wrong on demand: rules may be added and removed while the cluster runs. */
    public Faults faults() {
        return server.faults();
    }

    /** What was damaged in the data folder at the start, and what was lost by it; empty when nothing was. */
    public String damage() {
        return server.damage();
    }

    /** Stops listening, ends all watches, and waits for nothing but the disk. */
    @Override
    public void close() {
        frontend.close();
        tasks.close();
        server.close();
    }
}
