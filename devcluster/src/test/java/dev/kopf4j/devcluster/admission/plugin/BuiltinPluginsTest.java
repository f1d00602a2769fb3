package dev.kopf4j.devcluster.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** LimitRanger, Priority and RuntimeClass: {@code plugin/pkg/admission} of Kubernetes v1.33. */
class BuiltinPluginsTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String RANGES = "/api/v1/namespaces/default/limitranges";
    private static final String PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final String RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses";
    private final InMemory cluster = new InMemory(options -> options);

    private void assertCreated(String path, String body) {
        ApiResponse made = cluster.send("POST", path, body);
        assertThat(made.status()).as(InMemory.text(made)).isEqualTo(201);
    }

    private JsonNode pod(String spec) {
        return cluster.json("POST", PODS, "metadata: {name: p}\nspec: " + spec);
    }

    private static void assertRefused(JsonNode answer, String what, String message) {
        assertThat(answer.path("code").intValue()).as("%s", answer).isEqualTo(403);
        assertThat(Json.string(answer, "message")).isEqualTo(what + " is forbidden: " + message);
    }

    @Test
    void everyClusterHasTheClassesOfTheSystem() {
        assertThat(cluster.get(PRIORITIES + "/system-node-critical")
                        .path("value")
                        .intValue())
                .isEqualTo(2_000_001_000);
        assertThat(cluster.get(PRIORITIES + "/system-cluster-critical")
                        .path("value")
                        .intValue())
                .isEqualTo(2_000_000_000);
        JsonNode pod = pod("{priorityClassName: system-cluster-critical, containers: [{name: c, image: x}]}");
        assertThat(pod.path("spec").path("priority").intValue()).isEqualTo(2_000_000_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ``                                          | low 5 Never
            priorityClassName: high,                    | high 9 PreemptLowerPriority
            priorityClassName: low, priority: 5,        | low 5 Never
            priorityClassName: none,                    | no PriorityClass with name none was found
            priorityClassName: high, priority: 5,       | the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 9 from the given PriorityClass name
            priorityClassName: high, preemptionPolicy: Never, | the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name
            """)
    void theClassOfAPodGivesItsPriority(String given, String expected) {
        assertCreated(PRIORITIES, "metadata: {name: high}\nvalue: 9");
        assertCreated(PRIORITIES, "metadata: {name: low}\nvalue: 5\nglobalDefault: true\npreemptionPolicy: Never");
        JsonNode pod = pod("{" + given.replace("``", "") + " containers: [{name: c, image: x}]}");
        if (pod.has("code")) {
            assertRefused(pod, "pods \"p\"", expected);
        } else {
            JsonNode spec = pod.path("spec");
            assertThat(Json.string(spec, "priorityClassName") + " " + spec.path("priority") + " "
                            + Json.string(spec, "preemptionPolicy"))
                    .isEqualTo(expected);
        }
    }

    @Test
    void oneClassOnlyIsTheDefault() {
        assertCreated(PRIORITIES, "metadata: {name: one}\nvalue: 5\nglobalDefault: true");
        JsonNode second = cluster.json("POST", PRIORITIES, "metadata: {name: two}\nvalue: 5\nglobalDefault: true");
        assertRefused(
                second,
                "priorityclasses.scheduling.k8s.io \"two\"",
                "PriorityClass one is already marked as default. Only one default can exist");
        assertThat(cluster.send("PATCH", PRIORITIES + "/one", "{\"description\": \"mine\"}")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            runtimeClassName: fast                                   | {"cpu":"250m"} {"disk":"ssd"}
            runtimeClassName: fast, overhead: {cpu: 250m}            | {"cpu":"250m"} {"disk":"ssd"}
            runtimeClassName: fast, nodeSelector: {zone: a}          | {"cpu":"250m"} {"disk":"ssd","zone":"a"}
            runtimeClassName: plain                                  | {} {}
            runtimeClassName: none                                   | pod rejected: RuntimeClass "none" not found
            runtimeClassName: fast, overhead: {cpu: 1}               | pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead
            runtimeClassName: fast, nodeSelector: {disk: hdd}        | conflict: runtimeClass.scheduling.nodeSelector[disk] = ssd; pod.spec.nodeSelector[disk] = hdd
            runtimeClassName: plain, overhead: {cpu: 1}              | pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead
            overhead: {cpu: 1}                                       | pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead
            """)
    void theRuntimeClassOfAPodGivesItsOverheadAndNodes(String given, String expected) {
        assertCreated(
                RUNTIMES,
                "metadata: {name: fast}\nhandler: h\noverhead: {podFixed: {cpu: 250m}}\n"
                        + "scheduling: {nodeSelector: {disk: ssd}, tolerations: [{key: k, operator: Exists}]}");
        assertCreated(RUNTIMES, "metadata: {name: plain}\nhandler: h");
        JsonNode pod = pod("{" + given + ", containers: [{name: c, image: x}]}");
        if (pod.has("code")) {
            assertRefused(pod, "pods \"p\"", expected);
        } else {
            JsonNode spec = pod.path("spec");
            assertThat(Json.text(spec.has("overhead") ? spec.get("overhead") : Json.object()) + " "
                            + Json.text(spec.has("nodeSelector") ? spec.get("nodeSelector") : Json.object()))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {}                                     | {"limits":{"cpu":"500m"},"requests":{"cpu":"100m","memory":"1Mi"}} | LimitRanger plugin set: cpu, memory request for container c; cpu limit for container c
            {limits: {cpu: 200m}}                  | {"limits":{"cpu":"200m"},"requests":{"cpu":"200m","memory":"1Mi"}} | LimitRanger plugin set: memory request for container c
            {requests: {cpu: 1m, memory: 2Mi}}     | {"requests":{"cpu":"1m","memory":"2Mi"},"limits":{"cpu":"500m"}}   | LimitRanger plugin set: cpu limit for container c
            {limits: {cpu: 1, memory: 1Gi}}        | {"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}} | ``
            """)
    void containersGetTheDefaultsOfTheirNamespace(String resources, String expected, String annotation) {
        assertCreated(
                RANGES,
                "metadata: {name: l}\nspec: {limits: [{type: Container, default: {cpu: 500m},"
                        + " defaultRequest: {cpu: 100m, memory: 1Mi}}]}");
        JsonNode pod = pod("{containers: [{name: c, image: x, resources: " + resources + "}]}");
        assertThat(pod.at("/spec/containers/0/resources")).isEqualTo(Json.parse(expected));
        assertThat(pod.at("/metadata/annotations")
                        .path("kubernetes.io/limit-ranger")
                        .stringValue("``"))
                .isEqualTo(annotation);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Container, min: {cpu: 200m}  | [{requests: {cpu: 100m}}]                      | minimum cpu usage per Container is 200m, but request is 100m
            Container, min: {memory: 1Mi} | [{requests: {cpu: 100m}}]                     | ``
            Container, max: {cpu: 1}     | [{limits: {cpu: 1500m}}]                       | maximum cpu usage per Container is 1, but limit is 1500m
            Container, max: {cpu: 1}     | [{limits: {cpu: 1}}]                           | ``
            Container, maxLimitRequestRatio: {cpu: 2} | [{limits: {cpu: 3}, requests: {cpu: 1}}] | cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000
            Container, maxLimitRequestRatio: {cpu: 2} | [{requests: {cpu: 1}}]            | cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0
            Container, maxLimitRequestRatio: {cpu: 2} | [{}]                              | cpu max limit to request ratio per Container is 2, but no request is specified or request is 0
            Pod, max: {cpu: 1}           | [{limits: {cpu: 600m}}, {limits: {cpu: 600m}}] | maximum cpu usage per Pod is 1, but limit is 1200m
            Pod, max: {memory: 1Gi}      | [{limits: {memory: 1Gi}}, {limits: {memory: 512Mi}}] | maximum memory usage per Pod is 1Gi, but limit is 1536Mi
            Pod, max: {cpu: 1}           | [{}]                                           | maximum cpu usage per Pod is 1.  No limit is specified
            Pod, min: {memory: 1Gi}      | [{}]                                           | minimum memory usage per Pod is 1Gi.  No request is specified
            Pod, min: {cpu: 1, memory: 1Gi} | [{}]                                        | [minimum cpu usage per Pod is 1.  No request is specified, minimum memory usage per Pod is 1Gi.  No request is specified]
            """)
    void podsKeepToTheBoundsOfTheirNamespace(String limit, String containers, String message) {
        assertCreated(RANGES, "metadata: {name: l}\nspec: {limits: [{type: " + limit + "}]}");
        StringBuilder spec = new StringBuilder("{containers: [");
        int number = 0;
        for (JsonNode resources : list(containers)) {
            spec.append("{name: c")
                    .append(number++)
                    .append(", image: x, resources: ")
                    .append(Json.text(resources))
                    .append("},");
        }
        JsonNode pod = pod(spec.append("]}").toString());
        if (message.equals("``")) {
            assertThat(Json.string(pod, "kind")).isEqualTo("Pod");
        } else {
            assertRefused(pod, "pods \"p\"", message);
        }
    }

    private static JsonNode list(String yaml) {
        return Json.parse(yaml.replaceAll("([a-z]+):", "\"$1\":").replaceAll(": ([0-9][0-9a-zA-Z]*)", ": \"$1\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            1Gi  | minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi
            3Gi  | ``
            20Gi | maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi
            """)
    void claimsKeepToTheBoundsOfTheirNamespace(String size, String message) {
        assertCreated(
                RANGES,
                "metadata: {name: l}\nspec: {limits: [{type: PersistentVolumeClaim, min: {storage: 2Gi}, max: {storage: 10Gi}}]}");
        JsonNode claim = cluster.json(
                "POST",
                CLAIMS,
                "metadata: {name: c}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: " + size
                        + "}}}");
        if (message.equals("``")) {
            assertThat(Json.string(claim, "kind")).isEqualTo("PersistentVolumeClaim");
        } else {
            assertRefused(claim, "persistentvolumeclaims \"c\"", message);
        }
    }
}
