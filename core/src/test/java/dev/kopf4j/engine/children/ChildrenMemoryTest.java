package dev.kopf4j.engine.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.children.ChildrenMemory.WriteFailure;
import dev.kopf4j.runtime.Deadline;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link ChildrenMemory}: what was told already. */
class ChildrenMemoryTest {
    private final ChildrenMemory memory = new ChildrenMemory(List.of("uid"), () -> {});

    /** The texts of some refusals have numbers and times in them: as many are remembered as there are children. */
    @Test
    void onlyTheLastTroubleOfAChildIsNotReportedAgain() {
        assertThat(memory.reports("Secret a", "used: 1")).isTrue();
        assertThat(memory.reports("Secret b", "used: 1")).isTrue();
        assertThat(memory.reports("Secret a", "used: 1")).isFalse();
        assertThat(memory.reports("Secret a", "used: 2")).isTrue();
        assertThat(memory.reports("Secret a", "used: 1")).isTrue();
        memory.forgetReports();
        assertThat(memory.reports("Secret b", "used: 1")).isTrue();
    }

    @Test
    void droppedMarksAreForgottenOfChildrenThatNobodyWantsAnyMore() {
        assertThat(memory.reportsDroppedMarks("pages", "Secret a", "the owner")).isTrue();
        assertThat(memory.reportsDroppedMarks("pages", "Secret b", "the owner")).isTrue();
        memory.wants("pages", Set.of("Secret a"));
        memory.wants("others", Set.of());
        assertThat(memory.reportsDroppedMarks("pages", "Secret a", "the owner")).isFalse();
        assertThat(memory.reportsDroppedMarks("pages", "Secret b", "the owner")).isTrue();
        assertThat(memory.reportsDroppedMarks("pages", "Secret b", "")).isFalse();
        assertThat(memory.reportsDroppedMarks("pages", "Secret b", "the owner")).isTrue();
    }

    /** Else the console counts the parent as failing for as long as another child is not ready. */
    @Test
    void whatWasRefusedIsForgottenOfChildrenThatAreTriedNoMore() {
        WriteFailure failure = new WriteFailure(null, true, "ChildRefused", "not allowed", Deadline.NEVER, 0);
        memory.keepWriteFailures(Set.of());
        memory.writeFailures().put("Secret a", failure);
        memory.writeFailures().put("Secret b", failure);
        memory.keepWriteFailures(Set.of("Secret b", "Secret c"));
        assertThat(memory.writeFailures()).containsOnlyKeys("Secret b");
        memory.keepWriteFailures(Set.of());
        assertThat(memory.hasWriteFailures()).isFalse();
    }
}
