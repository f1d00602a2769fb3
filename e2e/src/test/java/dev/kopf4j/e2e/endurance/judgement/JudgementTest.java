package dev.kopf4j.e2e.endurance.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The judge is right about histories that are known. Versions are those of the object; all else happens at once. */
class JudgementTest {
    private static final long BEFORE = System.currentTimeMillis() - 60_000;
    private static final long AFTER = System.currentTimeMillis() + 60_000;

    @TempDir
    private Path folder;

    private final Histories histories = new Histories();
    private final List<String> lines = new ArrayList<>();

    private void see(String type, int version, long value, String annotations, String metadata) {
        JsonNode object = JsonMapper.shared().readTree("""
                {"metadata": {"namespace": "n", "name": "a", "uid": "u", "resourceVersion": "%s", "annotations": {%s}%s},
                 "spec": {"value": %s}}""".formatted(version, annotations, metadata, value));
        histories.changed(type, object);
    }

    private void seeHandled(int version, long value) {
        see("MODIFIED", version, value, handled(value), "");
    }

    private static String handled(long value) {
        return "\"kopf.zalando.org/last-handled-configuration\": \"{\\\"spec\\\":{\\\"value\\\":" + value + "}}\"";
    }

    private static String success(String handler) {
        return "\"kopf.zalando.org/" + handler + "\": \"{\\\"success\\\":true}\"";
    }

    private void call(String process, String handler, long value, int version, long millis, String end) {
        String id = process + "-" + lines.size();
        lines.add(String.join(
                "\t", "begin", id, handler, "u", "n/a", Long.toString(value), Integer.toString(version), "" + millis));
        if (!end.isEmpty()) {
            lines.add(String.join("\t", "end", id, end, "" + millis));
        }
    }

    private void created(long value) {
        call("1", "first", value, 1, BEFORE, "done");
        call("1", "second", value, 1, BEFORE, "done");
    }

    private void updated(String process, long value, int version) {
        call(process, "changed", value, version, BEFORE, "done");
        call(process, "followed", value, version, BEFORE, "done");
    }

    private HandlerCount count(String handler) throws IOException {
        return count(handler, Forgettings.at(List.of()));
    }

