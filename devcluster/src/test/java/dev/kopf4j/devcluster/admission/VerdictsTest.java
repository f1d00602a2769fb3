package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.AdmissionAnswers;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What the answers of admission webhooks lead to. */
class VerdictsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private final AdmissionAnswers answers = new AdmissionAnswers();
    private final InMemory cluster = new InMemory(options -> options.webhookCaller(answers));

    private void ask(String kind, String operation) {
        String configuration = AdmissionAnswers.configuration(kind, operation, "configmaps");
        assertThat(cluster.send("POST", GROUP + kind.toLowerCase(Locale.ROOT) + "s", configuration)
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 302})
    void aDenialIsAnErrorWhateverCodeItHas(int code) {
        ask("ValidatingWebhookConfiguration", "CREATE");
        answers.answer(
                response -> response.put("allowed", false).putObject("status").put("code", code));
        JsonNode refused = cluster.json("POST", MAPS, "metadata: {name: a}");
        assertThat(refused.path("code").intValue()).isEqualTo(400);
        assertThat(Json.string(refused, "status")).isEqualTo("Failure");
        assertThat(cluster.send("GET", MAPS + "/a", "").status()).isEqualTo(404);
    }

    /** The defaults of a request are there before anybody is asked. */
    @Test
    void selectorsSeeTheLabelsThatAJobHasFromItsTemplate() {
        cluster.send(
                "POST",
                GROUP + "mutatingwebhookconfigurations",
                AdmissionAnswers.configuration("MutatingWebhookConfiguration", "CREATE", "jobs")
                        + "  objectSelector: {matchLabels: {app: x}}\n");
        JsonNode made = cluster.json("POST", "/apis/batch/v1/namespaces/default/jobs", """
                metadata: {name: a}
                spec: {template: {metadata: {labels: {app: x}}, spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
                """);
        assertThat(answers.take())
                .singleElement()
                .satisfies(request -> assertThat(
                                request.at("/object/metadata/labels").toString())
                        .isEqualTo("{\"app\":\"x\"}"));
        assertThat(made.at("/metadata/labels/app").asString()).isEqualTo("x");
        assertThat(made.at("/spec/template/metadata/labels").has("controller-uid"))
                .isTrue();
    }

    /** A job without labels shares those of its template, also those that are generated, until a webhook patches it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~                 | ~~ | []                                                         | true",
                "~~                 | ~~ | [{\"op\":\"add\",\"path\":\"/spec/suspend\",\"value\":true}]   | false",
                "~~                 | objectSelector: {matchLabels: {app: 'y'}} | []                    | true",
                "~labels: {app: x}~ | ~~ | []                                                         | false",
                "~labels: {}~       | ~~ | []                                                         | true"
            })
    void jobsHaveTheGeneratedLabelsUnlessAWebhookPatchesThem(
            String labels, String selector, String operations, boolean generated) {
        cluster.send(
                "POST",
                GROUP + "mutatingwebhookconfigurations",
                AdmissionAnswers.configuration("MutatingWebhookConfiguration", "CREATE", "jobs") + "  " + selector);
        patch(operations);
        JsonNode made = cluster.json("POST", "/apis/batch/v1/namespaces/default/jobs", """
                metadata: {name: a, %s}
                spec: {template: {metadata: {labels: {app: x}}, spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
                """.formatted(labels));
        assertThat(answers.take()).hasSize(selector.isEmpty() ? 1 : 0);
        JsonNode all = made.at("/spec/template/metadata/labels");
        assertThat(all.has("batch.kubernetes.io/job-name")).as("%s", made).isTrue();
        assertThat(made.at("/metadata/labels").toString()).isEqualTo(generated ? all.toString() : "{\"app\":\"x\"}");
        assertThat(made.at("/metadata/managedFields")).hasSize(1);
    }

    private void patch(String operations) {
        String encoded = Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8));
        answers.answer(response ->
                response.put("allowed", true).put("patchType", "JSONPatch").put("patch", encoded));
    }

    @Test
    void aDeletionCannotBePatched() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        ask("MutatingWebhookConfiguration", "DELETE");
        patch("[{\"op\":\"add\",\"path\":\"/data\",\"value\":{}}]");
        JsonNode refused = cluster.json("DELETE", MAPS + "/a", "");
        assertThat(refused.path("code").intValue()).isEqualTo(500);
        assertThat(Json.string(refused, "message"))
                .isEqualTo("Internal error occurred: admission webhook \"check.example.com\" attempted to modify the"
                        + " object, which is not supported for this operation");
        patch("[]");
        assertThat(cluster.send("DELETE", MAPS + "/a", "").status()).isEqualTo(200);
    }
}
