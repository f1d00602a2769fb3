package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.node.ObjectNode;

/**
 * When objects are ready, kind by kind, as {@code kubectl rollout status} and kstatus have it. Each row is an object
 * without its kind, and what it lacks; nothing if it is ready.
 */
class ReadinessTest {
    private static final String GENERATION = "metadata: {generation: 2}";
    private static final String SEEN = "observedGeneration: 2";

    private static Arguments ready(String kind, String body) {
        return Arguments.of(kind, body, null);
    }

    private static Arguments lacks(String kind, String body, String trouble) {
        return Arguments.of(kind, body, trouble);
    }

    private static String workload(String spec, String status) {
        return GENERATION + ", spec: {" + spec + "}, status: {" + SEEN + ", " + status + "}";
    }

    private static String condition(String type, String status) {
        return "status: {conditions: [{type: " + type + ", status: '" + status
                + "', reason: Because, message: it is so}]}";
    }

    static Stream<Arguments> deployments() {
        String kind = "apps/Deployment";
        String complete = "replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3";
        return Stream.of(
                ready(kind, workload("replicas: 3", complete)),
                ready(kind, workload("", "replicas: 1, updatedReplicas: 1, availableReplicas: 1")),
                ready(kind, workload("replicas: 0", "")),
                lacks(kind, "spec: {replicas: 0}", "its controller has not seen it yet"),
                lacks(
                        kind,
                        "metadata: {generation: 3}, spec: {replicas: 3}, status: {observedGeneration: 2, " + complete
                                + "}",
                        "its controller has not seen the last change"),
                lacks(
                        kind,
                        workload("replicas: 3", "replicas: 4, updatedReplicas: 2, availableReplicas: 4"),
                        "2 of 3 replicas are updated"),
                lacks(
                        kind,
                        workload("replicas: 3", "replicas: 4, updatedReplicas: 3, availableReplicas: 4"),
                        "1 old replicas have to end"),
                lacks(
                        kind,
                        workload("replicas: 3", "replicas: 3, updatedReplicas: 3, availableReplicas: 2"),
                        "2 of 3 replicas are available"),
                lacks(
                        kind,
                        workload(
                                "replicas: 1",
                                "replicas: 1, updatedReplicas: 1, conditions: [{type: Progressing, status: 'False',"
                                        + " reason: ProgressDeadlineExceeded}]"),
                        "0 of 1 replicas are available; no progress within its deadline"));
    }

    static Stream<Arguments> statefulSets() {
        String kind = "apps/StatefulSet";
        String rolling = "currentRevision: a, updateRevision: b";
        return Stream.of(
                ready(kind, workload("replicas: 3", "readyReplicas: 3, currentRevision: b, updateRevision: b")),
                ready(kind, workload("replicas: 3", "readyReplicas: 3, updatedReplicas: 3, " + rolling)),
                ready(
                        kind,
                        workload(
                                "replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}",
                                "readyReplicas: 3, updatedReplicas: 1, " + rolling)),
                ready(
                        kind,
                        workload(
                                "replicas: 3, updateStrategy: {type: OnDelete}",
                                "readyReplicas: 3, updatedReplicas: 0, " + rolling)),
                lacks(kind, "spec: {replicas: 3}", "its controller has not seen it yet"),
                lacks(kind, workload("replicas: 3", "readyReplicas: 2"), "2 of 3 replicas are ready"),
                lacks(
                        kind,
                        workload("replicas: 3", "readyReplicas: 3, updatedReplicas: 2, " + rolling),
                        "2 of 3 replicas are updated"),
                lacks(
                        kind,
                        workload(
                                "replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}",
                                "readyReplicas: 3, updatedReplicas: 1, " + rolling),
                        "1 of 2 replicas are updated"));
    }

    static Stream<Arguments> otherWorkloads() {
        String set = "apps/DaemonSet";
        String allThere = "desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2";
        String old = "desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2";
        return Stream.of(
                ready(set, workload("", allThere)),
                ready(set, workload("", "desiredNumberScheduled: 0")),
                ready(set, workload("updateStrategy: {type: OnDelete}", old)),
                lacks(set, "spec: {}", "its controller has not seen it yet"),
                lacks(set, workload("", old), "1 of 2 pods are updated"),
                lacks(
                        set,
                        workload("", "desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1"),
                        "1 of 2 pods are available"),
                ready("apps/ReplicaSet", workload("replicas: 2", "readyReplicas: 2, availableReplicas: 2")),
                lacks(
                        "apps/ReplicaSet",
                        workload("replicas: 2, minReadySeconds: 60", "readyReplicas: 2, availableReplicas: 1"),
                        "1 of 2 replicas are available"),
                lacks("/ReplicationController", "spec: {replicas: 1}", "0 of 1 replicas are available"),
                ready("batch/Job", condition("Complete", "True")),
                lacks("batch/Job", "status: {active: 1}", "it is not complete yet"),
                lacks("batch/Job", condition("Suspended", "True"), "it is not complete yet"),
                lacks("batch/Job", condition("Failed", "True"), "it has failed (Because): it is so"),
                lacks("batch/Job", condition("Failed", "False"), "it is not complete yet"),
                ready("/Pod", "status: {phase: Succeeded}"),
                ready("/Pod", "status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}"),
                lacks("/Pod", "status: {}", "its phase is Pending"),
                lacks("/Pod", "status: {phase: Failed}", "its phase is Failed"),
                lacks("/Pod", "status: {phase: Running}", "its condition Ready is not known yet"),
                lacks(
                        "/Pod",
                        "status: {phase: Running, conditions: [{type: Ready, status: 'False', reason:"
                                + " ContainersNotReady}]}",
                        "its condition Ready is False (ContainersNotReady)"));
    }

