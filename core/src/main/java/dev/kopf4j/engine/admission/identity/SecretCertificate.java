package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.engine.admission.authority.CertificateTexts;
import dev.kopf4j.engine.admission.authority.SecretUnavailableException;
import dev.kopf4j.engine.admission.authority.Secrets;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.SecretName;
import java.io.IOException;
import java.security.GeneralSecurityException;

/** A certificate in a Secret that somebody else keeps. */
record SecretCertificate(Secrets secrets, SecretName name, LocalWebhookServer options) implements CertificateSource {
    @Override
    public ServedCertificate current() throws InterruptedException {
        String given = PemFiles.authorities(options);
        try {
            CertificateTexts texts = CertificateTexts.read(secrets, name);
            return GivenCertificate.of(
                    texts.certificate(),
                    texts.key(),
                    options.password(),
                    given == null ? texts.authorities() : given,
                    "the key in tls.key is not that of the certificate in tls.crt");
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new SecretUnavailableException(
                    name, "holds no certificate: " + e.getMessage(), "Correct it, or let its maker do so.", e);
        }
    }
}
