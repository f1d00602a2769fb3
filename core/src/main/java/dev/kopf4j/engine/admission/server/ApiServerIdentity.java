package dev.kopf4j.engine.admission.server;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** What tells one kind of cluster from another. Thread-safe. */
public interface ApiServerIdentity {
    /** The certificate that the API server shows; empty if it shows none, or cannot be asked. */
    Optional<X509Certificate> certificate() throws InterruptedException;

    /** The version that the API server has; empty text if it does not tell. */
    String gitVersion() throws InterruptedException;
}
