package dev.kopf4j.e2e;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A dev cluster in this JVM that can be started again at its address. What the test itself asks of it goes without a
 * socket.
 */
final class TestCluster implements AutoCloseable {
    private static final String EXAMPLES = "/apis/kopf.dev/v1/namespaces/%s/kopfexamples";
    private static final String DEFINITION = manifest("examples/01-minimal/crd.yaml");

    private final Options options;
    private DevCluster running;

    private TestCluster(Options options) {
        this.options = options;
        this.running = DevCluster.start(options);
    }

    /** A cluster that knows the resource of the examples. */
    static TestCluster start(Options options) {
        TestCluster cluster = new TestCluster(options);
        cluster.define();
        return cluster;
    }

    /** The text of a file of the repository. */
    static String manifest(String file) {
        try {
            return Files.readString(Kopf4j.ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The running one; another one after each restart. */
    DevCluster cluster() {
        return running;
    }

    /** Stops it: clients find nobody at its address. */
    void stop() {
        running.close();
    }

    /** Starts it again at its old address, with what its data folder holds. */
    void startAgain() {
        int port = URI.create(running.url()).getPort();
        running = DevCluster.start(options.port(port));
    }

    /** Writes the kubeconfig of the administrator to a file, in one step. */
    Path writeKubeconfig(Path file) {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        running.writeKubeconfig(made);
        try {
            return Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void define() {
        running.apply(DEFINITION);
    }

    JsonNode send(String method, String target, String body) {
        ApiResponse response = running.handle(ApiRequest.of(
                method,
                target,
                Map.of("Authorization", "Bearer " + running.token(), "Content-Type", contentType(method)),
                body.getBytes(StandardCharsets.UTF_8)));
        return switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> JsonMapper.shared().readTree(bytes);
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> joined(pieces);
            default -> throw new AssertionError(method + " " + target + " gave " + response);
        };
    }

    private static JsonNode joined(Iterable<byte[]> pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        pieces.forEach(all::writeBytes);
        return JsonMapper.shared().readTree(all.toByteArray());
    }

    private static String contentType(String method) {
        return method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    }

    /** What is done has to succeed: the object, or the status of success. */
    private JsonNode change(String method, String target, String body) {
        JsonNode answer = send(method, target, body);
        if (answer.path("status").asString("").equals("Failure")) {
            throw new AssertionError(method + " " + target + " was refused: " + answer);
        }
        return answer;
    }

    void createNamespace(String name) {
        change("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    void createExample(String namespace, String name) {
        String body = """
                {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":"%s"},"spec":{"field":"value"}}\
                """.formatted(name);
        change("POST", EXAMPLES.formatted(namespace), body);
    }

    void changeExample(String namespace, String name, String field) {
        change("PATCH", example(namespace, name), "{\"spec\":{\"field\":\"" + field + "\"}}");
    }

    void delete(String path) {
        change("DELETE", path, "");
    }

    /** The object; or a status if there is none. */
    JsonNode get(String path) {
        return send("GET", path, "");
    }

    boolean isGone(String path) {
        return get(path).path("code").asInt(0) == 404;
    }

    /** Whether an operator has stored that it has handled this value of the example's field. */
    boolean isHandled(String namespace, String name, String field) {
        return get(example(namespace, name))
                .at("/metadata/annotations/kopf.zalando.org~1last-handled-configuration")
                .asString("")
                .contains("\"field\":\"" + field + "\"");
    }

    static String example(String namespace, String name) {
        return EXAMPLES.formatted(namespace) + "/" + name;
    }

    @Override
    public void close() {
        running.close();
    }
}
