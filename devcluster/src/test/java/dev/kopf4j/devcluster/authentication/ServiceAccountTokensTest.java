package dev.kopf4j.devcluster.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ServiceAccountTokensTest {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

    private final InMemory cluster = new InMemory(options -> options.authentication(true));

    private String tokenOfNewAccount() {
        assertThat(cluster.send("POST", ACCOUNTS, "metadata: {name: a}").status())
                .isEqualTo(201);
        return cluster.json("POST", ACCOUNTS + "/a/token", "spec: {expirationSeconds: 3600}")
                .at("/status/token")
                .asString();
    }

    /** Whoever renews one within a second sees by that that it is new. */
    @Test
    void haveIdsOfTheirOwn() {
        String token = tokenOfNewAccount();
        assertThat(cluster.json("POST", ACCOUNTS + "/a/token", "spec: {expirationSeconds: 3600}")
                        .at("/status/token")
                        .asString())
                .isNotEqualTo(token);
        JsonNode review = Json.parse(InMemory.text(cluster.send(
                "POST",
                "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                "{kind: SelfSubjectReview, apiVersion: authentication.k8s.io/v1}",
                Map.of("authorization", "Bearer " + token))));
        assertThat(review.at("/status/userInfo/extra/authentication.kubernetes.io~1credential-id/0")
                        .asString())
                .matches("JTI=[0-9a-f-]{36}");
    }

    private int status(String token) {
        return cluster.send("GET", ACCOUNTS, "", Map.of("authorization", "Bearer " + token))
                .status();
    }

    @Test
    void areRefusedWhenTheyHaveExpired() {
        String token = tokenOfNewAccount();
        assertThat(status(token)).isEqualTo(200);
        cluster.server().faults().clockOffset(Duration.ofHours(2));
        assertThat(status(token)).isEqualTo(401);
    }

    @Test
    void areRefusedWhenTheirAccountWasDeletedEvenIfThereIsAnotherOneOfItsName() {
        String old = tokenOfNewAccount();
        cluster.send("DELETE", ACCOUNTS + "/a", "");
        assertThat(status(old)).isEqualTo(401);
        String fresh = tokenOfNewAccount();
        assertThat(status(fresh)).isEqualTo(200);
        assertThat(status(old)).isEqualTo(401);
    }

    private static final String SECRETS = "/api/v1/namespaces/default/secrets";

    private String tokenOfSecret() {
        return new String(
                java.util.Base64.getDecoder()
                        .decode(cluster.json("GET", SECRETS + "/a-token", "")
                                .at("/data/token")
                                .asString("")),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    private void createSecret() {
        cluster.send("POST", SECRETS, """
                metadata: {name: a-token, annotations: {kubernetes.io/service-account.name: a}}
                type: kubernetes.io/service-account-token
                """);
    }

    @Test
    void ofSecretsAreThereAndHoldAsLongAsTheSecretHasThem() {
        cluster.send("POST", ACCOUNTS, "metadata: {name: a}");
        createSecret();
        String token = tokenOfSecret();
        assertThat(status(token)).isEqualTo(200);
        assertThat(cluster.json("GET", SECRETS + "/a-token", "")
                        .at("/data/namespace")
                        .asString())
                .isEqualTo("ZGVmYXVsdA==");
        cluster.server().faults().clockOffset(Duration.ofDays(1000));
        assertThat(status(token)).isEqualTo(200);
        cluster.send(
                "PATCH",
                SECRETS + "/a-token",
                "{\"data\":{\"token\":null}}",
                Map.of("content-type", "application/merge-patch+json"));
        assertThat(tokenOfSecret()).isNotEmpty();
        cluster.send("DELETE", SECRETS + "/a-token", "");
        assertThat(status(token)).isEqualTo(401);
    }

    @Test
    void ofSecretsGoWithTheirAccount() {
        createSecret();
        assertThat(cluster.send("GET", SECRETS + "/a-token", "").status()).isEqualTo(404);
        cluster.send("POST", ACCOUNTS, "metadata: {name: a}");
        createSecret();
        String token = tokenOfSecret();
        cluster.send("DELETE", ACCOUNTS + "/a", "");
        assertThat(cluster.send("GET", SECRETS + "/a-token", "").status()).isEqualTo(404);
        assertThat(status(token)).isEqualTo(401);
    }
}
