package dev.kopf4j.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.object.ConditionChanges.ConditionChange;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

@Tag("M12")
class ConditionChangesTest {
    private static final Instant NOW = Instant.parse("2020-01-01T00:00:00.9Z");
    private static final String FOREIGN = "{'type':'Foreign','status':'True','extra':1}";
    private static final String READY =
            "{'type':'Ready','status':'True','lastTransitionTime':'2019-01-01T00:00:00Z','reason':'R','message':'m'}";

    private final PatchContent patch = new PatchContent();

    private static ObjectNode object(String conditions) {
        return Scenario.json("{'metadata':{'generation':2},'status':{'a':1,'conditions':[" + conditions + "]}}");
    }

    private boolean say(String type, String status, ObjectNode seen) {
        return patch.say(ConditionChange.of(type, status, "R", "m", seen.at("/metadata/generation"), NOW), seen);
    }

    @Test
    void aChangeIsMadeToAnyStateAndLeavesAllOthersAsTheyAreThere() {
        assertThat(say("Ready", "False", object(READY))).isTrue();
        ObjectNode newer = object(FOREIGN + "," + READY);
        assertThat(patch.preview(newer))
                .isEqualTo(object(FOREIGN + ",{'type':'Ready','status':'False','observedGeneration':2,"
                        + "'lastTransitionTime':'2020-01-01T00:00:00Z','reason':'R','message':'m'}"));
        assertThat(newer).as("the state itself").isEqualTo(object(FOREIGN + "," + READY));
    }

    @Test
    void theTimeIsThatOfTheLastTransition() {
        assertThat(say("Ready", "True", object(READY)))
                .as("the generation is new")
                .isTrue();
        assertThat(patch.preview(object(READY))
                        .at("/status/conditions/0/lastTransitionTime")
                        .asString())
                .isEqualTo("2019-01-01T00:00:00Z");
        assertThat(patch.preview(object(""))
                        .at("/status/conditions/0/lastTransitionTime")
                        .asString())
                .as("the condition was lost meanwhile")
                .isEqualTo("2020-01-01T00:00:00Z");
    }

    @Test
    void whatIsThereAlreadyIsNoChange() {
        ObjectNode seen = object(READY.replace("'reason'", "'observedGeneration':2,'reason'"));
        assertThat(say("Ready", "True", seen)).isFalse();
        assertThat(patch.isEmpty()).isTrue();
        assertThat(patch.preview(seen)).isSameAs(seen);
    }

    @Test
    void aGenerationThatIsNotToldAnyMoreIsRemoved() {
        ObjectNode seen = object(READY.replace("'reason'", "'observedGeneration':1,'reason'"));
        assertThat(patch.say(ConditionChange.of("Ready", "True", "R", "m", null, NOW), seen))
                .isTrue();
        assertThat(patch.preview(seen)).isEqualTo(object(READY));
    }

    @Test
    void theLastWordOnAConditionCounts() {
        ObjectNode seen = object(READY.replace("'reason'", "'observedGeneration':2,'reason'"));
        assertThat(say("Ready", "False", seen)).isTrue();
        assertThat(say("Ready", "True", seen)).isFalse();
        assertThat(patch.isEmpty()).isTrue();
        PatchContent later = new PatchContent();
        assertThat(later.say(ConditionChange.removal("Ready"), seen)).isTrue();
        say("Ready", "Unknown", seen);
        patch.add(later);
        assertThat(patch.preview(seen)).isEqualTo(object(""));
    }

    @Test
    void aListThatTheMergePatchSetsIsTheOneThatIsChanged() {
        patch.merge().withObject("/status").set("conditions", object(FOREIGN).at("/status/conditions"));
        assertThat(say("Ready", "True", object(READY))).isTrue();
        assertThat(patch.preview(object(READY)).at("/status/conditions/0")).isEqualTo(Scenario.json(FOREIGN));
        assertThat(patch.preview(object(READY)).at("/status/conditions")).hasSize(2);
    }
}
