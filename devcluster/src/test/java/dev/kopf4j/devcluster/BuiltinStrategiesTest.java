package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What clients see of built-in kinds beyond their fields. */
class BuiltinStrategiesTest {
    private static final String ENDPOINTS =
            "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    /** A request that is signed with its key. */
    private static final String REQUEST = """
            LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWk1JR0FBZ0VBTUI0eERUQUxCZ05W\
            QkFNTUJHcGhibVV4RFRBTEJnTlZCQW9NQkhSbFlXMHdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFN\
            QkJ3TkNBQVRhTGRYZVl3TVEwS3lsNGhyZk8wa2FURFd1enV6MVBIa2hNbzBmClZVTm1hcEJTVVBEMUtU\
            Rm5pZ2VmVTlMa2dxNTdYM0E1MXl5TzJEaDY2WGEzb0M4R29BQXdDZ1lJS29aSXpqMEUKQXdJRFNBQXdS\
            UUlnQ2hDZHdrQkhPMVZIMGRCbVFGTnZUUmIyS2k2ZU1ickZ4UXpDVEpodlNsc0NJUURCSlNzZgpQV3Bx\
            dCtNZnkvOWxycWJUMWluRFJFeWdSYmJ4eWZ2ZVZhclJBUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJF\
            UVVFU1QtLS0tLQo=\
            """;

    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private final InMemory cluster = new InMemory(UnaryOperator.identity());

    private List<String> warnings(String method, String target, String body) {
        return cluster.send(method, target, body).headers().stream()
                .filter(header -> header.name().equals("Warning"))
                .map(ApiResponse.Header::value)
                .toList();
    }

    @Test
    void everyAnswerAboutDeprecatedKindsWarns() {
        String collection = "/api/v1/namespaces/default/endpoints";
        assertThat(warnings("POST", collection, "metadata: {name: x}")).containsExactly(ENDPOINTS);
        assertThat(warnings("GET", collection, "")).containsExactly(ENDPOINTS);
        assertThat(warnings("GET", collection + "?watch=true", "")).containsExactly(ENDPOINTS);
        assertThat(warnings("GET", collection + "/x", "")).containsExactly(ENDPOINTS);
        assertThat(warnings("GET", collection + "/nosuch", "")).containsExactly(ENDPOINTS);
        assertThat(warnings("PATCH", collection + "/x", "{}")).containsExactly(ENDPOINTS);
        assertThat(warnings("DELETE", collection + "/x", "")).containsExactly(ENDPOINTS);
        assertThat(warnings("DELETE", collection, "")).containsExactly(ENDPOINTS);
        assertThat(warnings("GET", "/api/v1/componentstatuses", ""))
                .containsExactly("299 - \"v1 ComponentStatus is deprecated in v1.19+\"");
        assertThat(warnings("GET", "/api/v1/namespaces/default/services", "")).isEmpty();
    }

