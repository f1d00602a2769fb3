package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers admission reviews as a test says, and keeps their requests. Confined to one thread. */
public final class AdmissionAnswers implements WebhookCaller {
    private final List<JsonNode> requests = new ArrayList<>();
    private Consumer<ObjectNode> answer = response -> response.put("allowed", true);
    private String failure = "";

    /** Has the following reviews answered in another way: the response has its uid already. */
    public void answer(Consumer<ObjectNode> response) {
        answer = response;
    }

    /** Denies what follows. */
    public void deny() {
        answer(response -> response.put("allowed", false)
                .putObject("status")
                .put("message", "not now")
                .put("code", 403));
    }

    /** Makes all later calls fail; works again with an empty text. */
    public void fail(String message) {
        failure = message;
    }

    /** The requests of the reviews since the last call. */
    public List<JsonNode> take() {
        List<JsonNode> taken = List.copyOf(requests);
        requests.clear();
        return taken;
    }

    /** A text of the request that is being answered. */
    public String last(String field) {
        return Json.string(requests.getLast(), field);
    }

    /** The configuration of a webhook for some operations on a core resource. */
    public static String configuration(String kind, String operation, String resource) {
        return """
                apiVersion: admissionregistration.k8s.io/v1
                kind: %s
                metadata: {name: w}
                webhooks:
                - name: check.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: {url: "https://localhost/admit"}
                  rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [%s], resources: [%s]}]
                """.formatted(kind, operation, resource);
    }

    @Override
    public byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException {
        JsonNode review = Json.parse(body);
        requests.add(review.path("request"));
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
        ObjectNode answered =
                Json.object().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        answer.accept(answered.putObject("response").put("uid", Json.string(review, "request", "uid")));
        return Json.bytes(answered);
    }
}
