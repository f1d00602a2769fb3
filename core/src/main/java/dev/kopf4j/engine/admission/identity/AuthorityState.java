package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemWriter;
import dev.kopf4j.webhook.WebhookAuthority;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far the rotation of a shared authority has come. Immutable; its steps are pure, but for new keys.
 *
 * <p>Whoever signs was trusted before: the next authority is trusted from the moment it is made, signs when it was
 * announced long enough, and the old one is trusted until it ends, when no certificate of it can be valid any more.
 *
 * @param signing signs the certificates of servers
 * @param next is to sign later; null if the end of the signing one is far
 * @param trusted all that clients have to trust, the newest one first
 */
public record AuthorityState(
        CertificateAuthority signing, @Nullable CertificateAuthority next, List<X509Certificate> trusted) {
    /** The beginning of the names of shared authorities. */
    static final String NAME = "kopf4j webhooks";

    /** Trusts at least those that sign, or will. */
    public AuthorityState {
        SequencedSet<X509Certificate> all = new LinkedHashSet<>();
        if (next != null) {
            all.add(next.certificate());
        }
        all.add(signing.certificate());
        all.addAll(trusted);
        trusted = List.copyOf(all);
    }

    /** One that has just begun. */
    public static AuthorityState fresh(WebhookAuthority options, Instant now) {
        return new AuthorityState(made(options, now), null, List.of());
    }

    private static CertificateAuthority made(WebhookAuthority options, Instant now) {
        return CertificateAuthority.make(NAME, now, options.validFor());
    }

    /** The state after the step that is due; empty if none is. */
    Optional<AuthorityState> step(WebhookAuthority options, Instant now) {
        List<X509Certificate> valid = trusted.stream()
                .filter(each -> now.isBefore(each.getNotAfter().toInstant()))
                .toList();
        boolean useless = !now.isBefore(signing.end()) || isEarly(signing, now);
        boolean early = next != null && isEarly(next, now);
        if (next != null && !early && (useless || !now.isBefore(next.madeAt().plus(options.announcedFor())))) {
            return Optional.of(new AuthorityState(next, null, valid));
        }
        if (useless) {
            return Optional.of(new AuthorityState(made(options, now), null, valid));
        }
        if ((next == null || early) && !now.isBefore(signing.end().minus(options.rotatedBefore()))) {
            return Optional.of(new AuthorityState(signing, made(options, now), valid));
        }
        return valid.size() < trusted.size() ? Optional.of(new AuthorityState(signing, next, valid)) : Optional.empty();
    }

    private static boolean isEarly(CertificateAuthority authority, Instant now) {
        return ServerIdentities.isEarly(authority.certificate(), now);
    }

    /** All that clients have to trust, as PEM. */
    public String bundle() {
        return trusted.stream().map(PemWriter::certificate).collect(Collectors.joining());
    }

    /** Authorities to be trusted, as PEM: those of servers that change. Pure. */
    public static final class TrustBundle {
        private static final Pattern BLOCK =
                Pattern.compile("-----BEGIN [^-]*-----.*?-----END [^-]*-----", Pattern.DOTALL);

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

        /** True if a bundle has certificates, all of which another one has, too. */
        public static boolean hasAllOf(String whole, String part) {
            Set<String> blocks = blocks(part);
            return !blocks.isEmpty() && blocks(whole).containsAll(blocks);
        }

        private static Set<String> blocks(String pem) {
            return BLOCK.matcher(pem)
                    .results()
                    .map(MatchResult::group)
                    .map(block -> block.replace("\r", ""))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }
    }
}
