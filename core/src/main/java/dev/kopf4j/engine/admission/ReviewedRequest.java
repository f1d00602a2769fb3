package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.AuditAnnotations;
import dev.kopf4j.RequestHeaders;
import dev.kopf4j.UserInfo;
import dev.kopf4j.View;
import dev.kopf4j.Warnings;
import dev.kopf4j.object.JsonView;
import dev.kopf4j.webhook.WebhookRequest;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** What the handlers of one request are told of it, and what they say beside their answers. Confined to the request. */
final class ReviewedRequest implements AdmissionRequest {
    private final AdmissionReview review;
    private final WebhookRequest received;
    private final ReviewRemarks remarks;

    ReviewedRequest(AdmissionReview review, WebhookRequest received, ReviewRemarks remarks) {
        this.review = review;
        this.received = received;
        this.remarks = remarks;
    }

    @Override
    public String uid() {
        return review.uid();
    }

    @Override
    public AdmissionOperation operation() {
        return review.operation();
    }

    @Override
    public Optional<String> subresource() {
        return review.subresource().isEmpty() ? Optional.empty() : Optional.of(review.subresource());
    }

    @Override
    public boolean isDryRun() {
        return review.dryRun();
    }

    @Override
    public UserInfo userInfo() {
        return ReviewedUser.of(review.userInfo());
    }

    @Override
    public RequestHeaders headers() {
        return new ReceivedHeaders(received.headers());
    }

    @Override
    public Optional<X509Certificate> clientCertificate() {
        return received.clientCertificate();
    }

    @Override
    public View options() {
        return new JsonView(review.request().get("options"), "options of the request");
    }

    @Override
    public Warnings warnings() {
        return remarks::warn;
    }

    @Override
    public AuditAnnotations auditAnnotations() {
        return remarks::annotate;
    }
}
