package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.PemWriter;
import dev.kopf4j.engine.admission.configuration.WebhookConfigurationContent.WebhookAddress;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom the API server is to trust at the address of the operator beside the operator's own authorities: those of other
 * replicas. One of them may serve with another certificate, as it has read a renewed one earlier or later than this
 * one, or it started when the Secret of the authority was not there. Whoever took its authority away would have its
 * requests refused; so authorities stay until every replica must have changed over. Longer stay, as long as they are
 * valid, those that are newer than all of the operator's own, since this replica may be the one that is late, and those
 * that came back after they had gone, since somebody needs them. Confined.
 */
final class AuthoritiesBeside {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    /** Replicas read certificates once a minute, and announce the old ones beside the new ones for ten more. */
    private static final Duration STAY_FOR = Duration.ofMinutes(15);

    /** An operator that makes a certificate at each start, and ends again and again, leaves one each time. */
    private static final int MOST = 8;

    /** Where nobody goes by time, each start leaves one; so many replicas find each other all the same. */
    private static final int MOST_THAT_STAY = 32;

    private final Platform platform;
    /** Null if nobody goes by time. */
    private final @Nullable Duration stayFor;

    private final int most;
    /** When each has stayed long enough. */
    private final Map<X509Certificate, Deadline> known = new HashMap<>();
    /** Those that have gone, the first one first. */
    private final SequencedSet<X509Certificate> gone = new LinkedHashSet<>();

    private Deadline goes = Deadline.NEVER;
    /** Those that the last bundle leaves out. */
    private Set<X509Certificate> leftOut = Set.of();

    AuthoritiesBeside(Platform platform) {
        this(platform, STAY_FOR, MOST);
    }

    private AuthoritiesBeside(Platform platform, @Nullable Duration stayFor, int most) {
        this.platform = platform;
        this.stayFor = stayFor;
        this.most = most;
    }

    /** Where each replica has an authority of its own, they need all that stand there. */
    static AuthoritiesBeside thatStay(Platform platform) {
        return new AuthoritiesBeside(platform, null, Integer.MAX_VALUE);
    }

    /** The same where nobody ever clears away those of replicas that are gone: the newest valid ones stay. */
    static AuthoritiesBeside whoseNewestStay(Platform platform) {
        return new AuthoritiesBeside(platform, null, MOST_THAT_STAY);
    }

    /** When the next one has stayed long enough; never if there is none. */
    Deadline untilOneGoes() {
        return goes;
    }

    /** True if the last bundle leaves one out, as it has stayed long enough: no other replica needs it. */
    boolean hasLetGo() {
        return stayFor != null && !leftOut.isEmpty();
    }

    /** What is stored is not to be seen. */
    void forget() {
        known.clear();
        goes = Deadline.NEVER;
        leftOut = Set.of();
    }

    /**
     * The operator's own bundle, and the authorities that stay.
     *
     * @param own in base64; empty if everybody trusts the operator
     * @param stored the bundles that stand at its address
     * @return in base64; as it is stored if that is the same
     */
    String kept(String own, Set<String> stored) {
        SequencedSet<X509Certificate> ours = certificates(Set.of(own));
        SequencedSet<X509Certificate> theirs = certificates(stored);
        if (ours.isEmpty()) {
            forget();
            return own;
        }
        List<X509Certificate> staying = staying(ours, theirs);
        Set<X509Certificate> all = new LinkedHashSet<>(ours);
        all.addAll(staying);
        if (all.equals(theirs) && stored.size() == 1) {
            return stored.iterator().next();
        }
        if (staying.isEmpty()) {
            return own;
        }
        String pem = WebhookAddress.decoded(own);
        return WebhookAddress.encoded(staying.stream()
                .map(PemWriter::certificate)
                .collect(Collectors.joining("", pem.endsWith("\n") ? pem : pem + "\n", "")));
    }

    private List<X509Certificate> staying(Set<X509Certificate> ours, Set<X509Certificate> theirs) {
        Instant newest = ours.stream()
                .map(each -> each.getNotBefore().toInstant())
                .max(Comparator.naturalOrder())
                .orElseThrow();
        Set<X509Certificate> others = new LinkedHashSet<>(theirs);
        others.removeAll(ours);
        if (stayFor == null) {
            // Somebody is left out only to make room for the operator's own: two would do so in turn.
            List<X509Certificate> stay = theirs.containsAll(ours) ? List.copyOf(others) : newestOf(others);
            stay.forEach(others::remove);
            leftOut = others;
            return stay;
        }
        // Whomever another replica has let go meanwhile, this one does not if he comes back.
        known.keySet().stream()
                .filter(each -> !theirs.contains(each) && !ours.contains(each))
                .forEach(gone::add);
        limitGone();
        known.keySet().retainAll(others);
        goes = Deadline.NEVER;
        List<X509Certificate> staying = new ArrayList<>();
        for (X509Certificate each : others) {
            Deadline until = known.computeIfAbsent(each, _ -> platform.after(stayFor));
            boolean isNeeded = isValid(each)
                    && (gone.contains(each) || each.getNotBefore().toInstant().isAfter(newest));
            if (staying.size() < most && (isNeeded || !until.hasPassed(platform))) {
                staying.add(each);
                goes = isNeeded ? goes : goes.orEarlier(until);
            }
        }
        staying.forEach(others::remove);
        leftOut = others;
        return staying;
    }

    /**
     * Those that came back after they had been left out, as somebody needs them, then the newest. In the order in which
     * they stand there, so that nothing is written for the order.
     */
    private List<X509Certificate> newestOf(Set<X509Certificate> others) {
        if (most == Integer.MAX_VALUE) {
            return List.copyOf(others);
        }
        Set<X509Certificate> newest = others.stream()
                .filter(this::isValid)
                .sorted(Comparator.comparing((X509Certificate each) -> gone.contains(each))
                        .thenComparing(X509Certificate::getNotBefore)
                        .reversed())
                .limit(most)
                .collect(Collectors.toSet());
        return others.stream().filter(newest::contains).toList();
    }

    private boolean isValid(X509Certificate certificate) {
        return platform.now().isBefore(certificate.getNotAfter().toInstant());
    }

    /** The last bundle is stored: what it has left out is gone. */
    void written() {
        known.keySet().removeAll(leftOut);
        leftOut.forEach(gone::addLast);
        limitGone();
        leftOut = Set.of();
    }

    private void limitGone() {
        while (gone.size() > MOST) {
            gone.removeFirst();
        }
    }

    private static SequencedSet<X509Certificate> certificates(Collection<String> bundles) {
        SequencedSet<X509Certificate> certificates = new LinkedHashSet<>();
        for (String bundle : bundles) {
            try {
                certificates.addAll(PemReader.certificates("bundle", WebhookAddress.decoded(bundle)));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                log.trace("This bundle has no certificates.", e);
            }
        }
        return certificates;
    }
}
