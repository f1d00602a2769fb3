package dev.kopf4j.devcluster.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
