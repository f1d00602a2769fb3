package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Ten seconds until a pod is ready. */
class StatefulSetTest {
    private static final String SETS = "/apis/apps/v1/namespaces/default/statefulsets";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final Duration STEP = Duration.ofSeconds(11);

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    private void create(String more) {
        JsonNode made = cluster.json("POST", SETS, """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  replicas: 2
                  serviceName: db
                  selector: {matchLabels: {app: db}}
                  template:
                    metadata: {labels: {app: db}}
                    spec: {containers: [{name: main, image: 'x:1'}]}
                """ + more);
        assertThat(Json.string(made, "metadata", "name")).as("%s", made).isEqualTo("db");
    }

    private void patch(String spec) {
        cluster.send("PATCH", SETS + "/db", "{\"spec\":" + spec.replace('\'', '"') + "}");
    }

    private void image(String image) {
        patch("{'template':{'spec':{'containers':[{'name':'main','image':'" + image + "'}]}}}");
    }

    private List<String> pods() {
        return cluster.get(PODS)
                .path("items")
                .valueStream()
                .map(pod -> Json.string(pod, "metadata", "name") + " "
                        + pod.at("/spec/containers/0/image").asString())
                .toList();
    }

    private JsonNode status() {
        return cluster.get(SETS + "/db").path("status");
    }

    @Test
    void podsAreCreatedOneAfterTheOther() {
        create("");
        assertThat(pods()).containsExactly("db-0 x:1");
        cluster.time().advance(STEP);
        assertThat(pods()).containsExactly("db-0 x:1", "db-1 x:1");
        cluster.time().advance(STEP);
        assertThat(status().path("readyReplicas").intValue()).isEqualTo(2);
        assertThat(status().path("availableReplicas").intValue()).isEqualTo(2);
        assertThat(Json.string(status(), "currentRevision"))
                .startsWith("db-")
                .isEqualTo(Json.string(status(), "updateRevision"));
        JsonNode pod = cluster.get(PODS + "/db-1");
        assertThat(Json.string(pod, "spec", "hostname")).isEqualTo("db-1");
        assertThat(Json.string(pod, "spec", "subdomain")).isEqualTo("db");
        assertThat(Json.string(pod, "metadata", "labels", "apps.kubernetes.io/pod-index"))
                .isEqualTo("1");
    }

    @Test
    void anUpdateBeginsWithTheLastPodAndBecomesCurrentInTheEnd() {
        create("");
        cluster.time().advance(STEP.multipliedBy(2));
        String before = Json.string(status(), "currentRevision");
        image("x:2");
        cluster.time().advance(STEP);
        assertThat(pods()).containsExactly("db-0 x:2", "db-1 x:2");
        assertThat(Json.string(status(), "currentRevision")).isEqualTo(before);
        assertThat(status().path("updatedReplicas").intValue()).isEqualTo(2);
        assertThat(status().path("readyReplicas").intValue()).isEqualTo(1);
        cluster.time().advance(STEP);
        assertThat(Json.string(status(), "currentRevision"))
                .isNotEqualTo(before)
                .isEqualTo(Json.string(status(), "updateRevision"));
        image("x:1");
        cluster.time().advance(STEP.multipliedBy(2));
        assertThat(Json.string(status(), "currentRevision")).isEqualTo(before);
        assertThat(cluster.get("/apis/apps/v1/namespaces/default/controllerrevisions")
                        .path("items")
                        .valueStream()
                        .map(revision -> revision.path("revision").intValue()))
                .containsExactlyInAnyOrder(3, 2);
    }

    @Test
    void thePartitionHoldsBackTheUpdateOfTheFirst() {
        create("  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}\n");
        cluster.time().advance(STEP.multipliedBy(2));
        image("x:2");
        cluster.time().advance(STEP.multipliedBy(3));
        assertThat(pods()).containsExactly("db-0 x:1", "db-1 x:2");
        cluster.send("DELETE", PODS + "/db-0", "");
        assertThat(pods()).containsExactly("db-0 x:1", "db-1 x:2");
        assertThat(status().path("currentReplicas").intValue()).isEqualTo(1);
        assertThat(status().path("updatedReplicas").intValue()).isEqualTo(1);
    }

