package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/** A certificate in files. */
final class FileCertificate implements CertificateSource {
    private final LocalWebhookServer options;
    private final Locations locations;

    private FileCertificate(LocalWebhookServer options, Locations locations) {
        this.options = options;
        this.locations = locations;
    }

    private interface Locations {
        Location now();
    }

    /** Where the files are at the moment. */
    private record Location(
            Path certificate, Path key, @Nullable Path authorities) {}

    /** A certificate in two files. */
    static FileCertificate inFiles(LocalWebhookServer options, Path certificate, Path key) {
        return new FileCertificate(options, () -> new Location(certificate, key, null));
    }

    /** A certificate in a folder. */
    static FileCertificate inFolder(LocalWebhookServer options, Path folder) {
        return new FileCertificate(options, () -> {
            Path current = CertificateFolder.current(folder);
            Path authorities = current.resolve("ca.crt");
            return new Location(
                    current.resolve("tls.crt"),
                    current.resolve("tls.key"),
                    Files.exists(authorities) ? authorities : null);
        });
    }

    @Override
    public ServedCertificate current() {
        Location files = locations.now();
        String given = PemFiles.authorities(options);
        try {
            return GivenCertificate.of(
                    PemFiles.text("certificate", files.certificate()),
                    PemFiles.text("key", files.key()),
                    options.password(),
                    given == null && files.authorities() != null
                            ? PemFiles.text("certificate authority", files.authorities())
                            : given,
                    "the key " + files.key() + " is not that of the certificate " + files.certificate());
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new OperatorException(
                    "The certificate of the webhook server cannot be used: " + e.getMessage()
                            + ". Check the files that are given by certificate(...) or certificateFolder(...), and ca(...).",
                    e);
        }
    }
}
