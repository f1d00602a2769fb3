package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.JsonEquality;
import java.util.stream.Stream;

/** A change of a job's status. */
record JobStatusChange(JobStatus before, JobStatus next) {
    /** Whether one of these conditions becomes true or false. */
    boolean ofConditions(String... conditions) {
        return Stream.of(conditions).anyMatch(each -> before.is(each) != next.is(each));
    }

    /** Whether one of these fields changes. */
    boolean of(String... fields) {
        return Stream.of(fields).anyMatch(each -> !JsonEquality.same(before.field(each), next.field(each)));
    }

    /** Whether the job becomes finished or unfinished. */
    boolean ofEnd() {
        return before.isFinished() != next.isFinished();
    }
}
