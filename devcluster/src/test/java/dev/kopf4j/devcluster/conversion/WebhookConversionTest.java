package dev.kopf4j.devcluster.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Custom objects of several versions, between which a webhook converts. */
class WebhookConversionTest {
    private static final String V1 = "/apis/kopf.dev/v1/namespaces/default/boxes";
    private static final String V2 = "/apis/kopf.dev/v2/namespaces/default/boxes";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = DEFINITIONS + "/boxes.kopf.dev";
    private static final String FAILED = "conversion webhook for kopf.dev/v1, Kind=Box failed: ";
    private final SizeConverter webhook = new SizeConverter();
    private final InMemory cluster = new InMemory(options -> options.webhookCaller(webhook));

    @BeforeEach
    void define() {
        assertThat(status("POST", DEFINITIONS, definition("v1"))).isEqualTo(201);
        assertThat(status("POST", V1, box("v1", "a", "size: 3x4"))).isEqualTo(201);
        assertThat(webhook.takeReviews()).as("v1 is stored as it is").isEmpty();
    }

    private static String definition(String storage) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  conversion:
                    strategy: Webhook
                    webhook:
                      conversionReviewVersions: [v9, v1]
                      clientConfig: {url: "https://localhost:8443/convert"}
                  versions:
                  - name: v1
                    served: true
                    storage: V1
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, properties: {size: {type: string}}}
                  - name: v2
                    served: true
                    storage: V2
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            properties: {width: {type: integer}, height: {type: integer, maximum: 100}}
                """.replace("V1", String.valueOf(storage.equals("v1")))
                .replace("V2", String.valueOf(storage.equals("v2")));
    }

    private int status(String method, String path, String body) {
        return cluster.send(method, path, body).status();
    }

    private static String box(String version, String name, String spec) {
        return "{apiVersion: kopf.dev/" + version + ", kind: Box, metadata: {name: " + name + ", labels: {name: " + name
                + "}}, spec: {" + spec + "}}";
    }

    private static String size(JsonNode box) {
        return Json.text(box.path("spec"));
    }

    private void storeV2() {
        store(1);
    }

    private void storeV1() {
        store(0);
    }

    private void store(int version) {
        JsonNode present = cluster.get(DEFINITION);
        ObjectNode next = ((ObjectNode) present).deepCopy();
        ((ObjectNode) next.path("spec").path("versions").path(0)).put("storage", version == 0);
        ((ObjectNode) next.path("spec").path("versions").path(1)).put("storage", version == 1);
        assertThat(status("PUT", DEFINITION, Json.text(next))).isEqualTo(200);
    }

    @Test
    void aGetInAnotherVersionIsConverted() {
        JsonNode box = cluster.get(V2 + "/a");
        assertThat(size(box)).isEqualTo("{\"height\":4,\"width\":3}");
        assertThat(Json.string(box, "apiVersion")).isEqualTo("kopf.dev/v2");
        assertThat(Json.string(box, "metadata", "resourceVersion"))
                .isEqualTo(Json.string(cluster.get(V1 + "/a"), "metadata", "resourceVersion"));
    }

    @Test
    void theReviewIsThatOfTheApi() {
        cluster.get(V2 + "/a");
        assertThat(webhook.urls()).containsExactly("https://localhost:8443/convert?timeout=30s");
        JsonNode review = webhook.takeReviews().getFirst();
        assertThat(Json.string(review, "kind")).isEqualTo("ConversionReview");
        assertThat(Json.string(review, "apiVersion")).isEqualTo("apiextensions.k8s.io/v1");
        assertThat(Json.string(review, "request", "uid")).isNotEmpty();
        assertThat(Json.string(review, "request", "desiredAPIVersion")).isEqualTo("kopf.dev/v2");
        assertThat(Json.text(review.path("response")))
                .isEqualTo("{\"uid\":\"\",\"convertedObjects\":null,\"result\":{\"metadata\":{}}}");
        JsonNode sent = review.path("request").path("objects").path(0);
        assertThat(Json.string(sent, "apiVersion")).isEqualTo("kopf.dev/v1");
        assertThat(Json.string(sent, "kind")).isEqualTo("Box");
        assertThat(sent.path("metadata").has("uid")).isTrue();
        assertThat(sent.path("metadata").has("resourceVersion")).isFalse();
    }

    @Test
    void eachObjectOfAListIsConverted() {
        cluster.send("POST", V1, box("v1", "b", "size: 5x6"));
        assertThat(cluster.get(V2).path("items").valueStream().map(WebhookConversionTest::size))
                .containsExactly("{\"height\":4,\"width\":3}", "{\"height\":6,\"width\":5}");
        assertThat(webhook.takeReviews())
                .hasSize(2)
                .allMatch(review -> review.path("request").path("objects").size() == 1);
        assertThat(cluster.get(V2 + "?labelSelector=name=b")
                        .path("items")
                        .valueStream()
                        .map(WebhookConversionTest::size))
                .containsExactly("{\"height\":6,\"width\":5}");
    }

    @Test
    void aWatchShowsItsOwnVersion() {
        try (WatchStream watch = watch(V2 + "?watch=true")) {
            assertThat(events(watch)).contains("\"ADDED\"", "{\"height\":4,\"width\":3}");
            cluster.send("PATCH", V1 + "/a", "{\"spec\":{\"size\":\"7x8\"}}");
            assertThat(events(watch)).contains("\"MODIFIED\"", "{\"height\":8,\"width\":7}");
            cluster.send("DELETE", V1 + "/a", "");
            assertThat(events(watch)).contains("\"DELETED\"", "{\"height\":8,\"width\":7}");
        }
    }

    @Test
    void aWatchEndsWithAnErrorWhereTheWebhookFails() {
        webhook.fail("no route to host");
        try (WatchStream watch = watch(V2 + "?watch=true")) {
            assertThat(events(watch)).contains("\"ERROR\"", FAILED + "no route to host");
            assertThat(watch.ended()).isTrue();
        }
    }

    private WatchStream watch(String path) {
        ApiRequest request =
                ApiRequest.of("GET", path, Map.of("authorization", "Bearer " + InMemory.TOKEN), new byte[0]);
        return ((ApiResponse.Events) cluster.server().handle(request).body()).stream();
    }

    private static String events(WatchStream watch) {
        return new String(watch.take().orElseThrow(), StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenInAnotherVersionIsStoredInTheStorageVersion() {
        JsonNode made = cluster.json("POST", V2, box("v2", "b", "width: 5, height: 6"));
        assertThat(size(made)).isEqualTo("{\"height\":6,\"width\":5}");
        assertThat(webhook.takeReviews().stream().map(review -> Json.string(review, "request", "desiredAPIVersion")))
                .as("to be stored, and to be answered")
                .containsExactly("kopf.dev/v1", "kopf.dev/v2");
        assertThat(size(cluster.get(V1 + "/b"))).isEqualTo("{\"size\":\"5x6\"}");
        assertThat(webhook.takeReviews()).isEmpty();
        JsonNode patched = cluster.json("PATCH", V2 + "/b", "{\"spec\":{\"height\":7}}");
        assertThat(size(patched)).isEqualTo("{\"height\":7,\"width\":5}");
        assertThat(size(cluster.get(V1 + "/b"))).isEqualTo("{\"size\":\"5x7\"}");
        assertThat(cluster.get(V1 + "/b").path("metadata").path("generation").intValue())
                .isEqualTo(2);
    }

    @Test
    void anObjectIsValidatedInTheVersionThatTheClientUses() {
        JsonNode refused = cluster.json("POST", V2, box("v2", "b", "width: 5, height: 101"));
        assertThat(refused.path("code").intValue()).isEqualTo(422);
        assertThat(webhook.takeReviews()).isEmpty();
    }

    @Test
    void objectsKeepTheVersionInWhichTheyWereStoredUntilTheyAreWritten() {
        storeV2();
        assertThat(Json.text(cluster.get(DEFINITION).path("status").path("storedVersions")))
                .isEqualTo("[\"v1\",\"v2\"]");
        assertThat(size(cluster.get(V1 + "/a"))).isEqualTo("{\"size\":\"3x4\"}");
        assertThat(webhook.takeReviews()).as("it is still stored in v1").isEmpty();
        assertThat(size(cluster.get(V2 + "/a"))).isEqualTo("{\"height\":4,\"width\":3}");
        assertThat(webhook.takeReviews()).hasSize(1);
        cluster.send("PATCH", V1 + "/a", "{\"spec\":{\"size\":\"9x9\"}}");
        webhook.takeReviews();
        assertThat(size(cluster.get(V2 + "/a"))).isEqualTo("{\"height\":9,\"width\":9}");
        assertThat(webhook.takeReviews()).as("it is stored in v2 now").isEmpty();
        assertThat(size(cluster.get(V1 + "/a"))).isEqualTo("{\"size\":\"9x9\"}");
        assertThat(webhook.takeReviews()).hasSize(1);
    }

    @Test
    void aWriteWithoutAChangeMigratesAnObjectToTheStorageVersion() {
        storeV2();
        JsonNode before = cluster.get(V1 + "/a");
        try (WatchStream watch = watch(V2 + "?watch=true&resourceVersion=" + version(before))) {
            assertThat(status("PUT", V1 + "/a", Json.text(before))).isEqualTo(200);
            assertThat(events(watch)).contains("\"MODIFIED\"");
        }
        JsonNode after = cluster.get(V1 + "/a");
        assertThat(version(after)).isNotEqualTo(version(before));
        assertThat(status("PUT", V1 + "/a", Json.text(after))).isEqualTo(200);
        assertThat(version(cluster.get(V1 + "/a"))).as("it is migrated already").isEqualTo(version(after));
        cluster.send("PATCH", DEFINITION + "/status", "{\"status\":{\"storedVersions\":[\"v2\"]}}");
        ObjectNode definition = ((ObjectNode) cluster.get(DEFINITION)).deepCopy();
        ((ArrayNode) definition.path("spec").path("versions")).remove(0);
        assertThat(status("PUT", DEFINITION, Json.text(definition))).isEqualTo(200);
        assertThat(size(cluster.get(V2 + "/a"))).isEqualTo("{\"height\":4,\"width\":3}");
    }

    private static String version(JsonNode object) {
        return Json.string(object, "metadata", "resourceVersion");
    }

    @Test
    void aVersionLeavesTheStoredOnesOnlyByTheStatus() {
        storeV2();
        String status = "{\"status\":{\"storedVersions\":[\"v2\"]}}";
        assertThat(status("PATCH", DEFINITION + "/status", status)).isEqualTo(200);
        assertThat(Json.text(cluster.get(DEFINITION).path("status").path("storedVersions")))
                .isEqualTo("[\"v2\"]");
    }

    @Test
    void labelsAndAnnotationsMayBeConvertedButNoOtherMetadata() {
        webhook.answer(answer -> {
            ObjectNode metadata = (ObjectNode) answer.at("/response/convertedObjects/0/metadata");
            metadata.putObject("labels").put("colour", "red");
            metadata.putArray("finalizers").add("kopf.dev/hold");
            metadata.put("generation", 99);
            return answer;
        });
        JsonNode metadata = cluster.get(V2 + "/a").path("metadata");
        assertThat(Json.text(metadata.path("labels"))).isEqualTo("{\"colour\":\"red\"}");
        assertThat(Json.string(metadata, "annotations", "converted-to")).isEqualTo("kopf.dev/v2");
        assertThat(metadata.has("finalizers")).isFalse();
        assertThat(metadata.path("generation").intValue()).isEqualTo(1);
    }

    @Test
    void whatTheSchemaDoesNotNameIsDropped() {
        webhook.answer(answer -> {
            ((ObjectNode) answer.at("/response/convertedObjects/0/spec")).put("depth", 5);
            return answer;
        });
        assertThat(size(cluster.get(V2 + "/a"))).isEqualTo("{\"height\":4,\"width\":3}");
    }

    @Test
    void aFailingWebhookFailsEveryRequestThatNeedsIt() {
        webhook.fail("Post \"https://localhost:8443/convert?timeout=30s\": context deadline exceeded");
        for (String path : List.of(V2 + "/a", V2)) {
            JsonNode refused = cluster.get(path);
            assertThat(refused.path("code").intValue()).isEqualTo(500);
            assertThat(refused.has("reason")).isFalse();
            assertThat(Json.string(refused, "message"))
                    .isEqualTo(
                            FAILED + "Post \"https://localhost:8443/convert?timeout=30s\": context deadline exceeded");
        }
        JsonNode refused = cluster.json("POST", V2, box("v2", "b", "width: 5, height: 6"));
        assertThat(Json.string(refused, "message")).startsWith("conversion webhook for kopf.dev/v2, Kind=Box failed: ");
        assertThat(status("GET", V1 + "/b", "")).isEqualTo(404);
        assertThat(size(cluster.get(V1 + "/a"))).as("needs no webhook").isEqualTo("{\"size\":\"3x4\"}");
        webhook.fail("");
        assertThat(status("GET", V2 + "/a", "")).isEqualTo(200);
    }

    @Test
    void aDefinitionIsAppliedAgainWhileNobodyConverts() {
        webhook.fail("connection refused");
        cluster.server().apply(definition("v1"), cluster.time()::settle);
        assertThat(webhook.urls()).as("its objects are not asked for").isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /response/convertedObjects/0/metadata | {"name":"b"}                 | returned invalid object: must have the same name: a != b
            /response/convertedObjects/0          | {"apiVersion":"kopf.dev/v3"} | returned invalid object at index 0: invalid groupVersion (expected kopf.dev/v2, received kopf.dev/v3)
            /response/convertedObjects/0          | {"kind":"Bag"}               | returned invalid object at index 0: invalid kind (expected Box, received Bag)
            /response/convertedObjects/0/metadata | {"labels":{"a b":"c"}}       | returned invalid metadata: metadata.labels: Invalid value: "a b": name part must consist
            /response                             | {"convertedObjects":[]}      | returned 0 objects, expected 1
            /response/result                      | {"status":"Failed","message":"no such size"} | failed: no such size
            /response/result                      | {"status":"Failed"}          | failed: response.result.status was 'Failed', not 'Success'
            /response                             | {"uid":"other"}              | failed: expected response.uid="
            """)
    void anAnswerThatMakesNoSenseIsRefused(String pointer, String change, String message) {
        webhook.answer(answer -> {
            ((ObjectNode) answer.at(pointer)).setAll((ObjectNode) Json.parse(change));
            return answer;
        });
        JsonNode refused = cluster.get(V2 + "/a");
        assertThat(refused.path("code").intValue()).isEqualTo(500);
        assertThat(Json.string(refused, "message"))
                .startsWith("conversion webhook for kopf.dev/v1, Kind=Box " + message);
    }

    @Test
    void deletionNeedsNoWebhookInTheStoredVersion() {
        webhook.fail("no route to host");
        assertThat(status("DELETE", V1 + "/a", "")).isEqualTo(200);
        assertThat(status("GET", V1 + "/a", "")).isEqualTo(404);
    }

    @Test
    void aDefinitionGoesWithItsObjectsThoughTheWebhookFails() {
        webhook.fail("no route to host");
        assertThat(status("DELETE", DEFINITION, "")).isEqualTo(200);
        assertThat(status("GET", DEFINITION, "")).isEqualTo(404);
    }

    @Test
    void aDefinitionGoesWhenItsObjectsCanBeConvertedAgain() {
        storeV2();
        webhook.fail("no route to host");
        assertThat(status("DELETE", DEFINITION, "")).isEqualTo(200);
        assertThat(status("GET", V1 + "/a", ""))
                .as("it has to be read to be deleted")
                .isEqualTo(200);
        webhook.fail("");
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(status("GET", DEFINITION, "")).isEqualTo(404);
    }

    @Test
    void aNamespaceGoesWhenItsObjectsCanBeConvertedAgain() {
        storeV2();
        String namespaces = "/api/v1/namespaces";
        assertThat(status("POST", namespaces, "metadata: {name: full}")).isEqualTo(201);
        assertThat(status("POST", "/api/v1/namespaces/full/configmaps", "metadata: {name: a}"))
                .isEqualTo(201);
        assertThat(status("POST", V2.replace("default", "full"), box("v2", "b", "width: 1, height: 2")))
                .isEqualTo(201);
        storeV1();
        webhook.fail("no route to host");
        cluster.send("DELETE", namespaces + "/full", "");
        assertThat(status("GET", "/api/v1/namespaces/full/configmaps/a", ""))
                .as("others are deleted nonetheless")
                .isEqualTo(404);
        assertThat(status("GET", namespaces + "/full", "")).isEqualTo(200);
        webhook.fail("");
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(status("GET", namespaces + "/full", "")).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {conversionReviewVersions: [v1]}                                 | spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook
            {conversionReviewVersions: [v1], clientConfig: {}}               | spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required
            {clientConfig: {url: "https://h/"}}                              | spec.conversion.conversionReviewVersions: Required value
            {conversionReviewVersions: [v9], clientConfig: {url: "https://h/"}} | spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1
            {conversionReviewVersions: [v1, v1], clientConfig: {url: "https://h/"}} | spec.conversion.conversionReviewVersions[1]: Invalid value: "v1": duplicate version
            {conversionReviewVersions: [v1], clientConfig: {url: "http://h/"}} | spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme
            {conversionReviewVersions: [v1], clientConfig: {url: "https://h/?a=b"}} | spec.conversion.webhookClientConfig.url: Invalid value: "a=b": query parameters are not permitted in the URL
            {conversionReviewVersions: [v1], clientConfig: {service: {name: s}}} | spec.conversion.webhookClientConfig.service.namespace: Required value: service namespace is required
            {conversionReviewVersions: [v1], clientConfig: {service: {name: s, namespace: 'n', path: a}}} | spec.conversion.webhookClientConfig.service.path: Invalid value: "a": must start with a '/'
            {conversionReviewVersions: [v1], clientConfig: {service: {name: s, namespace: 'n', port: 70000}}} | spec.conversion.webhookClientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive
            """)
    void aDefinitionWithAnUnusableWebhookIsRefused(String webhookStanza, String message) {
        String definition = definition("v1").replace("boxes", "bags").replace("Box", "Bag");
        int from = definition.indexOf("    webhook:");
        String changed = definition.substring(0, from) + "    webhook: " + webhookStanza + "\n"
                + definition.substring(definition.indexOf("  versions:"));
        JsonNode refused = cluster.json("POST", DEFINITIONS, changed);
        assertThat(refused.path("code").intValue()).isEqualTo(422);
        assertThat(Json.string(refused, "message")).contains(message);
    }

    @Test
    void aServiceIsReachedAtItsUsualPortUnlessAnotherIsNamed() {
        String service = "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":"
                + "{\"url\":null,\"service\":{\"name\":\"s\",\"namespace\":\"n\",\"path\":\"/c\"}}}}}}";
        JsonNode changed = cluster.json("PATCH", DEFINITION, service);
        assertThat(changed.at("/spec/conversion/webhook/clientConfig/service/port")
                        .intValue())
                .isEqualTo(443);
        assertThat(Json.string(cluster.get(V2 + "/a"), "message"))
                .startsWith(FAILED + "service \"s\" not found; ")
                .contains("--service n/s=PORT");
    }
}
