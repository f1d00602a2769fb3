package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** The status of a job in one state. */
record JobStatus(JsonNode job) {
    JsonNode spec() {
        return job.path("spec");
    }

    JsonNode field(String name) {
        return job.path("status").path(name);
    }

    boolean has(String name) {
        return !field(name).isMissingNode() && !field(name).isNull();
    }

    long count(String name) {
        return field(name).longValue(0);
    }

    Instant time(String name) {
        return Instant.parse(field(name).stringValue());
    }

    boolean is(String condition) {
        return StatusConditions.isTrue(job.path("status"), condition);
    }

    boolean isFinished() {
        return is("Complete") || is("Failed");
    }

    boolean isIndexed() {
        return Json.string(job, "spec", "completionMode").equals("Indexed");
    }
}
