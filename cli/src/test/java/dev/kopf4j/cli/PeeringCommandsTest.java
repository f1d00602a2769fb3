package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kopf4j freeze} and {@code kopf4j resume}. */
@Tag("H10")
class PeeringCommandsTest {
    private static final String PEERINGS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.kopf.dev}
            spec:
              group: kopf.dev
              scope: %3$s
              names: {plural: %1$s, singular: %4$s, kind: %2$s}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema:
                      type: object
                      properties:
                        status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            ---
            apiVersion: kopf.dev/v1
            kind: %2$s
            metadata: {name: default%5$s}
            """;

    @TempDir
    private Path folder;

    private final List<String> requests = new CopyOnWriteArrayList<>();

    @AutoClose
    private final DevCluster cluster = DevCluster.start(Options.defaults().requestLog(requests::add));

    private String kubeconfig = "";

    @BeforeEach
    void connect() {
        Path file = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(file);
        kubeconfig = file.toString();
    }

    private void definePeerings() {
        cluster.apply(
                PEERINGS.formatted("clusterkopfpeerings", "ClusterKopfPeering", "Cluster", "clusterkopfpeering", ""));
        cluster.apply(
                PEERINGS.formatted("kopfpeerings", "KopfPeering", "Namespaced", "kopfpeering", ", namespace: default"));
    }

    private JsonNode status(String path) {
        var response = cluster.handle(ApiRequest.of("GET", "/apis/kopf.dev/v1/" + path, Map.of(), new byte[0]));
        assertThat(response.body()).isInstanceOf(ApiResponse.Whole.class);
        return JsonMapper.shared()
                .readTree(((ApiResponse.Whole) response.body()).bytes())
                .path("status");
    }

    @Test
    void freezeWritesARecordAndResumeRemovesIt() {
        definePeerings();
        var frozen = CommandRun.of(
                "freeze", "-A", "-P", "default", "-i", "me", "-t", "600", "-m", "repairs", "--kubeconfig", kubeconfig);
        assertThat(frozen.exitCode()).as(frozen.err()).isEqualTo(ExitCode.OK);
        assertThat(frozen.out()).contains("Frozen for 600 s: 'default' cluster-wide (repairs)");
        JsonNode record = status("clusterkopfpeerings/default").path("me");
        assertThat(record.path("priority").intValue()).isEqualTo(100);
        assertThat(record.path("lifetime").intValue()).isEqualTo(600);
        assertThat(record.path("lastseen").asString("")).endsWith("+00:00");

        var resumed = CommandRun.of("resume", "-A", "-P", "default", "-i", "me", "--kubeconfig", kubeconfig);
        assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.OK);
        assertThat(status("clusterkopfpeerings/default").has("me")).isFalse();
    }

    @Test
    void namespacesHavePeeringsOfTheirOwnAndPeopleHaveNames() {
        definePeerings();
        var frozen = CommandRun.of(
                "freeze", "-n", "default", "-P", "default", "--dev", "-t", "60", "--kubeconfig", kubeconfig);
        assertThat(frozen.exitCode()).as(frozen.err()).isEqualTo(ExitCode.OK);
        JsonNode status = status("namespaces/default/kopfpeerings/default");
        assertThat(status.propertyNames()).singleElement().asString().contains("@");
        assertThat(status.values().iterator().next().path("priority").intValue())
                .isEqualTo(666);
        assertThat(status("clusterkopfpeerings/default")).isEmpty();
    }

    @Test
    void patternsMeanTheNamespacesOfTheClusterThatMatch() {
        definePeerings();
        for (String team : List.of("team-a", "team-b")) {
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + team + "}}");
            cluster.apply(
                    "{apiVersion: kopf.dev/v1, kind: KopfPeering, metadata: {name: default, namespace: " + team + "}}");
        }
        var frozen = CommandRun.of(
                "freeze", "-n", "team-*", "-P", "default", "-i", "me", "-t", "60", "--kubeconfig", kubeconfig);
        assertThat(frozen.exitCode()).as(frozen.err()).isEqualTo(ExitCode.OK);
        assertThat(status("namespaces/team-a/kopfpeerings/default").has("me")).isTrue();
        assertThat(status("namespaces/team-b/kopfpeerings/default").has("me")).isTrue();
        assertThat(status("namespaces/default/kopfpeerings/default")).isEmpty();

        var resumed = CommandRun.of("resume", "-n", "team-b*", "-P", "default", "-i", "me", "--kubeconfig", kubeconfig);
        assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.OK);
        assertThat(status("namespaces/team-a/kopfpeerings/default").has("me")).isTrue();
        assertThat(status("namespaces/team-b/kopfpeerings/default").has("me")).isFalse();

        var none = CommandRun.of("freeze", "-n", "no-*", "-P", "default", "-t", "60", "--kubeconfig", kubeconfig);
        assertThat(none.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(status("clusterkopfpeerings/default")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "resume -A, GET /apis/kopf.dev/v1/clusterkopfpeerings 403, 0",
        "resume -n default, GET /apis/kopf.dev/v1/namespaces/default/kopfpeerings 403, 0",
        "resume -n team-*, GET /api/v1/namespaces 403, 1",
        "resume -A, * /apis/kopf.dev/v1/clusterkopfpeerings** 403, 1",
        "freeze -t 60 -A, PATCH /apis/kopf.dev/v1/clusterkopfpeerings/** 403, 1"
    })
    void whatIsRefusedIsNotAskedForAgain(String command, String rule, int exitCode) {
        definePeerings();
        cluster.faults().add(rule);
        List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
        arguments.addAll(List.of("-P", "default", "--kubeconfig", kubeconfig));
        requests.clear();
        var run = CommandRun.of(arguments.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(requests)
                .filteredOn(each -> each.endsWith(" 403"))
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }

    @Test
    void resumeSaysThatThereIsNoSuchRecordAndWhichOnesThereAre() {
        definePeerings();
        var frozen = CommandRun.of(
                "freeze", "-A", "-P", "default", "-i", "me@laptop", "-t", "600", "--kubeconfig", kubeconfig);
        assertThat(frozen.exitCode()).as(frozen.err()).isEqualTo(ExitCode.OK);

        var resumed = CommandRun.of("resume", "-A", "-P", "default", "-i", "you", "--kubeconfig", kubeconfig);
        assertThat(resumed.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(resumed.err()).contains("There is no record of 'you' in 'default' cluster-wide");
        assertThat(resumed.out())
                .doesNotContain("Resumed")
                .containsPattern("priority 100, for another (600|59\\d) s: --id me@laptop removes it");
        assertThat(status("clusterkopfpeerings/default").has("me@laptop")).isTrue();
    }

    @Test
    void withoutPeeringObjectsThereIsNothingToFreeze() {
        var frozen = CommandRun.of("freeze", "-A", "-P", "default", "-t", "60", "--kubeconfig", kubeconfig);
        assertThat(frozen.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(frozen.err()).contains("Cannot find the peering resource for 'default' cluster-wide");
    }

    @Test
    void nameAndLifetimeAreMandatory() {
        assertThat(CommandRun.of("freeze", "-A", "-P", "default").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("freeze", "-A", "-t", "60").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("resume", "-A").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("freeze", "-A", "-n", "a", "-P", "x", "-t", "60")
                        .err())
                .contains("Either --namespace or --all-namespaces");
        CommandRun waiting = CommandRun.of("resume", "-A", "-P", "default", "--wait");
        assertThat(waiting.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(waiting.err()).contains("--wait is about objects");
    }
}
