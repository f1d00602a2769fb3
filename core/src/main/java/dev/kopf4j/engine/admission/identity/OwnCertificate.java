package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.certificate.SelfSignedCertificate;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate of this process alone, replaced before it ends. */
final class OwnCertificate implements CertificateSource {
    private static final Duration VALIDITY = Duration.ofDays(365);

    /** How long before its end it is replaced. */
    private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

    private final Platform platform;
    private final LocalWebhookServer options;
    private @Nullable SelfSignedCertificate known;

    OwnCertificate(Platform platform, LocalWebhookServer options) {
        this.platform = platform;
        this.options = options;
    }

    @Override
    public ServedCertificate current() {
        SelfSignedCertificate own = known;
        if (own == null || isEnding(own)) {
            own = SelfSignedCertificate.make(ServerNames.of(ServerAddress.names(options)), platform.now(), VALIDITY);
            known = own;
        }
        return new ServedCertificate(List.of(own.certificate()), own.key(), own.certificatePem());
    }

    private boolean isEnding(SelfSignedCertificate certificate) {
        Instant end = certificate.certificate().getNotAfter().toInstant();
        return platform.now().isAfter(end.minus(RENEWED_BEFORE));
    }
}
