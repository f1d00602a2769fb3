package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.admission.authority.SecretUnavailableException;

/** Where the certificate of a server comes from. Confined to a task. */
@FunctionalInterface
interface CertificateSource {
    /**
     * The certificate to show now; the same as before, unless something has changed or its end is near.
     *
     * @throws OperatorException if a file cannot be used
     * @throws SecretUnavailableException if a Secret cannot be used
     */
    ServedCertificate current() throws InterruptedException;
}
