package dev.kopf4j.devcluster.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.webhook.CaBundle;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * The authorities of conversion webhooks: {@code allowInvalidCABundle} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
 */
class CaBundlesOfDefinitionsTest {
    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBdjCCARugAwIBAgIUFkmtu8bA4tkvHyLu6tlRCf6/FT8wCgYIKoZIzj0EAwIw
            DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjIyMDM1MzlaGA8yMTI2MTAyOTIwMzUz
            OVowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEA+
            rJrggNPvr+6bwk3iilBWyGn+qLslzHRCTFNDBambhRYNmv3YLGc8AICJxgnRQ3K9
            xk17Fz9kgSFMIA0w7LqjUzBRMB0GA1UdDgQWBBQuXmO0BgUxzsrsoe+dWvqaPByt
            XzAfBgNVHSMEGDAWgBQuXmO0BgUxzsrsoe+dWvqaPBytXzAPBgNVHRMBAf8EBTAD
            AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDy65Rqtg+LyEIiJ/8JvSOvI4Wi1RNZeUO9
            X8+CSrqthAIhALWBEthweaGU0W4SL+1IPkuKY7qix0H9fjQmUbdt4P24
            -----END CERTIFICATE-----
            """;
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String WHERE = "spec.conversion.webhookClientConfig.caBundle: Invalid value: []byte{0x78}: ";
    private static final String UNUSABLE = "unable to load root certificates: unable to parse bytes as PEM block";
    private final InMemory cluster = new InMemory(options -> options);

    private static String encoded(String bundle) {
        return Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String definition(String bundle) {
        return """
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  conversion:
                    strategy: Webhook
                    webhook:
                      conversionReviewVersions: [v1]
                      clientConfig: {url: "https://localhost:8443/convert", caBundle: "%s"}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """.formatted(encoded(bundle));
    }

    private ApiResponse patch(String bundle) {
        return cluster.send(
                "PATCH",
                DEFINITIONS + "/boxes.kopf.dev",
                "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"" + encoded(bundle)
                        + "\"}}}}}");
    }

    private String established() {
        JsonNode conditions = cluster.get(DEFINITIONS + "/boxes.kopf.dev").at("/status/conditions");
        return conditions
                .valueStream()
                .filter(each -> Json.string(each, "type").equals("Established"))
                .map(each -> Json.string(each, "status") + " " + Json.string(each, "reason"))
                .findFirst()
                .orElse("");
    }

    @Test
    @Timeout(20)
    void manyBeginningsWithoutAnEndAreReadOnce() {
        String beginnings = "-----BEGIN CERTIFICATE-----\n".repeat(40_000);
        assertThat(CaBundle.problem(encoded(beginnings))).isEqualTo(UNUSABLE);
        assertThat(CaBundle.problem(encoded(beginnings + "-----END X-----\n"))).isEqualTo(UNUSABLE);
        assertThat(CaBundle.problem(encoded(beginnings + CERTIFICATE))).isEmpty();
    }

    @Test
    void aDefinitionWithAnUnusableBundleIsNotEstablishedUntilItIsMended() {
        assertThat(cluster.send("POST", DEFINITIONS, definition("x")).status()).isEqualTo(201);
        assertThat(established()).isEqualTo("False InvalidCABundle");
        assertThat(cluster.send("GET", "/apis/kopf.dev/v1/boxes", "").status()).isEqualTo(404);
        assertThat(patch("y").status()).isEqualTo(200);
        assertThat(patch(CERTIFICATE).status()).isEqualTo(200);
        assertThat(established()).isEqualTo("True InitialNamesAccepted");
        assertThat(cluster.send("GET", "/apis/kopf.dev/v1/boxes", "").status()).isEqualTo(200);
    }

    @Test
    void aUsableBundleIsNotLost() {
        assertThat(cluster.send("POST", DEFINITIONS, definition(CERTIFICATE)).status())
                .isEqualTo(201);
        assertThat(established()).isEqualTo("True InitialNamesAccepted");
        ApiResponse refused = patch("x");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Json.string(Json.parse(InMemory.text(refused)), "message")).endsWith(WHERE + UNUSABLE);
        assertThat(patch("").status()).isEqualTo(200);
    }

    @Test
    void whatIsNoBase64IsRefusedBeforeAnythingElse() {
        String definition = definition("").replace("caBundle: \"\"", "caBundle: \"%%%\"");
        assertThat(cluster.send("POST", DEFINITIONS, definition).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ``                        | ``
            CERT                      | ``
            text before CERT          | ``
            CERTCERT                  | ``
            CERTx                     | ``
            x                         | unable to parse bytes as PEM block
            -----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----\\n | failed to parse certificate: x509: malformed certificate
            -----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----\\n | no valid certificate authority data seen
            -----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----\\nx | unable to parse bytes as PEM block
            """)
    void aBundleHasACertificateOrNothing(String bundle, String problem) {
        String text = bundle.replace("``", "").replace("\\n", "\n");
        String whole = text.startsWith("-----") ? text : text.replace("CERT", CERTIFICATE);
        String expected = problem.equals("``") ? "" : "unable to load root certificates: " + problem;
        assertThat(CaBundle.problem(encoded(whole))).isEqualTo(expected);
    }
}
