package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.PemWriter;
import dev.kopf4j.webhook.WebhookAuthority;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    /**
     * Authorities to be trusted, as PEM: those of servers that change, and those that a replica has not heard of yet.
     * Pure.
     */
    public static final class TrustBundle {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");
        private static final Pattern BLOCK =
                Pattern.compile("-----BEGIN [^-]*-----.*?-----END [^-]*-----", Pattern.DOTALL);

        /**
         * After its begin, which is an hour before it was made, as clocks differ; replicas look for a new one each few
         * minutes.
         */
        private static final Duration OLDER_STAY_FOR = Duration.ofHours(2);

        private TrustBundle() {}

        /**
         * The authorities of both: clients trust a server before and after it has changed.
         *
         * @param newer comes first; null for those that everybody trusts
         * @return the newer one as it is if it has all of the other one
         */
        public static @Nullable String union(@Nullable String newer, @Nullable String older) {
            return newer == null || older == null ? null : both(newer, older);
        }

        /** The same of bundles that both say whom to trust. */
        public static String both(String newer, String older) {
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

        /**
         * The wanted bundle, with the shared authorities of the stored one that are newer than all of the wanted one. A
         * replica that may not read the Secret at the moment would otherwise take the newest shared authority away from
         * those who sign with it. While the newest one is young, those that are older stay, too: it was made anew since
         * the Secret was gone, and other replicas, which have not heard of that yet, still sign with theirs.
         *
         * @param wanted as PEM; if it has no shared authority, nothing is added
         * @param stored as PEM, or anything else
         */
        public static String withShared(String wanted, String stored, Instant now) {
            if (stored.equals(wanted)) {
                return wanted; // at nearly each look
            }
            List<X509Certificate> own = shared(wanted);
            Optional<Instant> newest = newest(wanted);
            if (newest.isEmpty()) {
                return wanted;
            }
            List<X509Certificate> others = shared(stored).stream()
                    .filter(each -> !own.contains(each)
                            && now.isBefore(each.getNotAfter().toInstant()))
                    .toList();
            boolean isYoung = now.isBefore(newest.get().plus(OLDER_STAY_FOR));
            return pem(others, each -> begin(each).isAfter(newest.get()))
                    + wanted
                    + pem(others, each -> isYoung && !begin(each).isAfter(newest.get()));
        }

        /** For how long the shared authorities that are older than those of a bundle stay; zero for not any more. */
        public static Duration olderStayFor(String pem, Instant now) {
            return newest(pem)
                    .map(newest -> Duration.between(now, newest.plus(OLDER_STAY_FOR)))
                    .filter(Duration::isPositive)
                    .orElse(Duration.ZERO);
        }

        /**
         * A bundle without the shared authorities that are older than the newest one of an own bundle, and not in it.
         */
        public static String withoutOlder(String bundle, String own) {
            Optional<Instant> newest = newest(own);
            List<X509Certificate> ours = shared(own);
            Set<String> older = newest.isEmpty()
                    ? Set.of()
                    : shared(bundle).stream()
                            .filter(each -> begin(each).isBefore(newest.get()) && !ours.contains(each))
                            .flatMap(each -> blocks(PemWriter.certificate(each)).stream())
                            .collect(Collectors.toSet());
            return older.isEmpty()
                    ? bundle
                    : blocks(bundle).stream()
                            .filter(block -> !older.contains(block))
                            .collect(Collectors.joining("\n", "", "\n"));
        }

        private static Optional<Instant> newest(String pem) {
            return shared(pem).stream().map(TrustBundle::begin).max(Comparator.naturalOrder());
        }

        private static String pem(List<X509Certificate> certificates, Predicate<X509Certificate> filter) {
            return certificates.stream()
                    .filter(filter)
                    .map(PemWriter::certificate)
                    .distinct()
                    .collect(Collectors.joining());
        }

        private static Instant begin(X509Certificate certificate) {
            return certificate.getNotBefore().toInstant();
        }

        private static List<X509Certificate> shared(String pem) {
            try {
                return PemReader.certificates("bundle", pem).stream()
                        .filter(each ->
                                each.getSubjectX500Principal().getName().startsWith("CN=" + AuthorityState.NAME))
                        .toList();
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                log.trace("This bundle has no certificates.", e);
                return List.of();
            }
        }
    }
}
