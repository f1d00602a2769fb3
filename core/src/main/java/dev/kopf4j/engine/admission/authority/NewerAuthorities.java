package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.certificate.PemWriter;
import dev.kopf4j.client.tls.ServerTls;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a replica has not heard of yet: one that may not read the Secret at the moment would otherwise take the
 * newest shared authority away from those who sign with it. Pure.
 */
public final class NewerAuthorities {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private NewerAuthorities() {}

    /**
     * The wanted bundle, with the shared authorities of the stored one that are newer than all of the wanted one.
     *
     * @param wanted as PEM; if it has no shared authority, nothing is added
     * @param stored as PEM, or anything else
     */
    public static String kept(String wanted, String stored) {
        Optional<Instant> newest =
                shared(wanted).stream().map(NewerAuthorities::begin).max(Comparator.naturalOrder());
        if (newest.isEmpty()) {
            return wanted;
        }
        return shared(stored).stream()
                        .filter(each -> begin(each).isAfter(newest.get()))
                        .map(PemWriter::certificate)
                        .distinct()
                        .collect(Collectors.joining())
                + wanted;
    }

    private static Instant begin(X509Certificate certificate) {
        return certificate.getNotBefore().toInstant();
    }

    private static List<X509Certificate> shared(String pem) {
        try {
            return ServerTls.certificates("bundle", pem).stream()
                    .filter(each -> each.getSubjectX500Principal().getName().startsWith("CN=" + AuthorityState.NAME))
                    .toList();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            log.trace("This bundle has no certificates.", e);
            return List.of();
        }
    }
}
