package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.certificate.ServerTls;
import dev.kopf4j.engine.admission.identity.Secrets.SecretUnavailableException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What a server shows to its clients. Immutable.
 *
 * @param context makes its connections
 * @param parts what it is made of
 */
public record ServerIdentity(SSLContext context, Parts parts) {
    /** The authorities that clients have to trust, as PEM; null for those that they trust anyway. */
    public @Nullable String caPem() {
        return parts.caPem();
    }

    /** Its own certificate; empty if somebody else has made the context. */
    public Optional<X509Certificate> certificate() {
        return parts.chain().stream().findFirst();
    }

    /**
     * What the identity of a server is made of. Immutable. The text form shows no secrets.
     *
     * @param given the context that somebody else has made; null if it is made of the rest
     * @param chain the certificate, followed by those of its issuers; empty if there is a given context
     * @param key the key of the certificate; null if there is a given context
     * @param caPem the authorities that clients have to trust; null for those that they trust anyway
     * @param clientAuthorities those of the clients, as PEM
     */
    public record Parts(
            @Nullable SSLContext given,
            List<X509Certificate> chain,
            @Nullable PrivateKey key,
            @Nullable String caPem,
            String clientAuthorities) {
        /** Copies the list. */
        public Parts {
            chain = List.copyOf(chain);
        }

        static Parts given(SSLContext context, @Nullable String caPem, String clientAuthorities) {
            return new Parts(context, List.of(), null, caPem, clientAuthorities);
        }

        static Parts of(CertificateSource.Certificate certificate, String clientAuthorities) {
            return new Parts(null, certificate.chain(), certificate.key(), certificate.caPem(), clientAuthorities);
        }

        /** Makes the identity: slow, for the JDK hides keys by many rounds of a cipher. */
        ServerIdentity identity() throws GeneralSecurityException, IOException {
            if (given != null) {
                return new ServerIdentity(given, this);
            }
            List<X509Certificate> authorities = clientAuthorities.isBlank()
                    ? List.of()
                    : PemReader.certificates("client authority", clientAuthorities);
            return new ServerIdentity(ServerTls.context(chain, Objects.requireNonNull(key), authorities), this);
        }

        /** Both have the same issuer, so that whoever trusts the one trusts the other. */
        public boolean hasIssuerOf(Parts other) {
            return !chain.isEmpty()
                    && !other.chain.isEmpty()
                    && !isOwnIssuer()
                    && chain.getLast()
                            .getIssuerX500Principal()
                            .equals(other.chain.getLast().getIssuerX500Principal());
        }

        private boolean isOwnIssuer() {
            X509Certificate last = chain.getLast();
            return last.getIssuerX500Principal().equals(last.getSubjectX500Principal());
        }

        @Override
        public String toString() {
            return "Parts["
                    + chain.stream()
                            .map(X509Certificate::getSubjectX500Principal)
                            .toList() + "]";
        }
    }

    /** Where the certificate of a server comes from. Confined to a task. */
    @FunctionalInterface
    interface CertificateSource {
        /**
         * The certificate to show now; the same as before, unless something has changed or its end is near.
         *
         * @throws OperatorException if a file cannot be used
         * @throws SecretUnavailableException if a Secret cannot be used
         */
        Certificate current() throws InterruptedException;

        /**
         * A certificate for a server to show. Immutable.
         *
         * @param chain the certificate, followed by those of its issuers
         * @param key its key
         * @param caPem the authorities that clients have to trust
         */
        record Certificate(List<X509Certificate> chain, PrivateKey key, String caPem) {
            /** Copies the list. */
            public Certificate {
                chain = List.copyOf(chain);
            }

            @Override
            public String toString() {
                return "Certificate[" + chain.getFirst().getSubjectX500Principal() + "]";
            }
        }
    }
}
