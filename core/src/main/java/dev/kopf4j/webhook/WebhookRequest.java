package dev.kopf4j.webhook;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a webhook server has received. Immutable. Made by {@link #of}. */
public sealed interface WebhookRequest permits ReceivedRequest {
    /**
     * A request with a body.
     *
     * @param body the AdmissionReview or ConversionReview as JSON
     */
    static WebhookRequest of(byte[] body) {
        return new ReceivedRequest(body, null, Map.of(), null);
    }

    /**
     * The same for one handler.
     *
     * @param id what comes behind the server's own path, decoded; null if the server does not know, which asks all
     *     handlers
     */
    WebhookRequest forHandler(@Nullable String id);

    /** The same with the headers of the HTTP request. */
    WebhookRequest withHeaders(Map<String, List<String>> headers);

    /** The same with the verified certificate that the client has shown. */
    WebhookRequest withClientCertificate(@Nullable X509Certificate certificate);

    /** The review as JSON. */
    byte[] body();

    /** The id of the only handler that is asked; empty for all. */
    Optional<String> handlerId();

    /** The headers. */
    Map<String, List<String>> headers();

    /** The certificate of the client; empty if there is none. */
    Optional<X509Certificate> clientCertificate();
}
