package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.json.JsonEquality;
import java.util.stream.Stream;

/** The change of a job from one status to the next. */
record JobStatusChange(JobStatus before, JobStatus next) {
    /** Whether one of some conditions becomes true or ceases to be. */
    boolean ofConditions(String... conditions) {
        return Stream.of(conditions).anyMatch(each -> before.is(each) != next.is(each));
    }

    /** Whether one of some fields changes. */
    boolean of(String... fields) {
        return Stream.of(fields).anyMatch(each -> !JsonEquality.same(before.field(each), next.field(each)));
    }

    /** Whether the job becomes finished, or ceases to be. */
    boolean ofEnd() {
        return before.isFinished() != next.isFinished();
    }
}
