package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kopf4j.Body;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.Patch;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an operator logs of Secrets when it tells everything. */
class LoggedSecretsTest {
    private static final Logger OBJECTS = (Logger) LoggerFactory.getLogger("kopf4j.objects");

    static class Tokens {
        @OnCreate("secrets")
        void create(Patch patch) {
            patch.set("stringData.token", "made-by-handler");
        }

        @OnUpdate("secrets")
        void update(Patch patch) {
            patch.transform(object -> object.put("stringData", Map.of("token", "made-by-transformation")));
        }
    }

    static class Careless {
        @OnCreate("secrets")
        void create(Patch patch) {
            patch.set("data.token", "not base64!");
        }
    }

    static class Generous {
        @OnCreate("secrets")
        Map<String, Object> got(Body body, Patch patch) {
            patch.annotation(
                    "example.com/copy", String.valueOf(body.getMap("data").get("key")));
            return body.getMap("data");
        }
    }

    @BeforeAll
    static void tellEverything() {
        OBJECTS.setLevel(Level.DEBUG);
    }

    @AfterAll
    static void tellLess() {
        OBJECTS.setLevel(null);
    }

    @Test
    @KopfTest(value = Tokens.class, time = TestTime.VIRTUAL)
    void keysAreLoggedAndValuesAreNot(TestedOperator operator, KubernetesClient client) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("x")
                .addToAnnotations(
                        "kubectl.kubernetes.io/last-applied-configuration", "{\"data\":{\"key\":\"swordfish\"}}")
                .endMetadata()
                .addToStringData("key", "swordfish")
                .build();
        operator.awaitHandled(client.resource(secret).create());
        client.secrets()
                .withName("x")
                .edit(old ->
                        new SecretBuilder(old).addToStringData("key", "sesame").build());
        operator.awaitHandled(secret);
        assertThat(operator.output())
                .contains("Creation is in progress: {", "Updating diff: ", "Merge-patching the resource with: {")
                .contains("JSON-patching the resource with: [", "key", "token", "hidden");
        for (String value : new String[] {"swordfish", "sesame", "made-by-handler", "made-by-transformation"}) {
            assertThat(operator.output())
                    .doesNotContain(value)
                    .doesNotContain(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** A Secret has no status: the server drops the result, of which the operator warns. */
    @Test
    @KopfTest(value = Generous.class, time = TestTime.VIRTUAL)
    void whatAHandlerReturnsOrKeepsOfASecretIsAValueOfIt(TestedOperator operator, KubernetesClient client) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("z")
                .endMetadata()
                .addToStringData("key", "swordfish")
                .build();
        operator.awaitHandled(client.resource(secret).create());
        assertThat(operator.output())
                .contains(
                        "Merge-patching finished with inconsistencies: status", "example.com/copy", "\"got\":{\"key\":")
                .doesNotContain(Base64.getEncoder().encodeToString("swordfish".getBytes(StandardCharsets.UTF_8)));
    }

    /** The server quotes the whole object then, with its data at the beginning. */
    @Test
    @KopfTest(value = Careless.class, time = TestTime.VIRTUAL)
    void whyAChangeIsRefusedIsLoggedWithoutTheValues(TestedOperator operator, KubernetesClient client) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("y")
                .endMetadata()
                .addToStringData("key", "swordfish")
                .build();
        operator.awaitHandled(client.resource(secret).create());
        assertThat(operator.output())
                .contains("The server refuses the changes that the handler 'create' has made", "illegal base64 data")
                .doesNotContain("not base64!")
                .doesNotContain(Base64.getEncoder().encodeToString("swordfish".getBytes(StandardCharsets.UTF_8)));
    }
}