    @Test
    void claimsComeFromTemplatesAndStay() {
        create("""
                  podManagementPolicy: Parallel
                  volumeClaimTemplates:
                  - metadata: {name: data}
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        assertThat(pods()).hasSize(2);
        JsonNode claim = cluster.get(CLAIMS + "/data-db-1");
        assertThat(Json.string(claim, "metadata", "labels", "app")).isEqualTo("db");
        assertThat(cluster.get(PODS + "/db-1")
                        .at("/spec/volumes/0/persistentVolumeClaim/claimName")
                        .asString())
                .isEqualTo("data-db-1");
        patch("{'replicas':0}");
        assertThat(pods()).isEmpty();
        assertThat(cluster.get(CLAIMS).path("items")).hasSize(2);
    }

    @Test
    void claimsGoWithTheirPodsIfTheyAreTo() {
        create("""
                  podManagementPolicy: Parallel
                  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Delete}
                  volumeClaimTemplates:
                  - metadata: {name: data}
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        cluster.time().advance(STEP);
        patch("{'replicas':1}");
        cluster.time().advance(STEP);
        assertThat(cluster.send("GET", CLAIMS + "/data-db-1", "").status()).isEqualTo(404);
        assertThat(cluster.send("GET", CLAIMS + "/data-db-0", "").status()).isEqualTo(200);
        cluster.send("DELETE", SETS + "/db", "");
        cluster.time().advance(STEP);
        assertThat(cluster.get(CLAIMS).path("items")).isEmpty();
    }

    @Test
    void claimsObeyAPolicyThatComesLater() {
        cluster.send("POST", CLAIMS, """
                metadata:
                  name: data-db-0
                  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: other, uid: u}]
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        create("""
                  podManagementPolicy: Parallel
                  volumeClaimTemplates:
                  - metadata: {name: data}
                    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        assertThat(owners()).containsExactly("other", "");
        patch("{'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'}}");
        assertThat(owners()).containsExactly("other db", "db");
        patch("{'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Retain'}}");
        assertThat(owners()).containsExactly("other", "");
        patch("{'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'}}");
        cluster.send("PATCH", CLAIMS + "/data-db-0", "{\"metadata\":{\"ownerReferences\":null}}");
        cluster.send("DELETE", SETS + "/db", "");
        cluster.time().advance(STEP);
        assertThat(cluster.get(CLAIMS).path("items").valueStream().map(claim -> Json.string(claim, "metadata", "name")))
                .doesNotContain("data-db-1");
    }

    /** The names of the owners of each claim. */
    private List<String> owners() {
        return cluster.get(CLAIMS)
                .path("items")
                .valueStream()
                .map(claim -> claim.path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .map(owner -> Json.string(owner, "name"))
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    @Test
    void lostPodsComeBackWithTheirNamesAndAllGoWithTheSet() {
        create("");
        cluster.time().advance(STEP.multipliedBy(2));
        String uid = Json.string(cluster.get(PODS + "/db-0"), "metadata", "uid");
        cluster.send("DELETE", PODS + "/db-0", "");
        assertThat(pods()).containsExactly("db-0 x:1", "db-1 x:1");
        assertThat(Json.string(cluster.get(PODS + "/db-0"), "metadata", "uid")).isNotEqualTo(uid);
        cluster.send("DELETE", SETS + "/db", "");
        assertThat(pods()).isEmpty();
    }

    @Test
    void oldRevisionsGoBeyondTheLimit() {
        create("  revisionHistoryLimit: 1\n");
        for (int version = 2; version < 6; version++) {
            cluster.time().advance(STEP.multipliedBy(2));
            image("x:" + version);
        }
        cluster.time().advance(STEP.multipliedBy(2));
        assertThat(cluster.get("/apis/apps/v1/namespaces/default/controllerrevisions")
                        .path("items")
                        .valueStream()
                        .map(revision -> revision.path("revision").intValue()))
                .containsExactlyInAnyOrder(4, 5);
    }
}
