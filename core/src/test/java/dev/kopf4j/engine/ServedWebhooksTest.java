package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link ServedWebhooks}: who takes the webhooks back that are written. */
class ServedWebhooksTest {
    private final LocalWebhookServer local = WebhookServer.local().service("ns", "hooks", 443);

    /** The next pod of a rolling update, or another replica, shows the same certificate, and needs the webhooks. */
    @Test
    @Tag("J10")
    void whoseCertificateOthersHaveLeavesTheWebhooksToThem() {
        assertThat(ServedWebhooks.isShared(local.certificateSecret("ns", "tls")))
                .isTrue();
        assertThat(ServedWebhooks.isShared(local.certificateFolder(Path.of("/certificates"))))
                .isTrue();
        assertThat(ServedWebhooks.isShared(local.authority(WebhookAuthority.inSecret("ns", "ca"))))
                .isTrue();
        assertThat(ServedWebhooks.isShared(local.certificate(Path.of("tls.crt"), Path.of("tls.key"))))
                .isTrue();
        assertThat(ServedWebhooks.isShared(WebhookServer.auto().fallback(local.certificateSecret("ns", "tls"))))
                .isTrue();
        assertThat(ServedWebhooks.isShared(local)).isFalse();
        assertThat(ServedWebhooks.isShared(WebhookServer.local().certificate(Path.of("tls.crt"), Path.of("tls.key"))))
                .as("of one process, by its own address")
                .isFalse();
        assertThat(ServedWebhooks.isShared(null)).isFalse();
    }
}