    private HandlerCount count(String handler, Forgettings forgettings) throws IOException {
        Path file = Files.write(folder.resolve("calls"), lines);
        return Judgement.of(histories, file, forgettings).counts().stream()
                .filter(each -> each.handler().equals(handler))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anObjectWhoseChangesWereAllHandledOnceIsInOrder() throws IOException {
        created(1);
        seeHandled(2, 1);
        updated("1", 2, 3);
        seeHandled(4, 2);
        assertThat(count("first")).isEqualTo(new HandlerCount("first", 1, 1, 0, 0, 0, 0));
        assertThat(count("changed")).isEqualTo(new HandlerCount("changed", 1, 1, 0, 0, 0, 0));
    }

    @Test
    void aCreationThatOneHandlerHasNotHeardOfIsLost() throws IOException {
        call("1", "first", 1, 1, BEFORE, "done");
        seeHandled(2, 1);
        assertThat(count("first").lost()).isZero();
        assertThat(count("second").lost()).isEqualTo(1);
    }

    @Test
    void theLastStateIsLostIfNobodyHasHeardOfIt() throws IOException {
        created(1);
        seeHandled(2, 1);
        see("MODIFIED", 3, 2, handled(1), "");
        assertThat(count("changed").lost()).isEqualTo(1);
        assertThat(histories.unsettled()).containsExactly("n/a");
    }

    @Test
    void stateThatWasSupersededIsHeardOfWithTheNewerOne() throws IOException {
        created(1);
        seeHandled(2, 1);
        call("1", "followed", 2, 3, BEFORE, "done");
        updated("1", 3, 4);
        seeHandled(5, 2);
        seeHandled(6, 3);
        assertThat(count("changed")).isEqualTo(new HandlerCount("changed", 2, 1, 0, 0, 0, 0));
    }

    @Test
    void whatTheSecondAttemptOfACreationHasSeenMayBeAnUpdateOfWhichTheRestIsForgotten() throws IOException {
        call("1", "second", 1, 1, BEFORE, "done");
        call("1", "first", 2, 2, BEFORE, "done");
        seeHandled(3, 1);
        call("1", "changed", 2, 3, BEFORE, "done");
        call("1", "followed", 2, 3, BEFORE, "again");
        call("2", "followed", 3, 4, AFTER, "done");
        seeHandled(5, 3);
        assertThat(count("changed", Forgettings.at(List.of(BEFORE + 1))))
                .isEqualTo(new HandlerCount("changed", 1, 1, 0, 1, 0, 0));
        assertThat(count("changed").lost()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void whatOneHandlerHeardOfBeforeAKillAndAnotherOneBeforeTheEndIsOutdated(String process) throws IOException {
        created(1);
        seeHandled(2, 1);
        call("1", "changed", 2, 3, BEFORE, "done");
        call(process, "followed", 3, 4, BEFORE, "done");
        seeHandled(5, 3);
        HandlerCount outdated = new HandlerCount("changed", 1, 1, 0, 1, 0, 0);
        assertThat(count("changed", Forgettings.at(List.of(BEFORE + 1)))).isEqualTo(outdated);
        assertThat(count("changed", Forgettings.atAnyTime())).isEqualTo(outdated);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 120_000})
    void ifNoProcessWasStartedMeanwhileTheSameIsALoss(long start) throws IOException {
        created(1);
        seeHandled(2, 1);
        call("1", "changed", 2, 3, BEFORE, "done");
        call("1", "followed", 3, 4, BEFORE, "done");
        seeHandled(5, 3);
        assertThat(count("changed", Forgettings.at(List.of(BEFORE + start))))
                .isEqualTo(new HandlerCount("changed", 1, 1, 1, 0, 0, 0));
    }

    @Test
    void whatNoHandlerHeardOfIsALossWhateverWasForgotten() throws IOException {
        created(1);
        seeHandled(2, 1);
        call("1", "changed", 2, 3, BEFORE, "done");
        seeHandled(5, 3);
        assertThat(count("changed", Forgettings.atAnyTime()).lost()).isEqualTo(1);
    }

    @Test
    void aCallThatWasCutOffIsRepeatedWithoutARecord() throws IOException {
        call("1", "first", 1, 1, BEFORE, "");
        created(1);
        seeHandled(2, 1);
        assertThat(count("first")).isEqualTo(new HandlerCount("first", 1, 2, 0, 0, 1, 0));
    }

    @Test
    void anAttemptThatAskedForAnotherOneIsNoRepetition() throws IOException {
        call("1", "first", 1, 1, BEFORE, "again");
        created(1);
        seeHandled(2, 1);
        assertThat(count("first")).isEqualTo(new HandlerCount("first", 1, 2, 0, 0, 0, 0));
    }

    @Test
    void aCallThatIsShownTheRecordOfItsSuccessIsRepeatedAfterIt() throws IOException {
        created(1);
        see("MODIFIED", 2, 1, success("first"), "");
        call("2", "first", 1, 2, BEFORE, "done");
        seeHandled(3, 1);
        assertThat(count("first").afterRecord()).isEqualTo(1);
        assertThat(count("second").afterRecord()).isZero();
    }

    @Test
    void aCallThatBeginsAfterTheRecordWasSeenIsRepeatedAfterItWhateverItIsShown() throws IOException {
        created(1);
        seeHandled(2, 1);
        updated("1", 2, 3);
        seeHandled(4, 2);
        call("2", "changed", 2, 3, AFTER, "");
        assertThat(count("changed").afterRecord()).isEqualTo(1);
    }

    @Test
    void anObjectThatHasGoneWithItsFinalizerWithoutACallIsLost() throws IOException {
        created(1);
        see("MODIFIED", 2, 1, handled(1), ", \"finalizers\": [\"f\"]");
        see("DELETED", 3, 1, handled(1), "");
        assertThat(count("released")).isEqualTo(new HandlerCount("released", 1, 0, 1, 0, 0, 0));
        assertThat(histories.unsettled()).isEmpty();
    }

    @Test
    void aDeletionThatIsHandledAgainAfterTheObjectHasGoneIsRepeatedAfterARecord() throws IOException {
        created(1);
        see("MODIFIED", 2, 1, handled(1), ", \"finalizers\": [\"f\"], \"deletionTimestamp\": \"now\"");
        assertThat(histories.beingDeleted()).isEqualTo(1);
        call("1", "released", 1, 2, BEFORE, "done");
        see("DELETED", 3, 1, handled(1), "");
        call("2", "released", 1, 2, AFTER, "done");
        assertThat(count("released")).isEqualTo(new HandlerCount("released", 1, 2, 0, 0, 0, 1));
    }
}
