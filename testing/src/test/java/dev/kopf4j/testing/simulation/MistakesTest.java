package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.FailingTests;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: the simulation finds what it is for. Method: operators with classic mistakes break a rule within 1,000 seeds,
 * and the same operators without the mistake break none.
 */
@Tag("N05")
class MistakesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "createsChildrenWithoutChecking, one child for each parent",
        "cleansUpInAnEventHandler, nothing is left in the service",
        "isNotIdempotent, one account for each parent",
        "dependsOnTheOrderOfEvents, each parent is registered",
        "writesItsStatusInALoop, nothing is written when nothing happens any more",
        "leaksADaemon, nobody is watched without a parent",
        "trustsAStaleIndex, one child for each parent",
        "remembersInMemory, each parent is registered",
        "addsDifferences, the service knows the sizes",
        "swallowsConflicts, children have the size of their parents",
        "marksByName, each mark is of its object",
        "writesBackWhatItHasRead, what people choose stays"
    })
    void areFoundWithin1000Seeds(String mistake, String rule) {
        assertThat(FailingTests.report(Mistakes.class, mistake))
                .contains("breaks the rule '" + rule + "'")
                .contains("To repeat it, give @Simulated of this test:");
    }
}
