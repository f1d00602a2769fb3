package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
        return kubeconfig(provider, token, "https://identity.example", "");
    }

    private Path kubeconfig(String provider, String token, String issuer, String more) throws IOException {
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
                          idp-issuer-url: %s
                          %s
                """.formatted(provider, token, issuer, more));
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
    void tokensThatHaveExpiredAreRenewedByTheirProvider() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpsServer provider = IdentityProvider.start(fresh, asked::add);
        try {
            String authority = "idp-certificate-authority-data: " + IdentityProvider.authority();
            Path file = kubeconfig(
                    "oidc", token(Instant.now().minusSeconds(60)), IdentityProvider.url(provider), authority);
            assertThat(integration.token(file, "me")).contains(fresh);
            assertThat(asked).singleElement().asString().contains("grant_type=refresh_token", "refresh_token=r1");
        } finally {
            provider.stop(0);
        }
    }

    @Test
    void providersOfAnotherAuthorityAreNotTrusted() throws Exception {
        HttpsServer provider = IdentityProvider.start(fresh, form -> {});
        try {
            String other = "idp-certificate-authority-data: " + IdentityProvider.otherAuthority();
            Path file =
                    kubeconfig("oidc", token(Instant.now().minusSeconds(60)), IdentityProvider.url(provider), other);
            assertThatThrownBy(() -> integration.token(file, "me"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("gives no token");
        } finally {
            provider.stop(0);
        }
    }

    @Test
    void otherProvidersAndUsersAreLeftToOthers() throws Exception {
        assertThat(integration.token(kubeconfig("gcp", fresh), "me")).isEmpty();
        assertThat(integration.token(kubeconfig("oidc", fresh), "somebody")).isEmpty();
    }
}
