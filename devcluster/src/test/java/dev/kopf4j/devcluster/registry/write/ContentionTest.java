package dev.kopf4j.devcluster.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.AdmissionAnswers;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Writes between which others come: a webhook makes them while it is asked. */
class ContentionTest {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String MAPS = NAMESPACES + "/default/configmaps";
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    private final AdmissionAnswers answers = new AdmissionAnswers();
    private final InMemory cluster = new InMemory(options -> options.webhookCaller(answers));
    private int left;
    private boolean writing;

    private void ask(String operation) {
        String configuration =
                AdmissionAnswers.configuration("ValidatingWebhookConfiguration", operation, "configmaps");
        assertThat(cluster.send("POST", WEBHOOKS, configuration).status()).isEqualTo(201);
    }

    /** Lets something happen during the next reviews, but for those that it leads to itself. */
    private void meanwhile(int times, Runnable action) {
        left = times;
        answers.answer(response -> {
            response.put("allowed", true);
            if (left > 0 && !writing) {
                left--;
                writing = true;
                action.run();
                writing = false;
            }
        });
    }

    private void count() {
        cluster.send("PATCH", MAPS + "/a", "{\"data\":{\"count\":\"" + left + "\"}}");
    }

    private JsonNode apply(String data) {
        ApiResponse response = cluster.send(
                "PATCH",
                MAPS + "/a?fieldManager=me",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {" + data + "}}",
                Map.of("content-type", "application/apply-patch+yaml"));
        return Json.parse(InMemory.text(response));
    }

    @Test
    void aPatchIsTriedAgainAsOftenAsItTakes() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        ask("UPDATE");
        meanwhile(20, this::count);
        JsonNode patched = cluster.json("PATCH", MAPS + "/a", "{\"data\":{\"mine\":\"x\"}}");
        assertThat(Json.text(patched.path("data"))).isEqualTo("{\"count\":\"0\",\"mine\":\"x\"}");
    }

    @Test
    void anUpdateThatNamesNoVersionIsTriedAgain() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        ask("UPDATE");
        meanwhile(20, this::count);
        JsonNode replaced = cluster.json("PUT", MAPS + "/a", "{metadata: {name: a}, data: {mine: x}}");
        assertThat(Json.text(replaced.path("data"))).isEqualTo("{\"mine\":\"x\"}");
    }

    @Test
    void aRequestThatNeverSucceedsTimesOut() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        ask("UPDATE");
        meanwhile(Integer.MAX_VALUE, this::count);
        JsonNode refused = cluster.json("PATCH", MAPS + "/a", "{\"data\":{\"mine\":\"x\"}}");
        assertThat(refused.path("code").intValue()).isEqualTo(504);
        assertThat(Json.string(refused, "reason")).isEqualTo("Timeout");
    }

    /** The definition waits for an object with a finalizer, so that it is still there when the other one is made. */
    @Test
    void whatIsCreatedWhileItsDefinitionBeginsToGoGoesToo() {
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        String things = "/apis/a.example.com/v1/namespaces/default/things";
        cluster.json("POST", definitions, """
                metadata: {name: things.a.example.com}
                spec:
                  group: a.example.com
                  scope: Namespaced
                  names: {plural: things, kind: Thing}
                  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
                """);
        String thing = "apiVersion: a.example.com/v1\nkind: Thing\n";
        cluster.json("POST", things, thing + "metadata: {name: b, finalizers: [example.com/wait]}");
        cluster.send(
                "POST", WEBHOOKS, AdmissionAnswers.configuration("ValidatingWebhookConfiguration", "CREATE", "things"));
        meanwhile(1, () -> cluster.send("DELETE", definitions + "/things.a.example.com", ""));
        cluster.json("POST", things, thing + "metadata: {name: a}");
        assertThat(left).isZero();
        cluster.send("PATCH", things + "/b", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(cluster.send("GET", definitions + "/things.a.example.com", "")
                        .status())
                .isEqualTo(404);
    }

    /** For nobody: not for clients, and not for controllers, which have few threads for that. */
    @Test
    void aDeletionThatNeverSucceedsTimesOut() {
        cluster.send("POST", MAPS, "metadata: {name: a}");
        ask("DELETE");
        meanwhile(Integer.MAX_VALUE, this::count);
        JsonNode refused = cluster.json("DELETE", MAPS + "/a", "");
        assertThat(refused.path("code").intValue()).isEqualTo(504);
        assertThat(left).isEqualTo(Integer.MAX_VALUE - 1000);
    }

    @Test
    void whatIsCreatedMeanwhileIsApplied() {
        ask("CREATE");
        meanwhile(1, () -> cluster.send("POST", MAPS, "{metadata: {name: a}, data: {other: x}}"));
        JsonNode applied = apply("mine: x");
        assertThat(applied.path("data").propertyNames()).as("%s", applied).containsExactlyInAnyOrder("mine", "other");
    }

    @Test
    void whatIsDeletedMeanwhileIsAppliedAnew() {
        cluster.send("POST", MAPS, "{metadata: {name: a}, data: {other: x}}");
        ask("UPDATE");
        meanwhile(1, () -> cluster.send("DELETE", MAPS + "/a", ""));
        JsonNode applied = apply("mine: x");
        assertThat(Json.text(applied.path("data"))).as("%s", applied).isEqualTo("{\"mine\":\"x\"}");
    }

    @Test
    void nothingIsCreatedInANamespaceThatHasGoneMeanwhile() {
        cluster.send("POST", NAMESPACES, "metadata: {name: short}");
        ask("CREATE");
        meanwhile(1, () -> cluster.send("DELETE", NAMESPACES + "/short", ""));
        String maps = NAMESPACES + "/short/configmaps";
        JsonNode refused = cluster.json("POST", maps, "metadata: {name: a}");
        assertThat(Json.string(refused, "message")).isEqualTo("namespaces \"short\" not found");
        assertThat(cluster.get(maps).path("items").size()).isZero();
    }
}
