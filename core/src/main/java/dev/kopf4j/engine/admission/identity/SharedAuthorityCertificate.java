package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.engine.admission.authority.AuthorityState;
import dev.kopf4j.engine.admission.authority.SecretUnavailableException;
import dev.kopf4j.engine.admission.authority.SharedAuthority;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.LocalWebhookServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A certificate of this process alone, signed by the authority of all replicas, replaced before it ends. */
final class SharedAuthorityCertificate implements CertificateSource {
    private static final int PARTS = 3;

    private final Platform platform;
    private final SharedAuthority authority;
    private final ServerNames names;
    private final Duration validity;
    private @Nullable AuthorityState last;
    private @Nullable CertificateAuthority signer;
    private CertificateAuthority.@Nullable Issued issued;

    SharedAuthorityCertificate(
            Platform platform, SharedAuthority authority, LocalWebhookServer options, Duration validity) {
        this.platform = platform;
        this.authority = authority;
        this.names = ServerNames.of(ServerAddress.names(options));
        this.validity = validity;
    }

    @Override
    public Certificate current() throws InterruptedException {
        AuthorityState state = state();
        CertificateAuthority.Issued own = issued;
        if (own == null || !state.signing().equals(signer) || isDue(own, state.signing())) {
            own = state.signing().issue(names, platform.now(), validity);
            issued = own;
            signer = state.signing();
        }
        return new Certificate(List.of(own.certificate()), own.key(), state.bundle());
    }

    /** Who cannot read the Secret signs with what was there last, before the certificate ends. */
    private AuthorityState state() throws InterruptedException {
        try {
            AuthorityState state = authority.current();
            last = state;
            return state;
        } catch (SecretUnavailableException e) {
            AuthorityState known = last;
            if (known == null || issued == null || !isDue(issued, known.signing())) {
                throw e;
            }
            return known;
        }
    }

    /** A third is left; but nothing is won by one that ends no later. */
    private boolean isDue(CertificateAuthority.Issued certificate, CertificateAuthority by) {
        Instant end = certificate.certificate().getNotAfter().toInstant();
        boolean isLate = !platform.now().isBefore(end.minus(validity.dividedBy(PARTS)));
        return isLate && end.isBefore(by.end());
    }
}
