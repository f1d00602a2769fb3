package dev.kopf4j.devcluster.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.controller.statefulset.StatefulSetController.StatefulSetPlan;
import dev.kopf4j.devcluster.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Pods are written as ordinal, revision and state: {@code +} available, {@code r} ready, but not available, {@code -}
 * not ready, {@code p} pending, {@code f} failed, {@code t} being deleted. The current revision is a, the new one b.
 */
class StatefulSetPlanTest {
    private static Replica replica(String text) {
        char state = text.charAt(text.length() - 1);
        String phase = state == 'p' ? "Pending" : state == 'f' ? "Failed" : "Running";
        return new Replica(
                Long.parseLong(text.substring(0, text.length() - 2)),
                text.substring(text.length() - 2, text.length() - 1),
                phase,
                "+rt".indexOf(state) >= 0,
                "+t".indexOf(state) >= 0,
                state == 't',
                null);
    }

    private static String shown(StatefulSetStep step) {
        return switch (step) {
            case StatefulSetStep.Create(long ordinal, String revision) -> "create " + ordinal + revision;
            case StatefulSetStep.Claims(long ordinal) -> "claims " + ordinal;
            case StatefulSetStep.Delete(long ordinal) -> "delete " + ordinal;
        };
    }

    private static String steps(String spec, String pods) {
        List<Replica> replicas = pods.isEmpty()
                ? List.of()
                : Arrays.stream(pods.split(" "))
                        .map(StatefulSetPlanTest::replica)
                        .toList();
        JsonNode node = Json.parse("{" + spec.replace('\'', '"') + "}");
        return new StatefulSetPlan(node, replicas, "a", "b", 1)
                .steps().stream().map(StatefulSetPlanTest::shown).collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''            | create 0b",
                "0b-           | ''",
                "0br           | ''",
                "0bp           | claims 0",
                "0b+           | create 1b",
                "0b+ 1b+ 2b+   | ''",
                "0b+ 1bf 2b+   | delete 1",
                "0b+ 1bt 2b+   | ''",
                "1b+ 2b+       | create 0b",
                "0b+ 1b+ 2b+ 3b+ 4b+ | delete 4",
                "0b+ 1b+ 2b+ 3b+ 4b- | delete 4",
                "0b+ 1b+ 2b+ 3b- 4b- | ''",
                "0b+ 1b+ 2b+ 3b+ 4bt | ''",
                "0b+ 1b- 2b+ 3b+     | ''",
                "0a+ 1a+ 2a+   | delete 2",
                "0a+ 1a+ 2b+   | delete 1",
                "0a+ 1a+ 2b-   | ''",
                "0a+ 1a+       | create 2b",
            })
    void inOrderOneThingIsDoneAtATime(String pods, String steps) {
        assertThat(steps(
                        "'replicas':3,'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':0}}", pods))
                .isEqualTo(steps);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''            | create 0b, create 1b, create 2b",
                "0b- 2b-       | create 1b",
                "0b- 1bf 2b-   | delete 1",
                "0b+ 1b- 2b+ 3b- 4b+ | delete 4, delete 3",
                "0b+ 1b+ 2b+ 3bt 4b+ | delete 4",
                "0a+ 1a+ 2a+   | delete 2",
                "0a+ 1a+ 2b-   | ''",
            })
    void inParallelAllIsCreatedAndDeletedAtOnceButUpdatedOneByOne(String pods, String steps) {
        assertThat(steps(
                        "'replicas':3,'podManagementPolicy':'Parallel',"
                                + "'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':0}}",
                        pods))
                .isEqualTo(steps);
    }

    @Test
    void withoutAPartitionAsManyAreCurrentAsTheStatusCounts() {
        assertThat(steps("'replicas':3,'podManagementPolicy':'Parallel'", ""))
                .isEqualTo("create 0a, create 1b, create 2b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0a+ 1a+ 2a+ | delete 2",
                "0a+ 1a+ 2b+ | ''",
                "0a+ 2b+     | create 1a",
                "0a+ 1a+     | create 2b",
            })
    void thePartitionKeepsTheFirstPodsAsTheyAre(String pods, String steps) {
        assertThat(steps(
                        "'replicas':3,'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':2}}", pods))
                .isEqualTo(steps);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0a+ 1a+ 2a+ | ''",
                "0a+ 2a+     | create 1b",
            })
    void onDeleteOnlyNewPodsAreOfTheNewRevision(String pods, String steps) {
        assertThat(steps("'replicas':3,'updateStrategy':{'type':'OnDelete'}", pods))
                .isEqualTo(steps);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''          | create 5b",
                "5b+ 6b+     | ''",
                "0b+ 5b+ 6b+ | delete 0",
                "5b+ 6b+ 7b+ | delete 7",
                "5a+ 6b+     | delete 5",
            })
    void ordinalsStartWhereTheyAreToldTo(String pods, String steps) {
        assertThat(steps(
                        "'replicas':2,'ordinals':{'start':5},"
                                + "'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':0}}",
                        pods))
                .isEqualTo(steps);
    }
}
