package dev.kopf4j.engine.admission.authority;

import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.PemWriter;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authorities to be trusted, as PEM: those of servers that change, and those that a replica has not heard of yet. Pure.
 */
public final class TrustBundle {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN [^-]*-----.*?-----END [^-]*-----", Pattern.DOTALL);

    private TrustBundle() {}

    /**
     * The authorities of both: clients trust a server before and after it has changed.
     *
     * @param newer comes first; null for those that everybody trusts
     * @return the newer one as it is if it has all of the other one
     */
    public static @Nullable String union(@Nullable String newer, @Nullable String older) {
        if (newer == null || older == null) {
            return null;
        }
        Set<String> missing = blocks(older);
        missing.removeAll(blocks(newer));
        if (missing.isEmpty()) {
            return newer;
        }
        return newer + (newer.endsWith("\n") ? "" : "\n") + String.join("\n", missing) + "\n";
    }

    private static Set<String> blocks(String pem) {
        return BLOCK.matcher(pem)
                .results()
                .map(MatchResult::group)
                .map(block -> block.replace("\r", ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The wanted bundle, with the shared authorities of the stored one that are newer than all of the wanted one. A
     * replica that may not read the Secret at the moment would otherwise take the newest shared authority away from
     * those who sign with it.
     *
     * @param wanted as PEM; if it has no shared authority, nothing is added
     * @param stored as PEM, or anything else
     */
    public static String withNewer(String wanted, String stored) {
        Optional<Instant> newest =
                shared(wanted).stream().map(TrustBundle::begin).max(Comparator.naturalOrder());
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
            return PemReader.certificates("bundle", pem).stream()
                    .filter(each -> each.getSubjectX500Principal().getName().startsWith("CN=" + AuthorityState.NAME))
                    .toList();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            log.trace("This bundle has no certificates.", e);
            return List.of();
        }
    }
}
