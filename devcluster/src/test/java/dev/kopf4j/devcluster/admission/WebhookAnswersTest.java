package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the server demands of the answers of webhooks. Tests {@link AdmissionResponses}. */
class WebhookAnswersTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    /** The patch {@code [{"op":"add","path":"/data","value":{"a":"b"}}]}. */
    private static final String PATCH =
            "\"patch\":\"W3sib3AiOiJhZGQiLCJwYXRoIjoiL2RhdGEiLCJ2YWx1ZSI6eyJhIjoiYiJ9fV0=\"";

    private final List<JsonNode> asked = new ArrayList<>();
    private String answer = "";
    private final InMemory cluster =
            new InMemory(options -> options.webhookCaller((url, authorities, body, timeout) -> answer(body)));

    private byte[] answer(byte[] review) {
        JsonNode read = Json.parse(review);
        asked.add(read);
        return answer.replace("UID", Json.string(read, "request", "uid"))
                .replace("PATCH", PATCH)
                .getBytes(StandardCharsets.UTF_8);
    }

    private void webhook(String kind, String failurePolicy, String reviewVersions) {
        JsonNode made = cluster.json(
                "POST", "/apis/admissionregistration.k8s.io/v1/" + kind + "webhookconfigurations", """
                metadata: {name: w}
                webhooks:
                - name: check.example.com
                  admissionReviewVersions: %s
                  failurePolicy: %s
                  sideEffects: None
                  clientConfig: {url: "https://localhost/admit"}
                  rules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]
                """.formatted(
                                reviewVersions, failurePolicy));
        assertThat(Json.string(made, "metadata", "uid")).as("%s", made).isNotEmpty();
    }

    private JsonNode create() {
        return cluster.json("POST", MAPS, "metadata: {name: x}");
    }

    private static String review(String response) {
        return "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{" + response + "}}";
    }

    private void assertCallFails(String kind, String failurePolicy, String why) {
        webhook(kind, failurePolicy, "[v1]");
        JsonNode answered = create();
        if (failurePolicy.equals("Ignore")) {
            assertThat(Json.string(answered, "metadata", "name"))
                    .as("%s", answered)
                    .isEqualTo("x");
            assertThat(answered.has("data")).isFalse();
            return;
        }
        assertThat(Json.string(answered, "message"))
                .startsWith("Internal error occurred: failed calling webhook \"check.example.com\": " + why);
        assertThat(Json.string(answered, "reason")).isEqualTo("InternalError");
        assertThat(answered.path("code").intValue()).isEqualTo(500);
    }

    /** What {@code PrepareForCreate} derives, of the uid for example, they do not see. */
    @ParameterizedTest
    @CsvSource({"name: run", "generateName: run-"})
    void jobsGetTheirSelectorBehindMutatingWebhooks(String name) {
        answer = review("\"uid\":\"UID\",\"allowed\":true");
        mutating("batch", "jobs");
        JsonNode job = cluster.json("POST", "/apis/batch/v1/namespaces/default/jobs", """
                metadata: {%s}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}}
                """.formatted(name));
        String uid = Json.string(job, "metadata", "uid");
        assertThat(uid).as("%s", job).isNotEmpty();
        String key = "batch.kubernetes.io/controller-uid";
        assertThat(Json.string(job, "spec", "selector", "matchLabels", key)).isEqualTo(uid);
        assertThat(Json.string(job, "spec", "template", "metadata", "labels", "job-name"))
                .isEqualTo(Json.string(job, "metadata", "name"));
        assertThat(asked.getFirst().at("/request/object/spec").has("selector")).isFalse();
    }

    @Test
    void claimsGetBothOfTheirSourcesBehindMutatingWebhooks() {
        // [{"op":"replace","path":"/spec/dataSource/name","value":"b"}]
        answer = review("\"uid\":\"UID\",\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":"
                + "\"W3sib3AiOiJyZXBsYWNlIiwicGF0aCI6Ii9zcGVjL2RhdGFTb3VyY2UvbmFtZSIsInZhbHVlIjoiYiJ9XQ==\"");
        mutating("", "persistentvolumeclaims");
        JsonNode claim = cluster.json("POST", "/api/v1/namespaces/default/persistentvolumeclaims", """
                metadata: {name: c}
                spec:
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: a}
                """);
        assertThat(Json.string(claim, "spec", "dataSource", "name"))
                .as("%s", claim)
                .isEqualTo("b");
        assertThat(Json.string(claim, "spec", "dataSourceRef", "name")).isEqualTo("b");
        assertThat(asked.getFirst().at("/request/object/spec").has("dataSourceRef"))
                .isFalse();
    }

    private void mutating(String group, String resource) {
        JsonNode made = cluster.json(
                "POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", """
                metadata: {name: w}
                webhooks:
                - name: check.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: {url: "https://localhost/admit"}
                  rules: [{apiGroups: ['%s'], apiVersions: [v1], operations: ['*'], resources: [%s]}]
                """.formatted(
                                group, resource));
        assertThat(Json.string(made, "metadata", "uid")).as("%s", made).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            validating | Fail   | "uid":"UID","allowed":true,PATCH                            | validating webhook may not return response.patch
            validating | Fail   | "uid":"UID","allowed":true,PATCH,"patchType":"JSONPatch"    | validating webhook may not return response.patch
            validating | Ignore | "uid":"UID","allowed":true,PATCH,"patchType":"JSONPatch"    | validating webhook may not return response.patch
            validating | Fail   | "uid":"UID","allowed":false,PATCH,"patchType":"JSONPatch"   | validating webhook may not return response.patch
            validating | Ignore | "uid":"UID","allowed":false,PATCH,"patchType":"JSONPatch"   | validating webhook may not return response.patch
            validating | Fail   | "uid":"UID","allowed":true,"patchType":"JSONPatch"          | validating webhook may not return response.patchType
            mutating   | Fail   | "uid":"UID","allowed":true,PATCH                            | webhook returned response.patch but not response.patchType
            mutating   | Ignore | "uid":"UID","allowed":true,PATCH                            | webhook returned response.patch but not response.patchType
            mutating   | Fail   | "uid":"UID","allowed":true,"patchType":"JSONPatch"          | webhook returned response.patchType but not response.patch
            mutating   | Fail   | "uid":"UID","allowed":true,PATCH,"patchType":""             | webhook returned invalid response.patchType of ""
            mutating   | Fail   | "uid":"other","allowed":true                                | expected response.uid="
            """)
    void responsesAreToBeComplete(String kind, String failurePolicy, String response, String why) {
        answer = review(response);
        assertCallFails(kind, failurePolicy, "received invalid webhook response: " + why);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "kind":"AdmissionReview",                                        | received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=AdmissionReview
            "apiVersion":"admission.k8s.io/v1",                              | received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1, Kind=
            "apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview",| failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion
            "apiVersion":"v1","kind":"Status",                               | failed to call webhook: no kind "Status" is registered for version "v1"
            """)
    void answersAreToBeReviewsOfTheSameVersion(String head, String why) {
        answer = "{" + head + "\"response\":{\"uid\":\"UID\",\"allowed\":true}}";
        assertCallFails("mutating", "Fail", why);
    }

    @Test
    void aPatchOfAnotherTypeIsAFailedCall() {
        answer = review("\"uid\":\"UID\",\"allowed\":true,PATCH,\"patchType\":\"Merge\"");
        assertCallFails("mutating", "Fail", "unsupported patch type \"Merge\"");
    }

    @Test
    void aPatchThatIsNotBase64IsAFailedCall() {
        answer = review("\"uid\":\"UID\",\"allowed\":true,\"patch\":\"[]\",\"patchType\":\"JSONPatch\"");
        assertCallFails("mutating", "Ignore", "");
    }

    @Test
    void warningsOfAResponseThatIsNotTakenAreNotToldEither() {
        webhook("validating", "Ignore", "[v1]");
        answer = review("\"uid\":\"UID\",\"allowed\":true,\"warnings\":[\"beware\"]");
        assertThat(warnings("x")).contains("beware");
        answer = review("\"uid\":\"UID\",\"allowed\":true,\"warnings\":[\"beware\"],PATCH");
        assertThat(warnings("y")).doesNotContain("beware");
    }

    private String warnings(String name) {
        return cluster.send("POST", MAPS, "metadata: {name: '" + name + "'}")
                .headers()
                .toString();
    }

    @Test
    void aPatchAppliesWhereItBelongs() {
        answer = review("\"uid\":\"UID\",\"allowed\":true,PATCH,\"patchType\":\"JSONPatch\"");
        webhook("mutating", "Fail", "[v1]");
        assertThat(Json.string(create(), "data", "a")).isEqualTo("b");
        assertThat(Json.string(cluster.json("DELETE", MAPS + "/x", ""), "message"))
                .isEqualTo("Internal error occurred: admission webhook \"check.example.com\" attempted to modify the"
                        + " object, which is not supported for this operation");
    }

    /** Neither the uid nor the type of the patch were demanded then. */
    @Test
    void webhooksOfTheFirstVersionGetAndGiveReviewsOfIt() {
        answer = "{\"response\":{\"allowed\":true,PATCH}}";
        webhook("mutating", "Fail", "[v1beta1, v1]");
        assertThat(Json.string(create(), "data", "a")).isEqualTo("b");
        assertThat(Json.string(asked.getFirst(), "apiVersion")).isEqualTo("admission.k8s.io/v1beta1");
    }

    @Test
    void updatesAreSeenWithTheirDefaults() {
        answer = review("\"uid\":\"UID\",\"allowed\":true");
        String services = "/api/v1/namespaces/default/services";
        cluster.json("POST", services, "{metadata: {name: x}, spec: {ports: [{port: 80}]}}");
        webhook("mutating", "Fail", "[v1]");
        cluster.json(
                "PATCH",
                "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/w",
                "{\"webhooks\":[{\"name\":\"check.example.com\",\"admissionReviewVersions\":[\"v1\"],\"sideEffects\":\"None\","
                        + "\"clientConfig\":{\"url\":\"https://localhost/admit\"},\"rules\":[{\"apiGroups\":[\"\"],"
                        + "\"apiVersions\":[\"v1\"],\"operations\":[\"UPDATE\"],\"resources\":[\"services\"]}]}]}");
        cluster.json("PATCH", services + "/x", "{\"spec\":{\"ports\":[{\"port\":81}]}}");
        JsonNode seen = asked.getLast().at("/request/object/spec/ports/0");
        assertThat(Json.string(seen, "protocol")).as("%s", seen).isEqualTo("TCP");
        assertThat(seen.path("targetPort").intValue(0)).as("%s", seen).isEqualTo(81);
    }
}
