package dev.kopf4j.engine.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorStep.Decision;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a step is recorded: names and paths; values only if that is wanted, and those of Secrets never. */
class RecordedStepsTest {
    private static final String CANARY = "canary-6c1f";
    private static final Resource SECRETS = resource("", "secrets", "Secret");
    static final Resource EXAMPLES = resource("kopf.dev", "kopfexamples", "KopfExample");

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));

    private static Resource resource(String group, String plural, String kind) {
        return new Resource(
                group,
                "v1",
                new Resource.Names(plural, kind, plural, Set.of(), Set.of()),
                Set.of("status"),
                true,
                true,
                Set.of("patch"));
    }

    private static TransportRequest patch(String type, String body) {
        return new TransportRequest(
                "PATCH",
                "/api/v1/namespaces/ns/secrets/x?fieldManager=" + CANARY,
                Map.of("Content-Type", type, "Authorization", "Bearer " + CANARY),
                body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private String recorded(OperatorStep step, boolean values) {
        RecordedSteps steps = new RecordedSteps(platform, values);
        return steps.write(1, step, null, steps.details(step)) ? steps.text() : "";
    }

    @Test
    void streamsOfNamespacesThatAreGoneAreForgottenInTheEnd() {
        RecordedSteps steps = new RecordedSteps(platform, false);
        OperatorStep first = new OperatorStep.StreamChanged("pods of ci-0", true, false, null);
        assertThat(steps.write(1, first, null, RecordedSteps.Details.NONE)).isTrue();
        assertThat(steps.write(2, first, null, RecordedSteps.Details.NONE))
                .as("the same again")
                .isFalse();
        for (int i = 1; i <= 1000; i++) {
            OperatorStep other = new OperatorStep.StreamChanged("pods of ci-" + i, true, false, null);
            assertThat(steps.write(i, other, null, RecordedSteps.Details.NONE)).isTrue();
        }
        assertThat(steps.write(2000, first, null, RecordedSteps.Details.NONE)).isTrue();
    }

    /** Steps that hold a canary wherever there is a value or a text of somebody else. */
    private static List<OperatorStep> steps(Resource resource) {
        ObjectReference object = new ObjectReference("v1", resource.kind(), "x", "uid", "ns");
        RequestDescription description =
                new RequestDescription("patch", resource, "ns", "x", null, "/api/v1/namespaces/ns/secrets/x");
        ApiException refusal = ApiException.of(
                description,
                "https://server",
                422,
                ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"" + CANARY + "\",\"code\":422}")
                        .getBytes(StandardCharsets.UTF_8),
                null);
        JsonDiff diff = JsonDiff.between(
                Json.parse("{\"data\":{\"a\":\"b\"}}"),
                Json.parse("{\"data\":{\"a\":\"" + CANARY + "\",\"b\":\"" + CANARY + "\"}}"),
                JsonDiff.Scope.FULL);
        List<OperatorStep> steps = new ArrayList<>();
        for (String body : List.of(
                "{'data':{'a':'" + CANARY + "'},'metadata':{'annotations':{'l':'{\\'" + CANARY
                        + "\\':1}'}}}".replace("\\'", "\\\""),
                "[{'op':'replace','path':'/data/a','value':'" + CANARY + "'}]")) {
            steps.add(new OperatorStep.RequestEnded(description, patch("any", body), 200, Duration.ofMillis(3)));
        }
        steps.add(new OperatorStep.CycleDecided(resource, object, Reason.UPDATE, diff, Decision.HANDLE, List.of("a")));
        steps.add(new OperatorStep.CycleFailed(resource, object, refusal, Duration.ofSeconds(1)));
        steps.add(new OperatorStep.CycleFailed(
                resource, object, new IllegalStateException(CANARY), Duration.ofSeconds(1)));
        steps.add(new OperatorStep.ObjectUnreadable(resource, object, CANARY));
        steps.add(new OperatorStep.LoggedIn(0, new IllegalStateException("token " + CANARY)));
        return steps;
    }

    @ParameterizedTest
    @Tag("Q21")
    @ValueSource(booleans = {false, true})
    void nothingOfASecretIsRecorded(boolean values) {
        for (OperatorStep step : steps(SECRETS)) {
            assertThat(recorded(step, values)).isNotEmpty().doesNotContain(CANARY);
        }
    }

    @Test
    @Tag("Q21")
    void valuesAreRecordedOnlyIfThatIsWanted() {
        List<OperatorStep> all = steps(EXAMPLES);
        for (OperatorStep step : all.subList(0, 4)) {
            assertThat(recorded(step, false)).isNotEmpty().doesNotContain(CANARY);
            assertThat(recorded(step, true)).contains(CANARY);
        }
        assertThat(recorded(all.getLast(), true)).doesNotContain(CANARY);
    }

    @Test
    @Tag("Q20")
    void aRequestForAChildNamesTheResourceAndTheObjectThatItIsMadeFor() {
        ObjectReference parent = new ObjectReference("kopf.dev/v1", "KopfExample", "x", "uid", "ns");
        OperatorStep.CycleBegan began = new OperatorStep.CycleBegan(EXAMPLES, parent, null, "1", Duration.ZERO);
        RequestDescription description =
                new RequestDescription("patch", SECRETS, "ns", "s", null, "/api/v1/namespaces/ns/secrets/s");
        OperatorStep step = new OperatorStep.RequestEnded(
                description, patch("application/merge-patch+json", "{}"), 200, Duration.ZERO);
        RecordedSteps steps = new RecordedSteps(platform, false);
        assertThat(steps.write(1, step, RecordedSteps.Cycle.of(began, 0), RecordedSteps.Details.NONE))
                .isTrue();
        assertThat(steps.text())
                .contains(
                        "\"forResource\":\"kopfexamples.v1.kopf.dev\",\"forKind\":\"KopfExample\",\"forObject\":\"ns/x\"");
    }

    @Test
    @Tag("Q21")
    void troublesOfChildrenMayQuoteThem() {
        ObjectReference object = new ObjectReference("kopf.dev/v1", "KopfExample", "x", "uid", "ns");
        OperatorStep step = new OperatorStep.ChildrenCompared(
                EXAMPLES, object, Map.of("Secret s", CANARY, "ConfigMap c", "refused"), Set.of("ConfigMap c"));
        assertThat(recorded(step, false)).contains("Secret s", "ConfigMap c").doesNotContain(CANARY, "refused");
        assertThat(recorded(step, true)).contains("ConfigMap c: refused").doesNotContain(CANARY);
    }

    @ParameterizedTest
    @Tag("Q20")
    @CsvSource(
            delimiter = '|',
            value = {
                "{'spec':{'a':1,'b':{'c':2}}} | spec.a, spec.b.c",
                "{'metadata':{'uid':'u','resourceVersion':'5','labels':{'x.y/z':'1'}},'status':null} | metadata.labels.x.y/z, status",
                "{'spec':{'a':{'b':{'c':{'d':1}},'e':[{'f':1}]}}} | spec.a.b, spec.a.e",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x','namespace':'ns'},'data':{}} | ''",
                "[{'op':'test','path':'/metadata/uid','value':'u'},{'op':'add','path':'/spec/a~1b/0','value':{'path':'/no'}}] | spec.a/b.0",
                "{'spec':{'a': | (damaged)",
                "{'d':{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1}} | d.a, d.b, d.c, d.d, ...",
            })
    void pathsOfAPatch(String body, String paths) {
        assertThat(String.join(", ", PatchedPaths.of(patch("any", body), 4))).isEqualTo(paths);
    }

    @Test
    @Tag("Q20")
    void aLineIsJsonWhateverIsInIt() {
        String odd = "a\"b\\c\nd\u0000e\u20acf\ud83d\ude00" + "x".repeat(600);
        String line = recorded(new OperatorStep.PauseChanged(null, odd, true), false);
        assertThat(line).isPrintable().contains("\"holds\":true");
        assertThat(Json.parse(line).path("reason").asString(""))
                .startsWith("a\"b\\c\nd\u0000e\u20acf\ud83d\ude00x")
                .endsWith("x...")
                .hasSize(503);
    }

    @Test
    @Tag("Q20")
    void whatEveryOperatorDoesAllTheTimeHasNoLine() {
        ObjectReference object = new ObjectReference("v1", "KopfExample", "x", "uid", "ns");
        assertThat(recorded(new OperatorStep.WorkerLeft(EXAMPLES, object), true))
                .isEmpty();
        assertThat(recorded(new OperatorStep.WorkDropped(EXAMPLES, object), true))
                .isEmpty();
        assertThat(recorded(new OperatorStep.ChildrenCompared(EXAMPLES, object, Map.of(), Set.of()), true))
                .isEmpty();
        assertThat(recorded(new OperatorStep.CycleEnded(EXAMPLES, object, Deadline.NEVER, false), true))
                .contains("cycle-ended")
                .doesNotContain("next");
    }
}
