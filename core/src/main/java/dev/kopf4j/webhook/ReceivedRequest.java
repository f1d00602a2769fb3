package dev.kopf4j.webhook;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link WebhookRequest} with what is known of it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReceivedRequest(
        byte[] body,
        @Nullable String id,
        Map<String, List<String>> headers,
        @Nullable X509Certificate certificate) implements WebhookRequest {
    @Override
    public WebhookRequest forHandler(@Nullable String other) {
        return new ReceivedRequest(body, other, headers, certificate);
    }

    @Override
    public WebhookRequest withHeaders(Map<String, List<String>> other) {
        return new ReceivedRequest(body, id, other, certificate);
    }

    @Override
    public WebhookRequest withClientCertificate(@Nullable X509Certificate other) {
        return new ReceivedRequest(body, id, headers, other);
    }

    @Override
    public Optional<String> handlerId() {
        return Optional.ofNullable(id);
    }

    @Override
    public Optional<X509Certificate> clientCertificate() {
        return Optional.ofNullable(certificate);
    }
}
