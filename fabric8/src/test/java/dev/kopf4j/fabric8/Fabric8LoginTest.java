package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins by OpenID Connect, as kubeconfigs describe them. */
class Fabric8LoginTest {
    private final Fabric8Integration integration = new Fabric8Integration();
    private final String fresh = token(Instant.now().plusSeconds(3600));

    @TempDir
    private Path folder;

    private static String token(Instant expiration) {
        String head = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        String claims = "{\"exp\":" + expiration.getEpochSecond() + "}";
        return head + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".x";
    }

    private Path kubeconfig(String provider, String token) throws IOException {
        return Files.writeString(folder.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: me}}]
                clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]
                users:
                  - name: me
                    user:
                      auth-provider:
                        name: %s
                        config:
                          client-id: id
                          client-secret: secret
                          id-token: %s
                          refresh-token: r1
                          idp-issuer-url: https://identity.example
                """.formatted(provider, token));
    }

    @Test
    void tokensThatAreValidAreTaken() throws Exception {
        assertThat(integration.token(kubeconfig("oidc", fresh), "me")).contains(fresh);
    }

    @Test
    void tokensThatHaveExpiredNeedAnAuthorityToBeRenewed() throws Exception {
        Path file = kubeconfig("oidc", token(Instant.now().minusSeconds(60)));
        assertThatThrownBy(() -> integration.token(file, "me"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the id-token has expired");
    }

    @Test
    void otherProvidersAndUsersAreLeftToOthers() throws Exception {
        assertThat(integration.token(kubeconfig("gcp", fresh), "me")).isEmpty();
        assertThat(integration.token(kubeconfig("oidc", fresh), "somebody")).isEmpty();
    }
}
