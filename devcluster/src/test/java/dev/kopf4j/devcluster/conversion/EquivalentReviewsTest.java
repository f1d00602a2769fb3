package dev.kopf4j.devcluster.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What admission webhooks and policies see of a request: in which version, in which namespace, of which kind. */
class EquivalentReviewsTest {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final String BOX = "apiVersion: kopf.dev/v1\nkind: Box\n";
    private final SizeConverter converter = new SizeConverter();
    private final List<JsonNode> asked = new ArrayList<>();
    private String patch = "";
    private final InMemory cluster = new InMemory(options -> options.webhookCaller(new Caller()));

    /** Converts by one path, admits everything by the other. */
    private final class Caller implements WebhookCaller {
        @Override
        public byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException {
            if (url.contains("/convert")) {
                return converter.call(url, authorities, body, timeout);
            }
            JsonNode review = Json.parse(body);
            asked.add(review.path("request"));
            ObjectNode answer =
                    Json.object().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
            ObjectNode response = answer.putObject("response")
                    .put("uid", Json.string(review, "request", "uid"))
                    .put("allowed", true);
            if (!patch.isEmpty()) {
                String encoded = Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8));
                response.put("patchType", "JSONPatch").put("patch", encoded);
            }
            return Json.bytes(answer);
        }
    }

    private void defineBoxes() {
        assertCreated("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  conversion:
                    strategy: Webhook
                    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://localhost/convert"}}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                """);
    }

    private void assertCreated(String path, String body) {
        ApiResponse made = cluster.send("POST", path, body);
        assertThat(made.status()).as(InMemory.text(made)).isEqualTo(201);
    }

    private void webhook(String kind, String rule) {
        webhook(kind, rule, "{}");
    }

    private void webhook(String kind, String rule, String objectSelector) {
        assertCreated(GROUP + kind, """
                metadata: {name: w}
                webhooks:
                - name: check.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: {url: "https://localhost/admit"}
                  rules: [%s]
                  objectSelector: %s
                """.formatted(rule, objectSelector));
    }

    @Test
    void aWebhookSeesTheVersionOfItsRule() {
        defineBoxes();
        webhook(
                "validatingwebhookconfigurations",
                "{apiGroups: [kopf.dev], apiVersions: [v2], operations: ['*'], resources: [boxes]}");
        assertCreated("/apis/kopf.dev/v1/namespaces/default/boxes", BOX + "metadata: {name: a}\nspec: {size: 3x4}");
        JsonNode request = asked.getFirst();
        assertThat(Json.string(request, "object", "apiVersion")).isEqualTo("kopf.dev/v2");
        assertThat(request.at("/object/spec/width").intValue()).isEqualTo(3);
        assertThat(Json.string(request, "kind", "version")).isEqualTo("v2");
        assertThat(Json.string(request, "requestKind", "version")).isEqualTo("v1");
        cluster.send("PATCH", "/apis/kopf.dev/v1/namespaces/default/boxes/a", "{\"spec\":{\"size\":\"5x6\"}}");
        assertThat(asked.getLast().at("/object/spec/height").intValue()).isEqualTo(6);
        assertThat(asked.getLast().at("/oldObject/spec/height").intValue()).isEqualTo(4);
    }

    @Test
    void aPatchOfAnotherVersionIsConvertedBack() {
        defineBoxes();
        patch = "[{\"op\":\"replace\",\"path\":\"/spec/height\",\"value\":9}]";
        webhook(
                "mutatingwebhookconfigurations",
                "{apiGroups: [kopf.dev], apiVersions: [v2], operations: [CREATE], resources: [boxes]}");
        assertCreated("/apis/kopf.dev/v1/namespaces/default/boxes", BOX + "metadata: {name: a}\nspec: {size: 3x4}");
        assertThat(Json.string(cluster.get("/apis/kopf.dev/v1/namespaces/default/boxes/a"), "spec", "size"))
                .isEqualTo("3x9");
    }

    @Test
    void aPolicySeesTheVersionOfItsRule() {
        defineBoxes();
        assertCreated(GROUP + "validatingadmissionpolicies", """
                metadata: {name: p}
                spec:
                  matchConstraints: {resourceRules: [{apiGroups: [kopf.dev], apiVersions: [v2], operations: [CREATE], resources: [boxes]}]}
                  validations: [{expression: "object.spec.width < 5", messageExpression: "'width ' + string(object.spec.width)"}]
                """);
        assertCreated(
                GROUP + "validatingadmissionpolicybindings",
                "metadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}");
        assertCreated("/apis/kopf.dev/v1/namespaces/default/boxes", BOX + "metadata: {name: a}\nspec: {size: 3x4}");
        JsonNode refused = cluster.json(
                "POST", "/apis/kopf.dev/v1/namespaces/default/boxes", BOX + "metadata: {name: b}\nspec: {size: 7x4}");
        assertThat(Json.string(refused, "message")).endsWith("denied request: width 7");
    }

    @Test
    void aConversionThatFailsFailsTheRequest() {
        defineBoxes();
        webhook(
                "validatingwebhookconfigurations",
                "{apiGroups: [kopf.dev], apiVersions: [v2], operations: [CREATE], resources: [boxes]}");
        converter.fail("no route to host");
        JsonNode refused = cluster.json(
                "POST", "/apis/kopf.dev/v1/namespaces/default/boxes", BOX + "metadata: {name: a}\nspec: {size: 3x4}");
        assertThat(refused.path("code").intValue()).isEqualTo(500);
        assertThat(Json.string(refused, "message")).endsWith("failed: no route to host");
    }

    /** {@code widgets/*} means the object itself, too; namespaces are in themselves. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            namespaces   | POST  | /api/v1/namespaces                          | metadata: {name: x}                     | CREATE Namespace x/x
            namespaces/* | POST  | /api/v1/namespaces                          | metadata: {name: x}                     | CREATE Namespace x/x
            namespaces/* | PATCH | /api/v1/namespaces/default/status           | {"status": {"phase": "Active"}}         | UPDATE Namespace default/default status
            namespaces   | PATCH | /api/v1/namespaces/default                  | {"metadata": {"labels": {"a": "b"}}}    | UPDATE Namespace default/default
            namespaces   | DELETE | /api/v1/namespaces/kube-node-lease         |                                         | DELETE Namespace kube-node-lease/kube-node-lease
            pods/*       | POST  | /api/v1/namespaces/default/pods/a/exec?command=ls&command=-l&stdin=true&tty=false&container=c | | CONNECT PodExecOptions default/a exec
            pods/exec    | POST  | /api/v1/namespaces/default/pods/a/attach    |                                         |
            pods/attach  | GET   | /api/v1/namespaces/default/pods/a/attach?stdout | | CONNECT PodAttachOptions default/a attach
            '*/*'        | GET   | /api/v1/namespaces/default/pods/a/portforward?ports=80&ports=81 | | CONNECT PodPortForwardOptions default/a portforward
            pods/binding | POST  | /api/v1/namespaces/default/pods/a/binding   | {metadata: {name: a}, target: {name: 'n'}} | CREATE Binding default/a binding
            pods         | POST  | /api/v1/namespaces/default/pods/a/binding   | {metadata: {name: a}, target: {name: 'n'}} |
            """)
    void rulesNameSubresources(String resources, String method, String path, String body, String seen) {
        assertCreated(
                "/api/v1/namespaces/default/pods",
                "metadata: {name: a}\nspec: {containers: [{name: c, image: x}, {name: d, image: x}]}");
        webhook(
                "validatingwebhookconfigurations",
                "{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [" + resources + "]}");
        cluster.send(method, path, body == null ? "" : body);
        String first = asked.isEmpty()
                ? ""
                : (Json.string(asked.getFirst(), "operation") + " " + Json.string(asked.getFirst(), "kind", "kind")
                                + " " + Json.string(asked.getFirst(), "namespace") + "/"
                                + Json.string(asked.getFirst(), "name") + " "
                                + Json.string(asked.getFirst(), "subResource"))
                        .strip();
        assertThat(first).isEqualTo(seen == null ? "" : seen);
    }

    @Test
    void theOptionsOfAConnectionAreItsObject() {
        webhook(
                "validatingwebhookconfigurations",
                "{apiGroups: [''], apiVersions: [v1], operations: [CONNECT], resources: ['pods/*']}");
        String pod = "/api/v1/namespaces/default/pods/a/";
        cluster.send("POST", pod + "exec?command=ls&command=-l&stdin=true&tty=0&stdout&container=c", "");
        cluster.send("GET", pod + "portforward?ports=80&ports=x", "");
        assertThat(asked.getFirst().path("object"))
                .isEqualTo(
                        Json.parse("{\"apiVersion\":\"v1\",\"kind\":\"PodExecOptions\",\"stdin\":true,\"stdout\":true,"
                                + "\"container\":\"c\",\"command\":[\"ls\",\"-l\"]}"));
        assertThat(asked.getLast().path("object"))
                .isEqualTo(Json.parse("{\"apiVersion\":\"v1\",\"kind\":\"PodPortForwardOptions\",\"ports\":[80]}"));
        assertThat(asked.getFirst().path("options").isNull()).isTrue();
    }

    /** As of {@code matchObject} in {@code pkg/admission/plugin/webhook/predicates/object} of the apiserver library. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {}                                                          | exec true, binding true
            {matchExpressions: [{key: free, operator: DoesNotExist}]}   | exec false, binding true
            {matchExpressions: [{key: free, operator: Exists}]}         | exec false, binding false
            """)
    void whatCannotHaveLabelsMatchesNoSelector(String selector, String expected) {
        assertCreated(
                "/api/v1/namespaces/default/pods", "metadata: {name: a}\nspec: {containers: [{name: c, image: x}]}");
        webhook(
                "validatingwebhookconfigurations",
                "{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: ['pods/*']}",
                selector);
        cluster.send("POST", "/api/v1/namespaces/default/pods/a/exec?command=ls", "");
        boolean exec = !asked.isEmpty();
        asked.clear();
        cluster.send("POST", "/api/v1/namespaces/default/pods/a/binding", "{metadata: {name: a}, target: {name: 'n'}}");
        assertThat("exec " + exec + ", binding " + !asked.isEmpty()).isEqualTo(expected);
    }
}
