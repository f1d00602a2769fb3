package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** It is 2 January 2026, 03:04:05 in UTC; a pod takes ten seconds to start, and ten to end. */
class CronJobTest {
    private static final String CRON_JOBS = "/apis/batch/v1/namespaces/default/cronjobs";
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    private void create(String schedule, String more) {
        String fate = more.contains("fails") ? "{metadata: {annotations: {devcluster.kopf4j.dev/pod: fail}}, " : "{";
        JsonNode made = cluster.json("POST", CRON_JOBS, """
                metadata: {name: tick}
                spec:
                  schedule: '%s'
                  %s
                  jobTemplate:
                    spec:
                      backoffLimit: 0
                      template: %sspec: {restartPolicy: Never, containers: [{name: main, image: x}]}}
                """.formatted(schedule, more.replace("fails", ""), fate));
        assertThat(Json.string(made, "metadata", "name")).as("%s", made).isEqualTo("tick");
    }

    /** The scheduled times of the jobs that there are. */
    private List<String> jobs() {
        return cluster.get(JOBS)
                .path("items")
                .valueStream()
                .map(job ->
                        Json.string(job, "metadata", "annotations", "batch.kubernetes.io/cronjob-scheduled-timestamp"))
                .map(time -> time.substring(11))
                .toList();
    }

    private JsonNode status() {
        return cluster.get(CRON_JOBS + "/tick").path("status");
    }

    private void advance(int minutes) {
        cluster.time().advance(Duration.ofMinutes(minutes));
    }

    @Test
    void jobsStartAtTheirTimesAndAreActiveUntilTheyEnd() {
        create("*/5 * * * *", "");
        assertThat(jobs()).isEmpty();
        advance(1);
        assertThat(jobs()).containsExactly("03:05:00Z");
        assertThat(Json.string(status(), "lastScheduleTime")).isEqualTo("2026-01-02T03:05:00Z");
        assertThat(Json.string(cluster.get(JOBS).at("/items/0"), "metadata", "name"))
                .isEqualTo("tick-" + 29_455_385);
        assertThat(Json.string(status().at("/active/0"), "kind")).isEqualTo("Job");
        cluster.time().advance(Duration.ofSeconds(30));
        assertThat(status().path("active")).isEmpty();
        assertThat(Json.string(status(), "lastSuccessfulTime")).startsWith("2026-01-02T03:05:2");
        advance(5);
        assertThat(jobs()).containsExactly("03:05:00Z", "03:10:00Z");
    }

    @Test
    void anEventTellsThatAScheduleIsNever() {
        create("59 23 31 2 *", "");
        advance(59); // in an hour it has gone
        JsonNode events = cluster.get("/api/v1/namespaces/default/events").path("items");
        assertThat(events).hasSize(1);
        assertThat(Json.string(events.get(0), "type")).isEqualTo("Warning");
        assertThat(Json.string(events.get(0), "reason")).isEqualTo("InvalidSchedule");
        assertThat(Json.string(events.get(0), "involvedObject", "kind")).isEqualTo("CronJob");
    }

    @Test
    void theTimeZoneOfTheScheduleCounts() {
        create("0 8 * * *", "timeZone: Asia/Tokyo");
        advance(24 * 60);
        assertThat(jobs()).containsExactly("08:00:00+09:00");
        assertThat(Json.string(status(), "lastScheduleTime")).isEqualTo("2026-01-02T23:00:00Z");
    }

    @Test
    void theHistoryKeepsThreeThatSucceededAndOneThatFailed() {
        create("*/5 * * * *", "");
        advance(30);
        assertThat(jobs()).hasSize(3);
        cluster.send("DELETE", CRON_JOBS + "/tick", "");
        assertThat(jobs()).isEmpty();
        create("*/5 * * * *", "fails");
        advance(30);
        assertThat(jobs()).hasSize(1);
    }

    /** As from the first two times, a minute apart, the one before now is guessed, no job of a guess must start. */
    @Test
    void noJobStartsAtATimeThatTheScheduleDoesNotHave() {
        create("0,1 4 * * *", "suspend: true");
        advance(3 * 24 * 60 + 9 * 60);
        cluster.send("PATCH", CRON_JOBS + "/tick", "{\"spec\":{\"suspend\":false}}");
        assertThat(jobs()).isEmpty();
        advance(16 * 60);
        assertThat(jobs()).containsExactly("04:00:00Z", "04:01:00Z");
    }

    @Test
    void nothingStartsWhileItIsSuspendedAndOnlyTheLastMissedTimeCountsAfterwards() {
        create("*/5 * * * *", "suspend: true");
        advance(32);
        assertThat(jobs()).isEmpty();
        cluster.send("PATCH", CRON_JOBS + "/tick", "{\"spec\":{\"suspend\":false}}");
        assertThat(jobs()).containsExactly("03:35:00Z");
    }

    @Test
    void whatWasMissedForTooLongIsNotStarted() {
        create("*/5 * * * *", "suspend: true\n  startingDeadlineSeconds: 30");
        advance(32);
        cluster.send("PATCH", CRON_JOBS + "/tick", "{\"spec\":{\"suspend\":false}}");
        assertThat(jobs()).isEmpty();
        advance(5);
        assertThat(jobs()).containsExactly("03:40:00Z");
    }

    /** Jobs whose pods never start run for ever. */
    private void createEndless(String policy) {
        create("*/5 * * * *", "concurrencyPolicy: " + policy);
        cluster.send(
                "PATCH",
                CRON_JOBS + "/tick",
                "{\"spec\":{\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":{\"containers\":"
                        + "[{\"name\":\"main\",\"image\":\"registry.invalid/x\"}]}}}}}}");
        advance(12);
    }

    @Test
    void jobsMayRunSideBySide() {
        createEndless("Allow");
        assertThat(jobs()).hasSize(3);
        assertThat(status().path("active")).hasSize(3);
    }

    @Test
    void withForbidTheNextJobWaits() {
        createEndless("Forbid");
        assertThat(jobs()).containsExactly("03:05:00Z");
        String name = Json.string(cluster.get(JOBS).at("/items/0"), "metadata", "name");
        cluster.send("DELETE", JOBS + "/" + name, "");
        assertThat(jobs()).containsExactly("03:15:00Z");
    }

    @Test
    void withReplaceTheRunningJobGoes() {
        createEndless("Replace");
        assertThat(jobs()).containsExactly("03:15:00Z");
        assertThat(status().path("active")).hasSize(1);
    }
}
