package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.admission.authority.Secrets.SecretUnavailableException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

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