    @Test
    void requestsForCertificatesTellWhoAsks() {
        JsonNode spec = cluster.json("POST", REQUESTS, """
                        metadata: {name: x}
                        spec: {request: %s, signerName: a.b/c, usages: [client auth], username: mallory, uid: '1'}
                        """.formatted(REQUEST)).path("spec");
        assertThat(spec.path("username").asString()).isEqualTo("kubernetes-admin");
        assertThat(spec.path("groups").get(0).asString()).isEqualTo("system:masters");
        assertThat(spec.has("uid")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Secret, here, 201",
        "Secret, nosuch, 404",
        "Pod, nosuch, 404",
        "Node, nosuch, 404",
    })
    void tokensAreBoundToWhatIsThere(String kind, String name, int status) {
        String home = "/api/v1/namespaces/default/";
        cluster.send("POST", home + "secrets", "metadata: {name: here}");
        cluster.send("POST", home + "serviceaccounts", "metadata: {name: me}");
        assertThat(cluster.send(
                                "POST",
                                home + "serviceaccounts/me/token",
                                "spec: {audiences: [], boundObjectRef: {apiVersion: v1, kind: " + kind + ", name: "
                                        + name + "}}")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void firstRolesSayThatTheServerKeepsThem() {
        JsonNode role =
                new InMemory(options -> options.rbac(true)).get("/apis/rbac.authorization.k8s.io/v1/clusterroles/view");
        assertThat(role.path("metadata").path("annotations").toString())
                .isEqualTo("{\"rbac.authorization.kubernetes.io/autoupdate\":\"true\"}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoMayDoEverythingIsToldSoOnce(boolean rbac) {
        JsonNode status = new InMemory(options -> options.rbac(rbac))
                .json("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", "spec: {namespace: default}")
                .path("status");
        assertThat(status.path("nonResourceRules")
                        .valueStream()
                        .filter(rule -> rule.path("nonResourceURLs").toString().equals("[\"*\"]")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{priorityLevelConfiguration: {name: p}} | 1000",
                "{priorityLevelConfiguration: {name: p}, matchingPrecedence: 0} | 1000",
                "{priorityLevelConfiguration: {name: p}, matchingPrecedence: 7} | 7",
            })
    void noNumberIsTheDefaultWhereTheTypeHasNoAbsence(String spec, int precedence) {
        JsonNode schema = cluster.json(
                "POST", "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", "metadata: {name: x}\nspec: " + spec);
        assertThat(schema.path("spec").path("matchingPrecedence").intValue()).isEqualTo(precedence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "configmaps | data: {a: 1} | number into Go struct field ConfigMap.data of type string",
                "configmaps | data: [a] | array into Go struct field ConfigMap.data of type map[string]string",
                "configmaps | metadata: {labels: {a: 1}} | number into Go struct field ObjectMeta.metadata.labels of type string",
                "pods | spec: {containers: [{name: a, env: [{name: b, value: true}]}]} | bool into Go struct field EnvVar.spec.containers.env.value of type string",
                "pods | spec: {containers: {name: a}} | object into Go struct field PodSpec.spec.containers of type []v1.Container",
                "pods | spec: {containers: [], volumes: [{name: a, emptyDir: x}]} | string into Go struct field Volume.spec.volumes.emptyDir of type v1.EmptyDirVolumeSource",
                "pods | spec: {terminationGracePeriodSeconds: x} | string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64",
                "services | spec: {ports: [{port: 1.5}]} | number 1.5 into Go struct field ServicePort.spec.ports.port of type int32",
                "pods | spec: {hostNetwork: x} | string into Go struct field PodSpec.spec.hostNetwork of type bool",
            })
    void namesThePathToAValueOfTheWrongType(String plural, String body, String words) {
        String answer = cluster.json("POST", "/api/v1/namespaces/default/" + plural, body)
                .path("message")
                .asString();
        assertThat(answer).endsWith(": json: cannot unmarshal " + words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * | expected exactly 5 fields, found 4: [* * * *]",
                "bad | expected exactly 5 fields, found 1: [bad]",
                "61 * * * * | end of range (61) above maximum (59): 61",
                "* * 0 * * | beginning of range (0) below minimum (1): 0",
                "5-3 * * * * | beginning of range (5) beyond end of range (3): 5-3",
                "1-2-3 * * * * | too many hyphens: 1-2-3",
                "*/1/2 * * * * | too many slashes: */1/2",
                "*/0 * * * * | step of range should be a positive number: */0",
                "* * * * mo | failed to parse int from mo: strconv.Atoi: parsing \"mo\": invalid syntax",
                "@often | unrecognized descriptor: @often",
                "TZ=UTC * * * * * | cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
                "'1-5/2,7 */3 1,15 JAN-mar Mon' |",
                "@hourly |",
            })
    void tellsWhatIsWrongWithASchedule(String schedule, @Nullable String wrong) {
        JsonNode answer = cluster.json("POST", "/apis/batch/v1/namespaces/default/cronjobs", """
                metadata: {name: x}
                spec:
                  schedule: "%s"
                  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
                """.formatted(schedule));
        if (wrong == null) {
            assertThat(answer.path("kind").asString()).isEqualTo("CronJob");
        } else {
            assertThat(answer.path("message").asString())
                    .isEqualTo("CronJob.batch \"x\" is invalid: spec.schedule: Invalid value: \"" + schedule + "\": "
                            + wrong);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/api/v1/namespaces/default/services | spec: {type: NodePort, ports: [{port: 1, nodePort: 99999}]} | spec.ports[0].nodePort: Invalid value: 99999: provided port is not in the valid range. The range of valid ports is 30000-32767",
                "/api/v1/namespaces/default/pods | spec: {activeDeadlineSeconds: 0, containers: [{name: a, image: b}]} | spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
                "/apis/batch/v1/namespaces/default/jobs | spec: {template: {spec: {activeDeadlineSeconds: 2147483648, restartPolicy: Never, containers: [{name: a, image: b}]}}} | spec.template.spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive",
                "/api/v1/namespaces/default/secrets | {type: kubernetes.io/dockerconfigjson, data: {.dockerconfigjson: aGVsbG8=}} | data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": invalid character 'h' looking for beginning of value",
                "/apis/networking.k8s.io/v1/namespaces/default/ingresses | spec: {rules: [{host: 1.2.3.4}]} | spec.rules[0].host: Invalid value: \"1.2.3.4\": must be a DNS name, not an IP address",
                "/apis/networking.k8s.io/v1/namespaces/default/ingresses | spec: {rules: [{host: A_b}]} | spec.rules[0].host: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            })
    void usesTheWordsThatKubectlRepeats(String collection, String object, String words) {
        String body = object.startsWith("{")
                ? object.replaceFirst("\\{", "{metadata: {name: x}, ")
                : "metadata: {name: x}\n" + object;
        assertThat(cluster.json("POST", collection, body).path("message").asString())
                .endsWith(" \"x\" is invalid: " + words);
    }

    @Test
    void warnsOfTheOldWayToNameTheClassOfAnIngress() {
        assertThat(warnings("POST", "/apis/networking.k8s.io/v1/namespaces/default/ingresses", """
                        metadata: {name: x, annotations: {kubernetes.io/ingress.class: 'y'}}
                        spec: {defaultBackend: {service: {name: s, port: {number: 1}}}}
                        """))
                .containsExactly("299 - \"annotation \\\"kubernetes.io/ingress.class\\\" is deprecated, please use"
                        + " 'spec.ingressClassName' instead\"");
    }

    @ParameterizedTest
    @CsvSource({"xx, string", "1, number", "[], array"})
    void namesTheTypeOfAPatchThatIsNoObject(String patch, String type) {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        String body = type.equals("string") ? '"' + patch + '"' : patch;
        assertThat(cluster.json("PATCH", MAPS + "/a", body).path("message").asString())
                .isEqualTo("error decoding patch: json: cannot unmarshal " + type
                        + " into Go value of type map[string]interface {}");
    }

    /** A real server makes an object of the map that such a patch gives, without a text in between. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{metadata: {labels: invalid}} | map[metadata:map[labels:invalid]] | cannot restore map from string",
                "{metadata: {labels: {a: 1}}} | map[metadata:map[labels:map[a:1]]] | cannot convert int64 to string",
                "{metadata: {finalizers: a}} | map[metadata:map[finalizers:a]] | cannot restore slice from string",
                "{spec: x} | map[spec:x] | cannot restore struct from: string",
                "{spec: {replicas: x}} | map[spec:map[replicas:x]] | unrecognized type: int32",
                "{spec: {replicas: 1.5}} | map[spec:map[replicas:1.5]] | cannot convert float64 to int32",
                "{spec: {paused: 1}} | map[spec:map[paused:1]] | unrecognized type: bool",
                "{spec: {template: {spec: {containers: [{name: x, image: [b, null, true]}]}}}}"
                        + "| map[spec:map[template:map[spec:map[containers:[map[image:[b <nil> true] name:x]]]]]]"
                        + "| unrecognized type: string",
                "{metadata: {creationTimestamp: 1}} | map[metadata:map[creationTimestamp:1]]"
                        + "| json: cannot unmarshal number into Go value of type string",
                "{spec: {strategy: {rollingUpdate: {maxSurge: true}}}}"
                        + "| map[spec:map[strategy:map[rollingUpdate:map[maxSurge:true]]]]"
                        + "| json: cannot unmarshal bool into Go value of type int32",
            })
    void namesTheKindOfAValueThatAStrategicPatchGivesWrongly(String patch, String map, String reason) {
        String deployments = "/apis/apps/v1/namespaces/default/deployments";
        cluster.send("POST", deployments, """
                metadata: {name: a}
                spec:
                  selector: {matchLabels: {a: b}}
                  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: x, image: z}]}}
                """);
        Map<String, String> headers = Map.of("content-type", "application/strategic-merge-patch+json");
        String body = Json.text(YamlReader.documents(patch).getFirst());
        assertThat(InMemory.text(cluster.send("PATCH", deployments + "/a", body, headers)))
                .contains("patch: Invalid value: \\\"" + map + "\\\": " + reason);
    }

    /** A real server applies patches to maps: they have no other order. */
    @Test
    void quotesTheObjectThatAPatchGivesWronglyInTheOrderOfItsKeys() {
        String secrets = "/api/v1/namespaces/default/secrets";
        cluster.send("POST", secrets, "{metadata: {name: a}, data: {x: aGVsbG8=}}");
        assertThat(cluster.json("PATCH", secrets + "/a", "{\"data\": {\"y\": \"#\"}}")
                        .path("message")
                        .asString())
                .contains(
                        "patch: Invalid value: \"{\\\"apiVersion\\\":\\\"v1\\\",\\\"data\\\":{\\\"x\\\":\\\"aGVsbG8=\\\"")
                .endsWith("illegal base64 data at input byte 0");
    }
}
