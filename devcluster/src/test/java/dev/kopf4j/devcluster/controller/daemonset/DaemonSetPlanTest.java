package dev.kopf4j.devcluster.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.controller.action.NodeFit;
import dev.kopf4j.devcluster.controller.daemonset.DaemonSetController.DaemonPodTemplate;
import dev.kopf4j.devcluster.controller.daemonset.DaemonSetController.DaemonSetPlan;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * Nodes are separated by spaces, and are called n0, n1 and so on; a node is written by its pods: O is an old one, N one
 * of the newest revision; {@code +} available, {@code -} not ready, {@code f} failed, {@code t} being deleted. An
 * exclamation mark in front: the node does not fit at all; a question mark: only pods that are there may stay; a dot:
 * no pods. Pods are called by node and place: n0.0 is the first of the first node.
 */
class DaemonSetPlanTest {
    private static DaemonNode node(int number, String text) {
        boolean out = text.startsWith("!");
        boolean stay = text.startsWith("?");
        String pods = text.replaceAll("[!?.]", "");
        List<DaemonPod> all = new ArrayList<>();
        for (int at = 0; at < pods.length(); at += 2) {
            char state = pods.charAt(at + 1);
            all.add(new DaemonPod(
                    "n" + number + "." + at / 2,
                    "" + at,
                    state == 'f' ? "Failed" : "Running",
                    state == 't',
                    state == '+',
                    state == '+',
                    pods.charAt(at) == 'N'));
        }
        return new DaemonNode("n" + number, new NodeFit(!out && !stay, !out), all);
    }

    private static String plan(String strategy, String nodes) {
        List<DaemonNode> all = new ArrayList<>();
        Arrays.stream(nodes.split(" ")).forEach(text -> all.add(node(all.size(), text)));
        ObjectNode spec = Json.object();
        spec.set("updateStrategy", Json.parse(strategy));
        DaemonSetPlan plan = new DaemonSetPlan(spec, all);
        return "+" + String.join(",", plan.creations()) + " -" + String.join(",", plan.deletions());
    }

    @ParameterizedTest
    @CsvSource({
        "., +n0 -",
        ". . !. ?., '+n0,n1 -'",
        "N+ N-, + -",
        "N+N+ N+, + -n0.1",
        "Nf N+, + -n0.0",
        "Nt N+, + -",
        "!N+ ?N+, + -n0.0",
        "Of ., +n1 -n0.0",
        "O+ O+, + -n0.0",
        "O+ O-, + -n1.0",
        "O- O-, '+ -n0.0,n1.0'",
        "Ot O+, + -",
        "N- O+, + -",
        "N+ O+, + -n1.0",
        "N+ N+, + -"
    })
    void oneNodeAfterTheOtherIsUpdated(String nodes, String plan) {
        assertThat(plan("{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxUnavailable\":1}}", nodes))
                .isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource({"O+ O+ O+ O+, '+ -n0.0,n1.0'", "O+ O- O+ O+, '+ -n1.0,n0.0'", "O+ N- O+ N+, + -n0.0"})
    void percentagesOfUnavailableNodesAreRoundedUp(String nodes, String plan) {
        assertThat(plan("{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxUnavailable\":\"30%\"}}", nodes))
                .isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource({
        "O+ O+, +n0 -",
        "O+N- O+, + -",
        "O+N+ O+, + -n0.0",
        "O-N- O+, + -n0.0",
        "N+ O+, +n1 -",
        "N+ O-, +n1 -",
        "N+ ?O-, + -n1.0",
        "N+ Nt, +n1 -",
    })
    void withASurgeNewPodsComeFirst(String nodes, String plan) {
        assertThat(plan("{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":1,\"maxUnavailable\":0}}", nodes))
                .isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource({"O+ O-, + -", "O+ ., +n1 -"})
    void onDeleteOldPodsStay(String nodes, String plan) {
        assertThat(plan("{\"type\":\"OnDelete\"}", nodes)).isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                          | true  | true",
                "{nodeName: a}                                               | true  | true",
                "{nodeName: b}                                               | false | false",
                "{nodeSelector: {disk: ssd}}                                 | true  | true",
                "{nodeSelector: {disk: hdd}}                                 | false | false",
                "{terms: [{matchExpressions: [{key: cores, operator: Gt, values: ['3']}]}]} | true  | true",
                "{terms: [{matchExpressions: [{key: cores, operator: Lt, values: ['3']}]}]} | false | false",
                "{terms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]} | false | false",
                "{terms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}, {matchExpressions: [{key: disk, operator: Exists}]}]} | true | true",
                "{terms: [{}]}                                               | false | false",
            })
    void nodesAreChosenByNameLabelsAndAffinity(String spec, boolean run, boolean keep) {
        ObjectNode node = yaml("{metadata: {name: a, labels: {disk: ssd, cores: '4'}}}");
        ObjectNode pod = yaml(spec);
        if (pod.has("terms")) {
            Json.child(
                            Json.child(Json.child(pod, "affinity"), "nodeAffinity"),
                            "requiredDuringSchedulingIgnoredDuringExecution")
                    .set("nodeSelectorTerms", pod.remove("terms"));
        }
        assertThat(NodeFit.of(pod, node)).isEqualTo(new NodeFit(run, keep));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{key: a, effect: NoSchedule}                              | []                              | false | true",
                "{key: a, effect: NoExecute}                               | []                              | false | false",
                "{key: a, effect: PreferNoSchedule}                        | []                              | true  | true",
                "{key: a, value: b, effect: NoExecute}                     | [{key: a, value: b}]            | true  | true",
                "{key: a, value: b, effect: NoExecute}                     | [{key: a, value: c}]            | false | false",
                "{key: a, value: b, effect: NoExecute}                     | [{key: a, operator: Exists, effect: NoSchedule}] | false | false",
                "{key: a, value: b, effect: NoExecute}                     | [{operator: Exists}]            | true  | true",
                "{key: node.kubernetes.io/unschedulable, effect: NoSchedule} | []                            | true  | true",
            })
    void taintsMustBeTolerated(String taint, String tolerations, boolean run, boolean keep) {
        ObjectNode node = yaml("{metadata: {name: a}, spec: {taints: [" + taint + "]}}");
        ObjectNode template = yaml("{spec: {tolerations: " + tolerations + "}}");
        assertThat(NodeFit.of(DaemonPodTemplate.spec(template), node)).isEqualTo(new NodeFit(run, keep));
    }

    private static ObjectNode yaml(String text) {
        return (ObjectNode) YamlReader.documents(text).getFirst();
    }
}
