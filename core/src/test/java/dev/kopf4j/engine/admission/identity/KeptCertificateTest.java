package dev.kopf4j.engine.admission.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.engine.admission.identity.Secrets.SecretUnavailableException;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.SecretName;
import dev.kopf4j.webhook.WebhookCertificate;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Certificates that somebody else keeps in a Secret or a folder, as cert-manager does. */
@Tag("J37")
class KeptCertificateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final SimulatedPlatform world = new SimulatedPlatform(0, NOW);
    private final WebhookCertificate first = WebhookCertificate.build(List.of("one"), null, NOW);
    private final WebhookCertificate second = WebhookCertificate.build(List.of("two"), null, NOW);

    @TempDir
    private Path folder;

    /** Secrets in memory that nobody may write. */
    private static final class ReadOnly implements Secrets {
        private final Map<String, ObjectNode> objects = new HashMap<>();

        void put(SecretName name, Map<String, String> texts) {
            ObjectNode object = Json.object();
            ObjectNode data = object.putObject("data");
            texts.forEach((key, text) ->
                    data.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII))));
            objects.put(name.toString(), object);
        }

        @Override
        public Optional<ObjectNode> read(SecretName secret) {
            return Optional.ofNullable(objects.get(secret.toString()));
        }

        @Override
        public boolean create(SecretName secret, ObjectNode object) {
            throw new AssertionError("created");
        }

        @Override
        public boolean replace(SecretName secret, ObjectNode object) {
            throw new AssertionError("replaced");
        }
    }

    private static Map<String, String> texts(WebhookCertificate certificate, String authorities) {
        return Map.of("tls.crt", certificate.certificatePem(), "tls.key", certificate.keyPem(), "ca.crt", authorities);
    }

    @Test
    void aSecretIsReadAndReadAgain() throws Exception {
        ReadOnly secrets = new ReadOnly();
        var options = WebhookServer.local().certificateSecret("ns", "tls");
        SecretName name = Objects.requireNonNull(options.certificateSecret());
        ServerIdentities identities = new ServerIdentities(world, secrets, options);
        assertThatThrownBy(identities::current)
                .isInstanceOf(SecretUnavailableException.class)
                .hasMessageContaining("ns/tls")
                .hasMessageContaining("is not there")
                .hasMessageContaining("cert-manager");

        secrets.put(name, texts(first, second.certificatePem()));
        assertThat(identities.current().caPem()).isEqualTo(second.certificatePem());
        assertThat(identities.renewed()).isEmpty();

        secrets.put(name, Map.of("tls.crt", second.certificatePem(), "tls.key", first.keyPem()));
        assertThatThrownBy(identities::renewed)
                .isInstanceOf(SecretUnavailableException.class)
                .hasMessageContaining("the key in tls.key is not that of the certificate in tls.crt");
        secrets.put(name, texts(second, second.certificatePem()));
        assertThat(identities.renewed()).isPresent();
    }

    @Test
    void withoutAuthoritiesTheCertificateItselfIsTrusted() throws Exception {
        ReadOnly secrets = new ReadOnly();
        var options = WebhookServer.local().certificateSecret("ns", "tls");
        secrets.put(
                Objects.requireNonNull(options.certificateSecret()),
                Map.of("tls.crt", first.certificatePem(), "tls.key", first.keyPem()));
        assertThat(new ServerIdentities(world, secrets, options).current().caPem())
                .isEqualTo(first.certificatePem());
    }

    private void mount(String state, WebhookCertificate certificate) throws IOException {
        Path files = Files.createDirectory(folder.resolve(state));
        for (Map.Entry<String, String> each :
                texts(certificate, first.certificatePem()).entrySet()) {
            Files.writeString(files.resolve(each.getKey()), each.getValue());
        }
        Path link = Files.createSymbolicLink(folder.resolve("..new"), files);
        Files.move(link, folder.resolve("..data"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** As the kubelet does: a link is changed, and with it all files at once. */
    @Test
    void aMountedSecretIsReadAndReadAgain() throws Exception {
        mount("..one", first);
        for (String file : List.of("tls.crt", "tls.key", "ca.crt")) {
            Files.createSymbolicLink(folder.resolve(file), Path.of("..data", file));
        }
        ServerIdentities identities = new ServerIdentities(
                world, NoSecrets.INSTANCE, WebhookServer.local().certificateFolder(folder));
        assertThat(identities.current().caPem()).isEqualTo(first.certificatePem());
        assertThat(identities.renewed()).isEmpty();
        mount("..two", second);
        ServerIdentity renewed = identities.renewed().orElseThrow();
        assertThat(renewed.parts().chain().getFirst().getSubjectX500Principal().getName())
                .isEqualTo("CN=two");
        assertThat(renewed.caPem()).isEqualTo(first.certificatePem());
    }
}
