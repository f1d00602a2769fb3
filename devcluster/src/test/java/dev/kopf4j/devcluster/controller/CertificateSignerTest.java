package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.certificate.KeyStores;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class CertificateSignerTest {
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final char[] PASSWORD = "password".toCharArray();
    private final Instant start = Instant.now();
    private final Options options = Options.defaults().https(true).rbac(true).manualClock(start);

    /** A pair of keys for each algorithm, made when a test needs it first. */
    @TempDir
    private static Path folder;

    private static void keytool(String algorithm, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:+UseSerialGC",
                "-J-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        command.addAll(
                List.of("-alias", "jane", "-keystore", keyStore(algorithm).toString(), "-storepass", "password"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static Path keyStore(String algorithm) {
        return folder.resolve(algorithm);
    }

    /** A request in base64 for a key of user jane, of the groups team and night shift. */
    private static String request(String algorithm) throws IOException, InterruptedException {
        return request(algorithm, "CN=jane, O=team, O=night shift, L=Berlin");
    }

    private static String request(String algorithm, String subject) throws IOException, InterruptedException {
        if (!Files.exists(keyStore(algorithm))) {
            List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-keyalg", algorithm, "-dname", "CN=jane"));
            if (algorithm.equals("RSA")) {
                arguments.addAll(List.of("-keysize", "2048")); // longer ones take seconds
            }
            keytool(algorithm, arguments);
        }
        Path file = folder.resolve(algorithm + " of " + subject);
        if (!Files.exists(file)) {
            keytool(algorithm, List.of("-certreq", "-dname", subject, "-file", file.toString()));
        }
        String pem = Files.readString(file).replace("NEW CERTIFICATE", "CERTIFICATE");
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static PrivateKey key(String algorithm) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(keyStore(algorithm).toFile(), PASSWORD);
        return (PrivateKey) keys.getKey("jane", PASSWORD);
    }

    private static JsonNode send(DevCluster cluster, String method, String target, String body) {
        Map<String, String> headers = Map.of(
                "authorization",
                "Bearer " + cluster.token(),
                "content-type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/yaml");
        ApiResponse response =
                cluster.handle(ApiRequest.of(method, target, headers, body.getBytes(StandardCharsets.UTF_8)));
        cluster.advance(Duration.ZERO);
        JsonNode answer = Json.parse(((ApiResponse.Whole) response.body()).bytes());
        assertThat(response.status()).as(answer.toString()).isLessThan(300);
        return answer;
    }

    private static void create(DevCluster cluster, String request, String more) {
        send(cluster, "POST", REQUESTS, """
                metadata: {name: jane}
                spec: {signerName: kubernetes.io/kube-apiserver-client, request: '%s', %s}
                """.formatted(request, more));
    }

    private static JsonNode approve(DevCluster cluster) {
        send(cluster, "PATCH", REQUESTS + "/jane/approval", """
                {"status": {"conditions": [{"type": "Approved", "status": "True", "reason": "Test"}]}}""");
        return send(cluster, "GET", REQUESTS + "/jane", "").path("status");
    }

    private static X509Certificate certificate(JsonNode status) throws IOException, GeneralSecurityException {
        byte[] pem = Base64.getDecoder().decode(Json.string(status, "certificate"));
        return PemReader.certificates("status", new String(pem, StandardCharsets.US_ASCII))
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void whoHasAnApprovedRequestIsKnownByItsCertificate(String algorithm) throws Exception {
        try (DevCluster cluster = DevCluster.start(options)) {
            create(cluster, request(algorithm), "usages: [client auth, digital signature]");
            assertThat(send(cluster, "GET", REQUESTS + "/jane", "").at("/status/certificate"))
                    .isEmpty();
            X509Certificate certificate = certificate(approve(cluster));
            assertThat(certificate.getSubjectX500Principal().getName())
                    .isEqualTo("CN=jane,O=team,O=night shift,L=Berlin");
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    KeyStores.showing("jane", List.of(certificate), key(algorithm)),
                    KeyStores.trusting(PemReader.certificates("ca", cluster.authority()))
                            .getTrustManagers(),
                    null);
            try (HttpClient jane = HttpClient.newBuilder().sslContext(context).build()) {
                HttpRequest review = HttpRequest.newBuilder(
                                URI.create(cluster.url() + "/apis/authentication.k8s.io/v1/selfsubjectreviews"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"))
                        .build();
                assertThat(jane.send(review, BodyHandlers.ofString()).body())
                        .contains("\"username\":\"jane\"", "\"team\"", "\"night shift\"");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 365d", "expirationSeconds: 3600, 1h", "expirationSeconds: 99999999, 365d"})
    void aCertificateEndsWhenTheRequestSaysButWithinAYear(String wanted, String validity) throws Exception {
        try (DevCluster cluster = DevCluster.start(options)) {
            create(cluster, request("EC"), "usages: [client auth, key encipherment]," + wanted);
            X509Certificate certificate = certificate(approve(cluster));
            Duration valid = validity.equals("1h") ? Duration.ofHours(1) : Duration.ofDays(365);
            assertThat(certificate.getNotAfter().toInstant())
                    .isBetween(start.plus(valid).minusSeconds(1), start.plus(valid));
            assertThat(certificate.getKeyUsage()).startsWith(true, false, true);
            assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'client auth, server auth', invalid usage for client certificate: server auth",
        "digital signature, missing required usage for client certificate: client auth"
    })
    void requestsForOtherUsagesFail(String usages, String problem) throws Exception {
        try (DevCluster cluster = DevCluster.start(options)) {
            create(cluster, request("EC"), "usages: [%s]".formatted(usages));
            JsonNode status = approve(cluster);
            assertThat(status.has("certificate")).isFalse();
            JsonNode failed = status.at("/conditions/1");
            assertThat(Json.string(failed, "type")).isEqualTo("Failed");
            assertThat(Json.string(failed, "reason")).isEqualTo("SignerValidationFailure");
            assertThat(Json.string(failed, "message")).isEqualTo(problem);
        }
    }

    /** The answer to somebody else than the administrator. */
    private static ApiResponse sendAs(DevCluster cluster, String user, String method, String target, String body) {
        Map<String, String> headers = Map.of(
                "authorization",
                "Bearer " + cluster.token(),
                "impersonate-user",
                user,
                "content-type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/yaml");
        return cluster.handle(ApiRequest.of(method, target, headers, body.getBytes(StandardCharsets.UTF_8)));
    }

    private static void allow(DevCluster cluster, String user, String name, String rule) {
        String group = "/apis/rbac.authorization.k8s.io/v1/";
        send(cluster, "POST", group + "clusterroles", "metadata: {name: %s}\nrules: [%s]".formatted(name, rule));
        send(cluster, "POST", group + "clusterrolebindings", """
                metadata: {name: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}]
                """.formatted(name, name, user));
    }

    @Test
    void whoApprovesOrSignsNeedsTheRightToDoItForTheSigner() throws Exception {
        String approval = """
                {"status": {"conditions": [{"type": "Approved", "status": "True", "reason": "Test"}]}}""";
        String failure = """
                {"status": {"conditions": [{"type": "Failed", "status": "True", "reason": "Test"}]}}""";
        try (DevCluster cluster = DevCluster.start(options)) {
            create(cluster, request("EC"), "usages: [client auth]");
            allow(cluster, "eve", "requests", """
                    {apiGroups: [certificates.k8s.io], verbs: ['*'],
                     resources: [certificatesigningrequests, certificatesigningrequests/approval, certificatesigningrequests/status]}""");
            ApiResponse refused = sendAs(cluster, "eve", "PATCH", REQUESTS + "/jane/approval", approval);
            assertThat(refused.status()).isEqualTo(403);
            assertThat(new String(((ApiResponse.Whole) refused.body()).bytes(), StandardCharsets.UTF_8))
                    .contains("user not permitted to approve requests with signerName"
                            + " \\\"kubernetes.io/kube-apiserver-client\\\"");
            assertThat(sendAs(cluster, "eve", "PATCH", REQUESTS + "/jane/status", failure)
                            .status())
                    .isEqualTo(403);
            allow(cluster, "eve", "signers", """
                    {apiGroups: [certificates.k8s.io], verbs: [approve, sign], resources: [signers],
                     resourceNames: ['kubernetes.io/*']}""");
            assertThat(sendAs(cluster, "eve", "PATCH", REQUESTS + "/jane/approval", approval)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void nobodyBecomesAMasterByACertificate() throws Exception {
        String encoded = request("EC", "CN=jane, O=system:masters");
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            for (String signer : List.of("kubernetes.io/kube-apiserver-client", "example.com/other")) {
                ApiResponse answer = cluster.handle(ApiRequest.of(
                        "POST", REQUESTS, Map.of("content-type", "application/yaml"), """
                        metadata: {name: jane}
                        spec: {signerName: '%s', request: '%s', usages: [client auth]}
                        """.formatted(signer, encoded)
                                .getBytes(StandardCharsets.UTF_8)));
                assertThat(answer.status()).isEqualTo(signer.startsWith("kubernetes") ? 403 : 201);
            }
        }
    }

    @Test
    void aClusterWithoutTlsHasNothingToSignWith() throws Exception {
        try (DevCluster cluster = DevCluster.start(Options.defaults().manualClock(start))) {
            create(cluster, request("EC"), "usages: [client auth]");
            assertThat(approve(cluster).has("certificate")).isFalse();
        }
    }
}
