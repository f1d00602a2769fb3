package dev.kopf4j.e2e.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.e2e.endurance.judgement.HandlerCount;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A small run of what is made for long ones. */
@Execution(ExecutionMode.CONCURRENT)
class EnduranceTest {
    private static final int OBJECTS = 30;
    private static final int KILLS = 2;
    private static final Path PROGRAM = Path.of(System.getProperty("kopf4j.program", "../cli/target/kopf4j/bin/kopf4j"))
            .toAbsolutePath()
            .normalize();

    @TempDir
    private Path folder;

    /** Objects are created, changed, deleted and replaced while the operator's process is killed twice. */
    @Test
    @Tag("L02")
    void nothingIsLostAndNoRecordedSuccessIsRepeatedWhenTheOperatorIsKilled() {
        EndurancePlan plan = new EndurancePlan(
                1,
                new EndurancePlan.Length(Duration.ofSeconds(30), 2 * KILLS, OptionalInt.empty()),
                new EndurancePlan.Rate(OBJECTS, 40, 1),
                Set.of(Disturbance.KILLS, Disturbance.REPLACEMENTS),
                EndurancePlan.Login.BOTH,
                Optional.empty(),
                new EndurancePlan.Paths(PROGRAM, folder));
        EnduranceResult result = Endurance.run(plan, new Diary(System.out));
        assertThat(result.isGood()).as(result::table).isTrue();
        assertThat(result.processes().starts()).as(result::table).isGreaterThan(KILLS);
        assertThat(result.objects()).isGreaterThanOrEqualTo(OBJECTS);
        assertThat(result.judgement().counts())
                .as(result::table)
                .hasSize(5)
                .allMatch(count -> count.handler().equals("released") || count.expected() > 0)
                .extracting(HandlerCount::lost)
                .containsOnly(0);
        assertThat(result.disturbances()).as(result::table).containsEntry(Disturbance.REPLACEMENTS, KILLS);
    }
}
