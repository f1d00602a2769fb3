package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.examples.DocSnippets.Snippet;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The class of {@code docs/schedules.md}, where clocks change at the time of its backup: in Helsinki, an hour after
 * three is skipped in spring, and comes twice in autumn.
 */
class SchedulesPageTest {
    private static final String OBJECT =
            "{apiVersion: kopf.dev/v1, kind: Backup, metadata: {name: one}, spec: {timeZone: Europe/Helsinki}}";

    static void operator(OperatorBuilder builder) throws IOException {
        builder.clusterwide();
        for (Snippet snippet : DocSnippets.snippets()) {
            if (snippet.toString().equals("schedules.md #1")) {
                DocSnippets.all().handlerClasses(snippet).forEach(builder::handlers);
            }
        }
    }

    @Test
    @KopfTest(builder = "operator", start = false, time = TestTime.VIRTUAL)
    void eachNightHasOneBackupWhereTheHourIsSkipped(
            TestCluster cluster, TestedOperator operator, TestClock clock, KubernetesClient client) {
        clock.advance(Duration.between(clock.now(), Instant.parse("2026-03-26T23:00:00Z")));
        assertThat(backups(cluster, operator, clock, client))
                .containsExactly(
                        "2026-03-26T23:00:00Z", // a new object: at once
                        "2026-03-27T01:00:00Z",
                        "2026-03-28T01:00:00Z",
                        "2026-03-29T01:00:00Z", // 04:00 there
                        "2026-03-30T00:00:00Z");
    }

    @Test
    @KopfTest(builder = "operator", start = false, time = TestTime.VIRTUAL)
    void eachNightHasOneBackupWhereTheHourComesTwice(
            TestCluster cluster, TestedOperator operator, TestClock clock, KubernetesClient client) {
        clock.advance(Duration.between(clock.now(), Instant.parse("2026-10-22T23:00:00Z")));
        assertThat(backups(cluster, operator, clock, client))
                .containsExactly(
                        "2026-10-22T23:00:00Z",
                        "2026-10-23T00:00:00Z",
                        "2026-10-24T00:00:00Z",
                        "2026-10-25T00:00:00Z", // and not at 01:00, which is 03:00 there once more
                        "2026-10-26T01:00:00Z");
    }

    @Test
    @KopfTest(builder = "operator", start = false, time = TestTime.VIRTUAL)
    void aClockThatWasAheadRepeatsNoBackupAndStopsNone(
            TestCluster cluster, TestedOperator operator, TestClock clock, KubernetesClient client) {
        clock.advance(Duration.between(clock.now(), Instant.parse("2026-03-26T23:00:00Z")));
        String byAnother = "2026-03-26T23:55:00Z";
        cluster.apply(DocSnippets.definition("backups", "Backup") + OBJECT);
        record(client, byAnother);
        operator.restart();
        clock.advance(Duration.ofMinutes(30));
        assertThat(lastBackup(client)).isEqualTo(byAnother);
        record(client, "2027-03-26T23:55:00Z");
        clock.advance(Duration.ofMinutes(2));
        assertThat(lastBackup(client)).startsWith("2026-03-26T23:3");
    }

    /** When those of the next three days and a half were made, to the minute. */
    private static Set<String> backups(
            TestCluster cluster, TestedOperator operator, TestClock clock, KubernetesClient client) {
        cluster.apply(DocSnippets.definition("backups", "Backup") + OBJECT);
        operator.restart();
        Set<String> made = new TreeSet<>();
        for (int i = 0; i < 3 * 24 * 2 + 24; i++) {
            clock.advance(Duration.ofMinutes(30));
            made.add(Instant.parse(lastBackup(client))
                    .truncatedTo(ChronoUnit.MINUTES)
                    .toString());
        }
        return made;
    }

    private static void record(KubernetesClient client, String backup) {
        client.genericKubernetesResources("kopf.dev/v1", "Backup")
                .inNamespace("default")
                .withName("one")
                .editStatus(each -> {
                    each.setAdditionalProperty("status", Map.of("lastBackup", backup));
                    return each;
                });
    }

    private static String lastBackup(KubernetesClient client) {
        return client.genericKubernetesResources("kopf.dev/v1", "Backup")
                .inNamespace("default")
                .withName("one")
                .require()
                .get("status", "lastBackup");
    }
}
