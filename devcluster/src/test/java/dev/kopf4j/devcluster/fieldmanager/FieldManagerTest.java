package dev.kopf4j.devcluster.fieldmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Who creates an object of a built-in kind owns what he sent and the defaults, but not what every object has. */
class FieldManagerTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private final InMemory cluster = new InMemory(UnaryOperator.identity());

    private static void collect(String path, JsonNode fields, List<String> into) {
        fields.properties().forEach(entry -> {
            String name = entry.getKey().startsWith("k:") ? "*" : entry.getKey().replaceFirst("^f:", "");
            if (entry.getValue().isEmpty()) {
                into.add(name.equals(".") ? path : path + "/" + name);
            } else {
                collect(path + "/" + name, entry.getValue(), into);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/namespaces | metadata: {name: x} | /metadata/labels /metadata/labels/kubernetes.io/metadata.name",
                "/api/v1/namespaces/default/secrets | {metadata: {name: x}, data: {a: eA==}} | /data /data/a /type",
                "/api/v1/namespaces/default/services | {metadata: {name: x}, spec: {type: NodePort, selector: {a: b}, ports: [{port: 80}]}} | /spec/externalTrafficPolicy /spec/internalTrafficPolicy /spec/ports /spec/ports/* /spec/ports/*/port /spec/ports/*/protocol /spec/ports/*/targetPort /spec/selector /spec/sessionAffinity /spec/type",
                "/api/v1/namespaces/default/services | {metadata: {name: x}, spec: {clusterIP: None}} | /spec/clusterIP /spec/internalTrafficPolicy /spec/sessionAffinity /spec/type",
                "/api/v1/namespaces/default/pods | {metadata: {name: x}, spec: {priority: 0, containers: [{name: c, image: i}]}} | /spec/containers/* /spec/containers/*/image /spec/containers/*/imagePullPolicy /spec/containers/*/name /spec/containers/*/resources /spec/containers/*/terminationMessagePath /spec/containers/*/terminationMessagePolicy /spec/dnsPolicy /spec/enableServiceLinks /spec/priority /spec/restartPolicy /spec/schedulerName /spec/securityContext /spec/terminationGracePeriodSeconds",
                "/api/v1/namespaces/default/persistentvolumeclaims | {metadata: {name: x}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}} | /spec/accessModes /spec/resources/requests /spec/resources/requests/storage /spec/volumeMode",
                "/apis/batch/v1/namespaces/default/jobs | {metadata: {name: x, labels: {a: b}}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, imagePullPolicy: Never}]}}}} | /metadata/labels /metadata/labels/a /spec/backoffLimit /spec/completionMode /spec/completions /spec/manualSelector /spec/parallelism /spec/podReplacementPolicy /spec/suspend /spec/template/spec/containers/* /spec/template/spec/containers/*/image /spec/template/spec/containers/*/imagePullPolicy /spec/template/spec/containers/*/name /spec/template/spec/containers/*/resources /spec/template/spec/containers/*/terminationMessagePath /spec/template/spec/containers/*/terminationMessagePolicy /spec/template/spec/dnsPolicy /spec/template/spec/restartPolicy /spec/template/spec/schedulerName /spec/template/spec/securityContext /spec/template/spec/terminationGracePeriodSeconds",
                "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles | metadata: {name: x} | ",
            })
    void ownsWhatWasSentAndTheDefaults(String collection, String object, @Nullable String fields) {
        JsonNode created = cluster.json("POST", collection + "?fieldManager=me", object);
        List<String> owned = new ArrayList<>();
        collect("", created.path("metadata").path("managedFields").path(0).path("fieldsV1"), owned);
        assertThat(created.path("metadata").has("uid")).as(created::toString).isTrue();
        assertThat(owned.stream().sorted().toList())
                .isEqualTo(fields == null ? List.of() : List.of(fields.split(" ", -1)));
    }

    @Test
    @Timeout(20)
    void longListsWithKeysTakeNoLongTime() {
        String ports = IntStream.range(0, 6000)
                .mapToObj(number -> "{name: P" + number + ", value: '1'}")
                .collect(Collectors.joining(", "));
        String pod = "metadata: {name: x}\nspec: {containers: [{name: c, image: i, env: [" + ports + "]}]}";
        JsonNode created = cluster.json("POST", "/api/v1/namespaces/default/pods?fieldManager=me", pod);
        assertThat(created.at("/spec/containers/0/env")).as("%s", created).hasSize(6000);
        JsonNode patched =
                cluster.json("PATCH", "/api/v1/namespaces/default/pods/x", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(patched.at("/metadata/labels/a").asString()).isEqualTo("b");
    }

    /** Its {@code stringData} are compared before they become data. */
    @Test
    void aSecretThatIsAppliedAgainIsNotStored() {
        JsonNode first = appliedSecret();
        cluster.time().advance(Duration.ofSeconds(2));
        assertThat(appliedSecret()).isEqualTo(first);
        assertThat(first.at("/data/a").asString()).isEqualTo("eA==");
    }

    private JsonNode appliedSecret() {
        String secret = "{apiVersion: v1, kind: Secret, metadata: {name: x}, stringData: {a: x}}";
        return Json.parse(InMemory.text(cluster.send(
                "PATCH",
                "/api/v1/namespaces/default/secrets/x?fieldManager=me",
                secret,
                Map.of("content-type", "application/apply-patch+yaml"))));
    }

    private static String owners(JsonNode object) {
        return object.path("metadata")
                .path("managedFields")
                .valueStream()
                .map(entry -> entry.path("manager").asString() + " " + entry.path("fieldsV1"))
                .collect(Collectors.joining("\n"));
    }

    /** They are those of the object, whose list nobody means to change there. */
    @ParameterizedTest
    @CsvSource({"/api/v1/namespaces/default/pods", "/apis/rules.example.com/v1/namespaces/default/boxes"})
    void statusesGiveNoOwnersUp(String collection) {
        cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: boxes.rules.example.com}
                spec:
                  group: rules.example.com
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                          status: {type: object, properties: {phase: {type: string}}}
                """);
        JsonNode created = cluster.json("POST", collection + "?fieldManager=me", """
                apiVersion: %s
                kind: %s
                metadata: {name: x, labels: {a: b}}
                spec: {containers: [{name: c, image: i}]}
                """.formatted(
                        collection.contains("pods") ? "v1" : "rules.example.com/v1",
                        collection.contains("pods") ? "Pod" : "Box"));
        assertThat(owners(created)).startsWith("me {");
        JsonNode changed = cluster.json(
                "PATCH",
                collection + "/x/status?fieldManager=me",
                "{\"metadata\":{\"managedFields\":[]},\"status\":{\"phase\":\"Pending\"}}");
        assertThat(owners(changed)).as("%s", changed).startsWith(owners(created));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"manager":"m","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}
            {"manager":"m","operation":"Take","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}
            {"manager":"m","operation":"Apply","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV2","fieldsV1":{"f:data":{}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"x":{}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"data":{}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"k:[]":{}}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"v:a":{}}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"i:one":{}}}}
            {"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":1}}
            """)
    void unreadableOwnersCountAsNoneSent(String entry) {
        String owners = owners(cluster.json("POST", MAPS + "?fieldManager=me", "{metadata: {name: x}, data: {a: b}}"));
        JsonNode written = cluster.json(
                "PUT",
                MAPS + "/x?fieldManager=other",
                "{\"metadata\":{\"name\":\"x\",\"managedFields\":[" + entry + "]},\"data\":{\"a\":\"b\"}}");
        assertThat(owners(written)).isEqualTo(owners);
    }

    @Test
    void readableOwnersAreTakenOver() {
        cluster.send("POST", MAPS + "?fieldManager=me", "{metadata: {name: x}, data: {a: b}}");
        JsonNode written = cluster.json("PUT", MAPS + "/x?fieldManager=other", """
                {"metadata":{"name":"x","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1",
                "fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}},"z:later":{"x":{}}}}]},"data":{"a":"b"}}
                """);
        assertThat(owners(written)).isEqualTo("m {\"f:data\":{\"f:a\":{}}}");
    }

    @Test
    void anEmptyListForgetsTheOwnersOfAnObjectThatIsThere() {
        JsonNode created = cluster.json(
                "POST", MAPS + "?fieldManager=me", "{metadata: {name: x, managedFields: []}, data: {a: b}}");
        assertThat(owners(created)).isEqualTo("me {\"f:data\":{\".\":{},\"f:a\":{}}}");
        JsonNode written = cluster.json(
                "PUT", MAPS + "/x", "{\"metadata\":{\"name\":\"x\",\"managedFields\":[]},\"data\":{\"a\":\"c\"}}");
        assertThat(written.path("metadata").has("managedFields"))
                .as("%s", written)
                .isFalse();
    }

    /** {@code DefaultMaxUpdateManagers}. */
    @Test
    void ofMoreThanTenUpdatesTheOldestAreOne() {
        cluster.send("POST", MAPS + "?fieldManager=m-0", "{metadata: {name: x}, data: {k0: v}}");
        for (int count = 1; count < 30; count++) {
            cluster.time().advance(Duration.ofSeconds(1));
            cluster.send("PATCH", MAPS + "/x?fieldManager=m-" + count, "{\"data\":{\"k" + count + "\":\"v\"}}");
        }
        List<String> owners = owners(cluster.get(MAPS + "/x")).lines().toList();
        assertThat(owners).hasSize(10);
        assertThat(owners.getFirst()).startsWith("ancient-changes {\"f:data\":{\".\":{},\"f:k0\":{},\"f:k1\":{}");
        assertThat(owners.get(1)).isEqualTo("m-21 {\"f:data\":{\"f:k21\":{}}}");
        assertThat(owners.getFirst().split("f:k", -1)).hasSize(22);
    }
}
