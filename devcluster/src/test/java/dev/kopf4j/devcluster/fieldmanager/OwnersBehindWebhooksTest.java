package dev.kopf4j.devcluster.fieldmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What mutating webhooks change belongs to nobody, and they see who owns the rest. */
class OwnersBehindWebhooksTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String INJECT =
            "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"injected\":\"yes\"}}]";
    private final List<JsonNode> asked = new ArrayList<>();
    private String patch = INJECT;
    private final InMemory cluster =
            new InMemory(options -> options.webhookCaller((url, authorities, body, timeout) -> answer(body)));

    private byte[] answer(byte[] review) {
        JsonNode request = Json.parse(review).path("request");
        asked.add(request);
        String operations = Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8));
        return ("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":\""
                        + Json.string(request, "uid")
                        + "\",\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":\"" + operations + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private void webhook() {
        JsonNode made =
                cluster.json("POST", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", """
                metadata: {name: w}
                webhooks:
                - name: check.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: {url: "https://localhost/admit"}
                  rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: ['*/*']}]
                """);
        assertThat(Json.string(made, "metadata", "uid")).as("%s", made).isNotEmpty();
    }

    private ApiResponse apply(String manager, String map) {
        return cluster.send(
                "PATCH",
                MAPS + "/w?fieldManager=" + manager,
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: w, " + map,
                Map.of("content-type", "application/apply-patch+yaml"));
    }

    /** The managers with the names of the fields that they own. */
    private static String owners(JsonNode object) {
        return object.path("metadata")
                .path("managedFields")
                .valueStream()
                .map(entry -> Json.string(entry, "manager") + " " + Json.string(entry, "operation") + " "
                        + Json.string(entry, "subresource") + " " + entry.path("fieldsV1"))
                .collect(Collectors.joining("\n"));
    }

    private JsonNode seen() {
        return asked.getLast().path("object");
    }

    @Test
    void whatIsAddedToANewObjectMayBeAppliedByAnybody() {
        webhook();
        JsonNode made = cluster.json("POST", MAPS + "?fieldManager=maker", "{metadata: {name: w}, data: {a: b}}");
        String own = "maker Update  {\"f:data\":{\".\":{},\"f:a\":{}}}";
        assertThat(made.at("/metadata/labels/injected").asString()).isEqualTo("yes");
        assertThat(owners(made)).isEqualTo(own);
        assertThat(owners(seen())).isEqualTo(own);
        patch = "[]";
        assertThat(apply("other", "labels: {injected: 'no'}}}").status()).isEqualTo(200);
        assertThat(apply("other", "labels: {}}}").status()).isEqualTo(200);
        assertThat(cluster.get(MAPS + "/w").at("/metadata/labels").has("injected"))
                .isFalse();
    }

    @Test
    void whatIsAddedToAnAppliedObjectBelongsToNobody() {
        webhook();
        assertThat(apply("maker", "annotations: {a: b}}}").status()).isEqualTo(201);
        String own = "maker Apply  {\"f:metadata\":{\"f:annotations\":{\"f:a\":{}}}}";
        assertThat(owners(cluster.get(MAPS + "/w"))).isEqualTo(own);
        assertThat(owners(seen())).isEqualTo(own);
    }

    @ParameterizedTest
    @CsvSource({"PATCH", "PUT"})
    void whatIsAddedToAChangedObjectBelongsToNobody(String method) {
        cluster.send("POST", MAPS + "?fieldManager=maker", "{metadata: {name: w}, data: {a: b}}");
        webhook();
        JsonNode changed = cluster.json(
                method,
                MAPS + "/w?fieldManager=editor",
                "{\"metadata\":{\"name\":\"w\"},\"data\":{\"a\":\"b\",\"c\":\"d\"}}");
        String owners = "editor Update  {\"f:data\":{\"f:c\":{}}}\nmaker Update  {\"f:data\":{\".\":{},\"f:a\":{}}}";
        assertThat(changed.at("/metadata/labels/injected").asString()).isEqualTo("yes");
        assertThat(owners(changed)).isEqualTo(owners);
        assertThat(owners(seen())).isEqualTo(owners);
        assertThat(owners(asked.getLast().path("oldObject")))
                .isEqualTo("maker Update  {\"f:data\":{\".\":{},\"f:a\":{}}}");
    }

    /** Who writes the same in answer to each event would never come to rest. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PATCH | application/merge-patch+json",
                "PATCH | application/apply-patch+yaml",
                "PUT   | application/json"
            })
    void whatWebhooksSetBackIsNotStoredAgain(String method, String type) {
        cluster.send("POST", MAPS + "?fieldManager=maker", "{metadata: {name: w}, data: {a: 'y'}}");
        webhook();
        cluster.time().advance(Duration.ofSeconds(2));
        patch = "[{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"y\"}]";
        JsonNode first = written(method, type, "x");
        assertThat(owners(first)).contains("editor ", "{\"f:data\":{\"f:a\":{}}}");
        assertThat(first.at("/data/a").asString()).isEqualTo("y");
        cluster.time().advance(Duration.ofSeconds(2));
        assertThat(written(method, type, "x")).isEqualTo(first);
        assertThat(cluster.get(MAPS + "/w")).isEqualTo(first);
        patch = "[]";
        assertThat(written(method, type, "z").at("/metadata/managedFields").toString())
                .isNotEqualTo(first.at("/metadata/managedFields").toString())
                .contains(
                        cluster.time().instant().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private JsonNode written(String method, String type, String value) {
        String map = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"w\"},\"data\":{\"a\":\""
                + value + "\"}}";
        String target = MAPS + "/w?fieldManager=editor" + (type.contains("apply") ? "&force=true" : "");
        return Json.parse(InMemory.text(cluster.send(method, target, map, Map.of("content-type", type))));
    }

    @Test
    void unreadableOwnersAreRestoredWithAWarning() {
        webhook();
        patch = "[{\"op\":\"add\",\"path\":\"/metadata/managedFields/0/fieldsV1/x\",\"value\":{}}]";
        ApiResponse made = cluster.send("POST", MAPS + "?fieldManager=maker", "{metadata: {name: w}, data: {a: b}}");
        assertThat(made.headers())
                .anyMatch(header -> header.name().equals("Warning")
                        && header.value().contains(".metadata.managedFields was in an invalid state after admission"));
        assertThat(owners(cluster.get(MAPS + "/w"))).isEqualTo("maker Update  {\"f:data\":{\".\":{},\"f:a\":{}}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"remove\",\"path\":\"/metadata/managedFields\"}",
                "{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":[]}"
            })
    void webhooksMayTakeTheOwnersAway(String operation) {
        webhook();
        patch = "[" + operation + "]";
        cluster.send("POST", MAPS, "{metadata: {name: w}, data: {a: b}}");
        assertThat(cluster.get(MAPS + "/w").path("metadata").has("managedFields"))
                .isFalse();
    }

    /** It matters to nobody else whether a webhook is asked. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            /api/v1/namespaces                                   | ~~ | {"metadata":{"labels":{"a":"b"}}}
            /api/v1/namespaces/default/secrets                   | data: {a: eA==} | {"data":{"b":"eA=="}}
            /api/v1/namespaces/default/services                  | spec: {type: NodePort, selector: {a: b}, ports: [{port: 80}]} | {"spec":{"type":"LoadBalancer"}}
            /api/v1/namespaces/default/services                  | spec: {clusterIP: None} | {"spec":{"selector":{"a":"b"}}}
            /api/v1/namespaces/default/pods                      | spec: {priority: 0, containers: [{name: c, image: i}]} | {"spec":{"activeDeadlineSeconds":5}}
            /api/v1/namespaces/default/persistentvolumeclaims    | spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}} | {"metadata":{"labels":{"a":"b"}}}
            /apis/apps/v1/namespaces/default/deployments         | spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}} | {"spec":{"replicas":3}}
            /apis/batch/v1/namespaces/default/jobs               | spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}} | {"spec":{"suspend":true}}
            """)
    void othersAreRecordedAsWithoutWebhooks(String collection, String rest, String change) {
        String plain = written(new InMemory(options -> options), collection, rest, change);
        patch = "[]";
        webhook();
        assertThat(written(cluster, collection, rest, change)).isEqualTo(plain);
    }

    private static String written(InMemory cluster, String collection, String rest, String change) {
        JsonNode made = cluster.json("POST", collection + "?fieldManager=maker", "metadata: {name: w}\n" + rest);
        assertThat(Json.string(made, "metadata", "uid")).as("%s", made).isNotEmpty();
        JsonNode changed = cluster.json("PATCH", collection + "/w?fieldManager=editor", change);
        cluster.json("PATCH", collection + "/w/scale?fieldManager=scaler", "{\"spec\":{\"replicas\":5}}");
        JsonNode ended = cluster.json(
                "PATCH",
                collection + "/w/status?fieldManager=reporter",
                "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        return String.join("\n", owners(made), owners(changed), owners(ended), owners(cluster.get(collection + "/w")));
    }
}
