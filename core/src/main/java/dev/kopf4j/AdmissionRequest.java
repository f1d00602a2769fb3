package dev.kopf4j;

import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * What an admission handler is asked about, besides the object: the request of a client of the API. A parameter of
 * admission handlers, as its parts are. Confined to the call.
 *
 * <p>See {@code AdmissionRequest} of {@code admission.k8s.io/v1}. Made by the framework; not to be implemented.
 */
public interface AdmissionRequest {
    /** The uid of the request; not that of the object. */
    String uid();

    /** What the client wants to do. */
    AdmissionOperation operation();

    /** The subresource, such as {@code status} or {@code scale}; empty for the object itself. */
    Optional<String> subresource();

    /** True if nothing is going to be stored: the handler must not have any side effects. */
    boolean isDryRun();

    /** Who has sent the request. */
    UserInfo userInfo();

    /** The headers by which the API server has called the webhook. */
    RequestHeaders headers();

    /**
     * The certificate that the API server has shown; empty if it has shown none, or the webhook server does not verify
     * any.
     */
    Optional<X509Certificate> clientCertificate();

    /** The options of the operation, such as {@code CreateOptions}; empty if the API server sends none. */
    View options();

    /** Takes what the client is warned of. */
    Warnings warnings();

    /** Takes what is written into the audit log. */
    AuditAnnotations auditAnnotations();
}
