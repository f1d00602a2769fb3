package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Ten seconds until a pod is ready. */
class WorkloadSimulationTest {
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
    private static final Duration ALMOST = Duration.ofSeconds(9);
    private static final Duration STEP = Duration.ofSeconds(2);

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    private static String pod(String name) {
        return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name
                + "}\nspec: {containers: [{name: main, image: 'x:1'}]}\n";
    }

    private void deployment(String method, String path, String image, int replicas) {
        cluster.json(method, path, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: %s
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: main, image: '%s'}]}
                """.formatted(replicas, image));
    }

    private List<JsonNode> pods() {
        return cluster.get(PODS).path("items").valueStream().toList();
    }

    private JsonNode status() {
        return cluster.get(DEPLOYMENTS + "/web").path("status");
    }

    @Test
    void podsBecomeReadyAfterTheirTime() {
        cluster.send("POST", PODS, pod("one"));
        cluster.time().advance(ALMOST);
        assertThat(PodTemplate.phase(cluster.get(PODS + "/one"))).isEqualTo("Pending");
        cluster.time().advance(STEP);
        JsonNode pod = cluster.get(PODS + "/one");
        assertThat(PodTemplate.phase(pod)).isEqualTo("Running");
        assertThat(PodTemplate.isReady(pod)).isTrue();
        assertThat(Json.string(pod, "status", "podIP")).startsWith("10.244.");
        assertThat(pod.path("status")
                        .path("containerStatuses")
                        .path(0)
                        .path("ready")
                        .booleanValue())
                .isTrue();
    }

    @Test
    void podsWithImagesOfHostsThatCannotExistNeverRun() {
        cluster.send("POST", PODS, pod("one").replace("image: ", "image: registry.invalid/"));
        cluster.time().advance(ALMOST.multipliedBy(100));
        JsonNode pod = cluster.get(PODS + "/one");
        assertThat(PodTemplate.phase(pod)).isEqualTo("Pending");
        assertThat(pod.at("/status/containerStatuses/0/state/waiting/reason").asString())
                .isEqualTo("ImagePullBackOff");
    }

    @Test
    void podsGoWhenTheyAreDeletedAtAnyTime() {
        for (Duration age : List.of(Duration.ZERO, ALMOST, ALMOST.plus(STEP))) {
            cluster.send("POST", PODS, pod("one"));
            cluster.time().advance(age);
            cluster.send("DELETE", PODS + "/one", "");
            assertThat(cluster.send("GET", PODS + "/one", "").status()).isEqualTo(404);
        }
        cluster.time().advance(ALMOST.plus(STEP));
    }

    @Test
    void podsWithFinalizersStayUntilTheseAreGone() {
        cluster.send("POST", PODS, pod("one").replace("{name: one}", "{name: one, finalizers: [a.b/c]}"));
        cluster.send("DELETE", PODS + "/one", "");
        assertThat(cluster.send("GET", PODS + "/one", "").status()).isEqualTo(200);
        cluster.send("PATCH", PODS + "/one", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(cluster.send("GET", PODS + "/one", "").status()).isEqualTo(404);
    }

    private String revisions(String annotation) {
        return cluster.get(DEPLOYMENTS.replace("deployments", "replicasets"))
                .path("items")
                .valueStream()
                .map(set -> Json.string(
                                set.path("spec")
                                        .path("template")
                                        .path("spec")
                                        .path("containers")
                                        .path(0),
                                "image")
                        + "=" + Json.string(set.path("metadata").path("annotations"), annotation))
                .sorted()
                .collect(Collectors.joining(" "));
    }

    @Test
    void goingBackIsANewRevision() {
        String revision = "deployment.kubernetes.io/revision";
        for (String image : List.of("x:1", "x:2", "x:1")) {
            boolean isNew = cluster.send("GET", DEPLOYMENTS + "/web", "").status() == 404;
            deployment(isNew ? "POST" : "PUT", isNew ? DEPLOYMENTS : DEPLOYMENTS + "/web", image, 1);
            cluster.time().advance(ALMOST.plus(STEP));
        }
        assertThat(revisions(revision)).isEqualTo("x:1=3 x:2=2");
        assertThat(Json.string(
                        cluster.get(DEPLOYMENTS + "/web").path("metadata").path("annotations"), revision))
                .isEqualTo("3");
        assertThat(revisions(revision + "-history")).isEqualTo("x:1=1 x:2=");
        cluster.send("PATCH", DEPLOYMENTS + "/web", "{\"metadata\":{\"annotations\":{\"a.b/why\":\"undo\"}}}");
        assertThat(revisions("a.b/why")).isEqualTo("x:1=undo x:2=");
        assertThat(revisions(revision)).isEqualTo("x:1=3 x:2=2");
    }

    /** Clients of other languages than Go send keys in an order of their own. */
    @Test
    void anotherOrderOfKeysIsTheSameTemplate() {
        String made = """
                metadata: {name: web}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: %s}
                    spec:
                      nodeSelector: {kubernetes.io/os: linux, kubernetes.io/arch: amd64}
                      containers: [{name: main, image: x}]
                """;
        cluster.send("POST", DEPLOYMENTS, made.formatted(1, "{tier: b, app: web}"));
        cluster.time().advance(ALMOST.plus(STEP));
        List<String> first = names();
        cluster.send("PUT", DEPLOYMENTS + "/web", made.formatted(2, "{app: web, tier: b}"));
        cluster.time().advance(ALMOST.plus(STEP));
        assertThat(names()).hasSize(2).containsAll(first);
        assertThat(Json.text(pods().getFirst().at("/spec/nodeSelector")))
                .isEqualTo("{\"kubernetes.io/arch\":\"amd64\",\"kubernetes.io/os\":\"linux\"}");
    }

    /** As a copy of a real cluster has it, which computes the hash in another way. */
    @Test
    void aReplicaSetOfTheTemplateIsTheNewestOneWhateverItsName() {
        String sets = DEPLOYMENTS.replace("deployments", "replicasets");
        cluster.send("POST", sets, """
                metadata: {name: web-6d4cf56db6, labels: {app: web, pod-template-hash: 6d4cf56db6}}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: web, pod-template-hash: 6d4cf56db6}}
                  template:
                    metadata: {labels: {app: web, pod-template-hash: 6d4cf56db6}}
                    spec: {containers: [{name: main, image: 'x:1'}]}
                """);
        List<String> first = names();
        deployment("POST", DEPLOYMENTS, "x:1", 2);
        cluster.time().advance(ALMOST.plus(STEP));
        assertThat(cluster.get(sets).path("items")).hasSize(1);
        assertThat(names()).hasSize(2).containsAll(first);
        assertThat(status().path("updatedReplicas").intValue()).isEqualTo(2);
    }

    @Test
    void deploymentsRollOutAndScale() {
        deployment("POST", DEPLOYMENTS, "x:1", 3);
        assertThat(pods()).hasSize(3);
        assertThat(status().path("unavailableReplicas").intValue()).isEqualTo(3);
        cluster.time().advance(ALMOST.plus(STEP));
        assertThat(status().path("availableReplicas").intValue()).isEqualTo(3);
        assertThat(status().path("conditions").path(0).path("status").stringValue())
                .isEqualTo("True");

        deployment("PUT", DEPLOYMENTS + "/web", "x:2", 2);
        cluster.time().advance(ALMOST.plus(STEP).multipliedBy(2));
        assertThat(pods())
                .hasSize(2)
                .allSatisfy(pod -> assertThat(pod.path("spec")
                                .path("containers")
                                .path(0)
                                .path("image")
                                .stringValue())
                        .isEqualTo("x:2"));
        assertThat(status().path("observedGeneration").intValue()).isEqualTo(2);
        assertThat(status().path("updatedReplicas").intValue()).isEqualTo(2);
        assertThat(status().path("replicas").intValue()).isEqualTo(2);
    }

    private List<Integer> counts() {
        return Stream.of("replicas", "updatedReplicas", "availableReplicas", "unavailableReplicas")
                .map(field -> status().path(field).intValue(0))
                .toList();
    }

    @Test
    void rollingUpdatesObeyMaxSurgeAndMaxUnavailable() {
        deployment("POST", DEPLOYMENTS, "x:1", 4);
        cluster.time().advance(ALMOST.plus(STEP));
        deployment("PUT", DEPLOYMENTS + "/web", "x:2", 4);
        List<List<Integer>> seen = new ArrayList<>(List.of(counts()));
        for (int step = 0; step < 4; step++) {
            cluster.time().advance(ALMOST.plus(STEP));
            seen.add(counts());
        }
        assertThat(seen)
                .containsExactly(
                        List.of(5, 2, 3, 2),
                        List.of(5, 4, 3, 2),
                        List.of(4, 4, 4, 0),
                        List.of(4, 4, 4, 0),
                        List.of(4, 4, 4, 0));
    }

    /** As many are ready as are wanted, but not all of the new ones. */
    @Test
    void aPodMoreThanWantedThatIsNotReadyIsUnavailable() {
        deployment("POST", DEPLOYMENTS, "x:1", 2);
        cluster.time().advance(ALMOST.plus(STEP));
        deployment("PUT", DEPLOYMENTS + "/web", "registry.invalid/x:2", 2);
        cluster.time().advance(ALMOST.plus(STEP));
        assertThat(counts()).containsExactly(3, 1, 2, 1);
    }

    @Test
    void recreatingWaitsUntilTheOldPodsAreGone() {
        deployment("POST", DEPLOYMENTS, "x:1", 2);
        cluster.send(
                "PATCH",
                DEPLOYMENTS + "/web",
                "{\"spec\":{\"strategy\":{\"type\":\"Recreate\",\"rollingUpdate\":null}}}");
        cluster.time().advance(ALMOST.plus(STEP));
        names().forEach(name ->
                cluster.send("PATCH", PODS + "/" + name, "{\"metadata\":{\"finalizers\":[\"a.b/c\"]}}"));
        List<String> old = names();
        cluster.send(
                "PATCH",
                DEPLOYMENTS + "/web",
                "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"a.b/c\":\"d\"}}}}}");
        assertThat(names()).isEqualTo(old);
        for (String name : old) {
            assertThat(names()).contains(name);
            cluster.send("PATCH", PODS + "/" + name, "{\"metadata\":{\"finalizers\":null}}");
        }
        assertThat(names()).hasSize(2).doesNotContainAnyElementsOf(old);
    }

    private List<String> names() {
        return pods().stream().map(pod -> Json.string(pod, "metadata", "name")).toList();
    }

    @Test
    void aRolloutWithoutProgressFailsAfterItsDeadline() {
        deployment("POST", DEPLOYMENTS, "registry.invalid/x:1", 1);
        cluster.time().advance(Duration.ofSeconds(599));
        assertThat(condition("Progressing")).isEqualTo("True");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(condition("Progressing")).isEqualTo("False");
    }

    private String condition(String type) {
        return status().path("conditions")
                .valueStream()
                .filter(each -> Json.string(each, "type").equals(type))
                .map(each -> Json.string(each, "status"))
                .collect(Collectors.joining());
    }

    @Test
    void podsThatMustBeReadyForAWhileAreAvailableLater() {
        deployment("POST", DEPLOYMENTS, "x:1", 1);
        cluster.send("PATCH", DEPLOYMENTS + "/web", "{\"spec\":{\"minReadySeconds\":30}}");
        cluster.time().advance(ALMOST.plus(STEP));
        assertThat(status().path("readyReplicas").intValue()).isEqualTo(1);
        assertThat(condition("Available")).isEqualTo("False");
        cluster.time().advance(Duration.ofSeconds(30));
        assertThat(condition("Available")).isEqualTo("True");
    }

    @Test
    void deploymentsReplaceLostPodsAndTakeAllAwayInTheEnd() {
        deployment("POST", DEPLOYMENTS, "x:1", 2);
        String first = Json.string(pods().getFirst(), "metadata", "name");
        cluster.send("DELETE", PODS + "/" + first, "");
        assertThat(pods())
                .hasSize(2)
                .noneMatch(pod -> Json.string(pod, "metadata", "name").equals(first));
        cluster.send("DELETE", DEPLOYMENTS + "/web", "");
        assertThat(pods()).isEmpty();
    }

    @Test
    void jobsCompleteWhenEnoughPodsHave() {
        cluster.json("POST", JOBS, """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: sums}
                spec:
                  completions: 3
                  parallelism: 2
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}
                """);
        assertThat(pods()).hasSize(2);
        cluster.time().advance(Duration.ofSeconds(21));
        assertThat(cluster.get(JOBS + "/sums").path("status").path("succeeded").intValue())
                .isEqualTo(2);
        cluster.time().advance(Duration.ofSeconds(21));
        JsonNode status = cluster.get(JOBS + "/sums").path("status");
        assertThat(status.path("succeeded").intValue()).isEqualTo(3);
        assertThat(status.path("conditions").valueStream().map(each -> Json.string(each, "type")))
                .contains("Complete");
        assertThat(status.has("completionTime")).isTrue();
        assertThat(pods()).hasSize(3);
    }

    @Test
    void jobsGoWhenTheirTimeToLiveIsOver() {
        cluster.send("POST", JOBS, """
                metadata: {name: sums}
                spec:
                  ttlSecondsAfterFinished: 60
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}
                """);
        cluster.time().advance(Duration.ofSeconds(21 + 58));
        assertThat(cluster.send("GET", JOBS + "/sums", "").status()).isEqualTo(200);
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(cluster.send("GET", JOBS + "/sums", "").status()).isEqualTo(404);
        assertThat(pods()).isEmpty();
    }

    @Test
    void jobsFailAfterTheirDeadline() {
        cluster.send("POST", JOBS, """
                metadata: {name: sums}
                spec:
                  activeDeadlineSeconds: 5
                  template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}
                """);
        cluster.time().advance(Duration.ofSeconds(7));
        JsonNode status = cluster.get(JOBS + "/sums").path("status");
        assertThat(status.path("conditions").toString()).contains("DeadlineExceeded");
        assertThat(status.path("failed").intValue()).isEqualTo(1);
        assertThat(pods()).isEmpty();
    }

    @Test
    void nothingHappensWithoutTheOption() {
        InMemory plain = new InMemory(options -> options);
        plain.send("POST", PODS, pod("one"));
        plain.time().advance(Duration.ofHours(1));
        assertThat(PodTemplate.phase(plain.get(PODS + "/one"))).isEqualTo("Pending");
    }

    @Test
    void namespacesHaveTheirAccountAndTheCertificateIfWanted() {
        InMemory full = new InMemory(options -> options.rootCertificate(true));
        full.send("POST", "/api/v1/namespaces", "metadata: {name: new}");
        for (String namespace : List.of("default", "new")) {
            String base = "/api/v1/namespaces/" + namespace;
            assertThat(full.send("GET", base + "/serviceaccounts/default", "").status())
                    .isEqualTo(200);
            full.send("DELETE", base + "/configmaps/kube-root-ca.crt", "");
            assertThat(full.get(base + "/configmaps/kube-root-ca.crt")
                            .path("data")
                            .has("ca.crt"))
                    .isTrue();
            JsonNode right = full.get(base + "/configmaps/kube-root-ca.crt").path("data");
            full.send("PATCH", base + "/configmaps/kube-root-ca.crt", "{\"data\":{\"ca.crt\":\"mine\",\"b\":\"c\"}}");
            assertThat(full.get(base + "/configmaps/kube-root-ca.crt").path("data"))
                    .isEqualTo(right);
        }
        full.send("DELETE", "/api/v1/namespaces/new", "");
        assertThat(full.send("GET", "/api/v1/namespaces/new", "").status()).isEqualTo(404);
    }
}