    static Stream<Arguments> otherKinds() {
        String balanced = "spec: {type: LoadBalancer}, status: {loadBalancer: ";
        String crd = "apiextensions.k8s.io/CustomResourceDefinition";
        return Stream.of(
                ready("/PersistentVolumeClaim", "status: {phase: Bound}"),
                lacks("/PersistentVolumeClaim", "status: {phase: Pending}", "its phase is Pending"),
                lacks("/PersistentVolumeClaim", "status: {phase: Lost}", "its phase is Lost"),
                lacks("/PersistentVolumeClaim", "spec: {}", "its phase is not known yet"),
                ready("/Namespace", "status: {phase: Active}"),
                lacks("/Namespace", "status: {phase: Terminating}", "its phase is Terminating"),
                ready("/Service", "spec: {type: ClusterIP}"),
                ready("/Service", balanced + "{ingress: [{ip: 192.0.2.1}]}}"),
                lacks("/Service", balanced + "{}}", "its load balancer has no address yet"),
                ready("networking.k8s.io/Ingress", "status: {loadBalancer: {}}"),
                ready(crd, condition("Established", "True")),
                lacks(crd, "spec: {}", "its condition Established is not known yet"),
                lacks(crd, condition("Established", "False"), "its condition Established is False (Because): it is so"),
                ready("apiregistration.k8s.io/APIService", condition("Available", "True")),
                lacks(
                        "apiregistration.k8s.io/APIService",
                        "status: {conditions: [{type: Available, status: 'False'}]}",
                        "its condition Available is False"),
                ready("/ConfigMap", "data: {}"),
                ready("rbac.authorization.k8s.io/Role", condition("Ready", "False")));
    }

    static Stream<Arguments> kindsOfOthers() {
        String kind = "example.com/Website";
        return Stream.of(
                ready(kind, "spec: {}"),
                ready(kind, condition("Ready", "True")),
                ready(kind, condition("Degraded", "True")),
                lacks(kind, condition("Ready", "False"), "its condition Ready is False (Because): it is so"),
                lacks(kind, condition("Ready", "Unknown"), "its condition Ready is Unknown (Because): it is so"),
                lacks(kind, condition("Stalled", "True"), "its condition Stalled is True (Because): it is so"),
                lacks(kind, condition("Reconciling", "True"), "its condition Reconciling is True (Because): it is so"),
                lacks(
                        kind,
                        GENERATION + ", status: {observedGeneration: 1, conditions: [{type: Ready, status: 'True'}]}",
                        "its controller has not seen the last change"),
                lacks(
                        kind,
                        GENERATION + ", status: {conditions: [{type: Ready, status: 'True', observedGeneration: 1}]}",
                        "its condition Ready is not about the last change yet"),
                ready(
                        kind,
                        GENERATION + ", status: {conditions: [{type: Ready, status: 'True', observedGeneration: 2}]}"),
                // Beyond all whole numbers: whoever writes it must not end the stream of the kind.
                ready(kind, GENERATION + ", status: {observedGeneration: 1.0e+300}"));
    }

    @ParameterizedTest
    @MethodSource({"deployments", "statefulSets", "otherWorkloads", "otherKinds", "kindsOfOthers"})
    @Tag("M36")
    void isAsTheKindHasIt(String kind, String body, @Nullable String trouble) {
        assertThat(Readiness.trouble(resource(kind), object(body))).isEqualTo(trouble);
    }

    private static Resource resource(String kind) {
        int slash = kind.indexOf('/');
        String name = kind.substring(slash + 1);
        String singular = name.toLowerCase(Locale.ROOT);
        String plural = singular.endsWith("s") ? singular + "es" : singular + "s";
        return new Resource(
                kind.substring(0, slash),
                "v1",
                new Resource.Names(plural, name, singular, Set.of(), Set.of()),
                Set.of("status"),
                true,
                true,
                Set.of());
    }

    private static ObjectNode object(String fields) {
        return (ObjectNode) Json.fromJava(new Load(LoadSettings.builder().build()).loadFromString("{" + fields + "}"));
    }
}
