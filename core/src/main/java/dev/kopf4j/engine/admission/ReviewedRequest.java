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
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the handlers of one request are told of it, and what they say beside their answers. Confined to the request. */
final class ReviewedRequest implements AdmissionRequest {
    private final AdmissionReview review;
    private final WebhookRequest received;
    private final Remarks remarks = new Remarks();

    ReviewedRequest(AdmissionReview review, WebhookRequest received) {
        this.review = review;
        this.received = received;
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

    /** What the client is to be warned of. */
    List<String> warned() {
        return remarks.warnings();
    }

    /** What is to be written into the audit log. */
    Map<String, String> annotated() {
        return remarks.annotations();
    }

    /** Who has sent the request. */
    private record ReviewedUser(String username, String uid, List<String> groups, Map<String, List<String>> extra)
            implements UserInfo {
        static ReviewedUser of(ObjectNode userInfo) {
            Map<String, List<String>> extra = new LinkedHashMap<>();
            userInfo.path("extra")
                    .propertyStream()
                    .forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
            return new ReviewedUser(
                    userInfo.path("username").asString(""),
                    userInfo.path("uid").asString(""),
                    texts(userInfo.path("groups")),
                    Map.copyOf(extra));
        }

        private static List<String> texts(JsonNode list) {
            List<String> texts = new ArrayList<>();
            list.forEach(each -> texts.add(each.asString("")));
            return List.copyOf(texts);
        }
    }

    /** The headers of the HTTP request; their names are found in any case. Immutable. */
    private static final class ReceivedHeaders implements RequestHeaders {
        private final Map<String, List<String>> headers;

        ReceivedHeaders(Map<String, List<String>> given) {
            Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            sorted.putAll(given);
            this.headers = Collections.unmodifiableMap(sorted);
        }

        @Override
        public Optional<String> get(String name) {
            return all(name).stream().findFirst();
        }

        @Override
        public List<String> all(String name) {
            return headers.getOrDefault(name, List.of());
        }

        @Override
        public Map<String, List<String>> toMap() {
            return headers;
        }

        @Override
        public String toString() {
            return headers.toString();
        }
    }

    /** What all handlers of the request say. Thread-safe: a handler may have threads of its own. */
    private static final class Remarks {
        private final List<String> warnings = new ArrayList<>();
        private final Map<String, String> annotations = new LinkedHashMap<>();

        synchronized void warn(String warning) {
            warnings.add(Objects.requireNonNull(warning, "the warning"));
        }

        synchronized void annotate(String key, String value) {
            annotations.put(Objects.requireNonNull(key, "the key"), Objects.requireNonNull(value, "the value"));
        }

        synchronized List<String> warnings() {
            return List.copyOf(warnings);
        }

        synchronized Map<String, String> annotations() {
            return new LinkedHashMap<>(annotations);
        }
    }
}
