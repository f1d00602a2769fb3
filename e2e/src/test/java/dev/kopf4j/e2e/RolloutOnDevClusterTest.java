package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kubectl waits for workloads of the embedded cluster as for those of any other. */
class RolloutOnDevClusterTest {
    private static final String WORKLOADS = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              replicas: 3
              serviceName: db
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec: {containers: [{name: main, image: 'x:1'}]}
            ---
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: agent}
            spec:
              selector: {matchLabels: {app: agent}}
              template:
                metadata: {labels: {app: agent}}
                spec: {containers: [{name: main, image: 'x:1'}]}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 3
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: 'x:1'}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {selector: {app: web}, ports: [{port: 80}]}
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: web}
            spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
            ---
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: tick}
            spec:
              schedule: '0 0 1 1 *'
              jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}}}
            """;

    @TempDir
    private Path home;

    @BeforeEach
    void requireKubectl() {
        Kubectl.require();
    }

    @Test
    void rolloutsAndJobsEndWell() {
        try (RunningProgram cluster = Kopf4j.start("devcluster", "--workloads", "0.05")) {
            Kubectl kubectl = Kubectl.of(home, Kopf4j.kubeconfig(cluster));
            kubectl.run(
                    "apply",
                    "-f",
                    TextFile.write(home.resolve("workloads.yaml"), WORKLOADS).toString());
            for (String workload : new String[] {"statefulset/db", "daemonset/agent", "deployment/web"}) {
                awaitRollout(kubectl, workload);
                kubectl.run("set", "image", workload, "main=x:2");
                awaitRollout(kubectl, workload);
                assertThat(kubectl.run("rollout", "history", workload)).contains("\n1 ", "\n2 ");
                kubectl.run("rollout", "undo", workload);
                awaitRollout(kubectl, workload);
                assertThat(kubectl.run("get", workload, "-o", "jsonpath={.spec.template.spec.containers[0].image}"))
                        .isEqualTo("x:1");
            }
            assertThat(kubectl.run("get", "pods", "-l", "app=db", "-o", "name"))
                    .isEqualTo("pod/db-0\npod/db-1\npod/db-2");
            kubectl.awaitOutput(
                    "3", "get", "endpoints", "web", "-o", "go-template={{len (index .subsets 0).addresses}}");
            kubectl.awaitOutput("1", "get", "pdb", "web", "-o", "jsonpath={.status.disruptionsAllowed}");
            kubectl.run("create", "job", "now", "--from=cronjob/tick");
            kubectl.run("wait", "--for=condition=Complete", "job/now", "--timeout=60s");
        }
    }

    private static void awaitRollout(Kubectl kubectl, String workload) {
        assertThat(kubectl.run("rollout", "status", workload, "--timeout=60s"))
                .containsAnyOf("successfully rolled out", "partitioned roll out complete: 3 new pods");
    }
}
