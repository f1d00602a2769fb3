package dev.kopf4j.devcluster.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsCertificatesTest {
    @TempDir
    private Path folder;

    private String authority() {
        return TlsCertificates.of(Optional.of(folder), List.of()).authority().certificatePem();
    }

    private static Instant end(String pem) throws IOException, GeneralSecurityException {
        return PemReader.certificates("authority", pem).getFirst().getNotAfter().toInstant();
    }

    @Test
    void aFolderKeepsItsAuthorityForYears() throws IOException, GeneralSecurityException {
        String made = authority();
        assertThat(authority()).isEqualTo(made);
        assertThat(end(made)).isAfter(Instant.now().plus(Duration.ofDays(3000)));
    }

    @Test
    void anExpiredAuthorityIsReplaced() throws IOException, GeneralSecurityException {
        assertReplaced(CertificateAuthority.make(
                "devcluster-ca", Instant.now().minus(Duration.ofDays(400)), Duration.ofDays(365)));
    }

    @Test
    void anAuthorityOfAClockInTheFutureIsReplaced() throws IOException, GeneralSecurityException {
        assertReplaced(CertificateAuthority.make(
                "devcluster-ca", Instant.now().plus(Duration.ofDays(2)), Duration.ofDays(365)));
    }

    private void assertReplaced(CertificateAuthority old) throws IOException, GeneralSecurityException {
        Files.writeString(folder.resolve("authority.pem"), old.certificatePem() + old.keyPem());
        String made = authority();
        assertThat(end(made)).isAfter(Instant.now().plus(Duration.ofDays(3000)));
        assertThat(authority()).isEqualTo(made);
    }
}
