package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.recording.LogLine;
import dev.kopf4j.testing.recording.RecordedCall;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 05: all handlers of changes, in their order. */
@Tag("L70")
@KopfTest(
        run = {"05-handlers/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class HandlersTest {
    private int seen;

    /** The handlers that were called since the last time. */
    private List<String> called(TestedOperator operator) {
        List<String> all = operator.calls().stream().map(RecordedCall::handler).toList();
        List<String> news = all.subList(seen, all.size());
        seen = all.size();
        return news;
    }

    @Test
    void areCalledInTheOrderOfTheSourceForWhatHappens(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(object(client).get());
        assertThat(called(operator)).containsExactly("createFn1", "createFn2", "appearFn", "fieldFn/spec.field");

        KopfExamples.patch(client, "{\"spec\": {\"field\": \"changed\"}}");
        operator.awaitHandled(object(client).get());
        assertThat(called(operator)).containsExactly("updateFn", "fieldFn/spec.field");

        operator.restart();
        operator.awaitHandled(object(client).get());
        assertThat(called(operator)).containsExactly("resumeFn1", "resumeFn2", "appearFn");

        var before = object(client).get();
        object(client).delete();
        operator.awaitHandled(before);
        assertThat(called(operator)).containsExactly("deleteFn1", "deleteFn2");
        assertThat(object(client).get()).isNull();
        assertThat(operator.logs())
                .extracting(LogLine::message)
                .contains(
                        "CREATED 1st, with the field value",
                        "APPEARED, reason CREATE",
                        "FIELD changed from null to value",
                        "UPDATED CHANGE of spec.field from value to changed",
                        "FIELD changed from value to changed",
                        "APPEARED, reason RESUME");
    }
}
