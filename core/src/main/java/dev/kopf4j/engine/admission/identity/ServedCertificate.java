package dev.kopf4j.engine.admission.identity;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate for a server to show. Immutable.
 *
 * @param chain the certificate, followed by those of its issuers
 * @param key its key
 * @param caPem the authorities that clients have to trust
 */
record ServedCertificate(List<X509Certificate> chain, PrivateKey key, String caPem) {
    /** Copies the list. */
    ServedCertificate {
        chain = List.copyOf(chain);
    }

    @Override
    public String toString() {
        return "ServedCertificate[" + chain.getFirst().getSubjectX500Principal() + "]";
    }
}
