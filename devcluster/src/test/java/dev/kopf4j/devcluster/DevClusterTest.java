package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DevClusterTest {
    private static final String MANIFESTS = """
            apiVersion: kopf.dev/v1
            kind: Example
            metadata: {name: one, namespace: default}
            spec: {size: 1}
            ---
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: examples.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {plural: examples, kind: Example}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @Test
    void listensWhenStartedAndServesWhatIsApplied() throws IOException, InterruptedException {
        try (DevCluster cluster = DevCluster.start();
                HttpClient client = HttpClient.newHttpClient()) {
            cluster.apply(MANIFESTS);
            String place = cluster.url() + "/apis/kopf.dev/v1/namespaces/default/examples/one";
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(place)).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).contains("\"size\":1", "\"generation\":1");
        }
    }

    /** YAML refuses a colon on the next line. What begins like JSON may be several objects, or YAML. */
    @Test
    void appliesJsonAndWhatBeginsLikeJson() {
        String map = """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata"
                : {"name": "one"}}""";
        String braces = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}\n---\n";
        try (DevCluster cluster = DevCluster.start()) {
            cluster.apply(map);
            cluster.apply(braces.formatted("two") + braces.formatted("three"));
            for (String name : List.of("one", "two", "three")) {
                String path = "/api/v1/namespaces/default/configmaps/" + name;
                ApiResponse response = cluster.handle(ApiRequest.of("GET", path, Map.of(), new byte[0]));
                assertThat(response.status()).as(name).isEqualTo(200);
            }
        }
    }

    @Test
    void appliesTheSameManifestsTwice() {
        try (DevCluster cluster = DevCluster.start()) {
            cluster.apply(MANIFESTS);
            JsonNode first = example(cluster);
            cluster.apply(MANIFESTS);
            assertThat(example(cluster)).isEqualTo(first);
        }
    }

    @Test
    void changesObjectsThatAreThere() {
        try (DevCluster cluster = DevCluster.start()) {
            cluster.apply(MANIFESTS);
            JsonNode first = example(cluster);
            cluster.apply(MANIFESTS.replace("size: 1", "size: 2"));
            JsonNode changed = example(cluster);
            assertThat(changed.path("spec").path("size").intValue()).isEqualTo(2);
            assertThat(metadata(changed, "uid")).isNotEmpty().isEqualTo(metadata(first, "uid"));
        }
    }

    private static JsonNode example(DevCluster cluster) {
        String place = "/apis/kopf.dev/v1/namespaces/default/examples/one";
        ApiResponse response = cluster.handle(ApiRequest.of("GET", place, Map.of(), new byte[0]));
        assertThat(response.status()).isEqualTo(200);
        return Json.parse(((ApiResponse.Whole) response.body()).bytes());
    }

    private static String metadata(JsonNode object, String field) {
        return Json.string(object, "metadata", field);
    }

    @Test
    void refusesManifestsOfUnknownKindsWithAWayOut() {
        try (DevCluster cluster = DevCluster.start()) {
            assertThatThrownBy(() -> cluster.apply("{apiVersion: a.b/v1, kind: Nosuch, metadata: {name: x}}"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Nosuch x")
                    .hasMessageContaining("apply its CustomResourceDefinition too");
        }
    }

    @Test
    void leavesOutUnknownKindsIfAskedTo() {
        try (DevCluster cluster = DevCluster.start()) {
            assertThat(cluster.applyKnown("{apiVersion: a.b/v1, kind: Nosuch, metadata: {name: x}}\n---\n" + MANIFESTS))
                    .singleElement()
                    .asString()
                    .contains("Nosuch x", "does not know");
            assertThatThrownBy(() -> cluster.applyKnown("{apiVersion: v1, kind: ConfigMap, metadata: {name: X_Y}}"))
                    .hasMessageContaining("X_Y");
        }
    }

    @Test
    void refusesBodiesBeyondTheLimit() throws IOException, InterruptedException {
        try (DevCluster cluster = DevCluster.start();
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(cluster.url() + "/api/v1/namespaces/default/configmaps"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[(3 << 20) + 1]))
                    .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()))
                    .returns(413, HttpResponse::statusCode);
        }
    }

    @Test
    void writesAKubeconfigThatOnlyItsOwnerCanRead(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("kubeconfig");
        try (DevCluster cluster = DevCluster.start(Options.defaults().kubeconfigFile(file))) {
            assertThat(Files.readString(file)).contains(cluster.url(), cluster.token());
            assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        }
    }

    @Test
    void aClusterWhoseKubeconfigCannotBeWrittenLeavesItsDataToTheNext(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Options options = Options.defaults().data(folder.resolve("data"));
        assertThatThrownBy(() -> DevCluster.start(options.kubeconfigFile(file.resolve("kubeconfig"))))
                .isInstanceOf(RuntimeException.class);
        DevCluster.start(options).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.2", "::1"})
    void whatListensAtOneAddressOnlyIsReachedAtIt(String literal) throws Exception {
        InetAddress address = InetAddress.ofLiteral(literal);
        assumeTrue(canBeListenedAt(address), "not on this machine");
        Options options = Options.defaults().address(address);
        try (DevCluster cluster = DevCluster.start(options.https(true));
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(trusting(cluster.authority()))
                        .build()) {
            assertThat(cluster.kubeconfig()).contains("server: " + cluster.url());
            HttpRequest health = HttpRequest.newBuilder(URI.create(cluster.url() + "/readyz"))
                    .build();
            assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()))
                    .returns(200, HttpResponse::statusCode);
        }
        assertThat(options.names(List.of("example")).names()).containsExactly("example");
        assertThat(Options.defaults().names()).isEmpty();
    }

    private static boolean canBeListenedAt(InetAddress address) {
        try (ServerSocket _ = new ServerSocket(0, 1, address)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** As a file looks after a loss of power; a line break is none of a token either. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\0\0\0\0", "\u00ff\u00fe\u0080", "abc\n"})
    void aDamagedTokenIsReplaced(String left, @TempDir Path folder) throws IOException {
        Options options = Options.defaults().data(folder);
        DevCluster.start(options).close();
        Files.writeString(folder.resolve("token"), left, StandardCharsets.ISO_8859_1);
        String token;
        try (DevCluster cluster = DevCluster.start(options)) {
            token = cluster.token();
            assertThat(token).hasSize(32);
        }
        try (DevCluster cluster = DevCluster.start(options)) {
            assertThat(cluster.token()).isEqualTo(token);
        }
    }

    @Test
    void whoseDataIsInUseChangesNothingThere(@TempDir Path folder) throws IOException {
        try (DevCluster first = DevCluster.start(Options.defaults().data(folder))) {
            Files.delete(folder.resolve("token")); // as if the second one had come a moment earlier
            assertThatThrownBy(() ->
                            DevCluster.start(Options.defaults().data(folder).https(true)))
                    .hasMessageContaining("another dev cluster is using it");
            assertThat(folder.resolve("token")).doesNotExist();
            assertThat(folder.resolve("authority.pem")).doesNotExist();
            assertThat(first.token()).isNotEmpty();
        }
    }

    @Test
    void rbacThatALaterOptionWouldTakeAwayIsRefused() {
        Options guarded = Options.defaults().rbac(true);
        assertThatThrownBy(() -> DevCluster.start(guarded.authentication(false)).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("rbac(true)", "authentication(false)", "administrator", "rbac(false)");
        assertThatThrownBy(() -> DevCluster.start(
                                Options.defaults().alwaysAllow(true).rbac(false))
                        .close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("alwaysAllow(true)", "rbac(false)");
        DevCluster.start(guarded.rbac(false).authentication(false)).close();
    }

    @Test
    void whoReachesItFromElsewhereNeedsTlsAndCredentials() throws Exception {
        Options open =
                Options.defaults().address(InetAddress.ofLiteral("0.0.0.0")).names(List.of("cluster.test"));
        assertThatThrownBy(() -> DevCluster.start(open.https(false))).hasMessageContaining("needs TLS and credentials");
        assertThatThrownBy(() -> DevCluster.start(open.authentication(false)))
                .hasMessageContaining("needs TLS and credentials");
        try (DevCluster cluster = DevCluster.start(open);
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(trusting(cluster.authority()))
                        .build()) {
            assertThat(cluster.url()).startsWith("https://cluster.test:");
            assertThat(cluster.kubeconfig()).contains("server: " + cluster.url());
            URI place = URI.create(cluster.url().replace("cluster.test", "127.0.0.1") + "/api/v1/namespaces");
            HttpRequest.Builder request = HttpRequest.newBuilder(place);
            HttpResponse<String> refused = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(401);
            HttpRequest health =
                    HttpRequest.newBuilder(place.resolve("/readyz")).build();
            assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()))
                    .returns(200, HttpResponse::statusCode);
            request.header("Authorization", "Bearer " + cluster.token());
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            var certificate =
                    (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
            assertThat(certificate.getSubjectAlternativeNames().toString()).contains("cluster.test", "127.0.0.1");
        }
    }

    @Test
    void aFurtherNameMayBeAWildcardOfTheCertificate() throws Exception {
        Options named = Options.defaults().https(true).names(List.of("cluster.test", "*.kube.test"));
        try (DevCluster cluster = DevCluster.start(named)) {
            assertThat(cluster.url()).startsWith("https://cluster.test:");
            int port = URI.create(cluster.url()).getPort();
            SSLContext context = trusting(cluster.authority());
            for (String name : List.of("cluster.test", "any.kube.test")) {
                shakeHands(context, port, name);
            }
            assertThatThrownBy(() -> shakeHands(context, port, "any.other.test"))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("any.other.test");
        }
    }

    /** As a client does that reaches the server by this name. */
    private static void shakeHands(SSLContext context, int port, String name) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                var secured = (SSLSocket) context.getSocketFactory().createSocket(socket, name, port, true)) {
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
        }
    }

    private static SSLContext trusting(String authority) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        var pem = new ByteArrayInputStream(authority.getBytes(StandardCharsets.UTF_8));
        store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
