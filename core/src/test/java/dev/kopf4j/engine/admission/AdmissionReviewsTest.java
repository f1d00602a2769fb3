package dev.kopf4j.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.AdmissionException;
import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.AuditAnnotations;
import dev.kopf4j.Body;
import dev.kopf4j.Diff;
import dev.kopf4j.Filter;
import dev.kopf4j.Handler;
import dev.kopf4j.Index;
import dev.kopf4j.Memo;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Patch;
import dev.kopf4j.PermanentException;
import dev.kopf4j.RequestHeaders;
import dev.kopf4j.Resource;
import dev.kopf4j.Spec;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.UserInfo;
import dev.kopf4j.Warnings;
import dev.kopf4j.certificate.CertificateAuthority;
import dev.kopf4j.certificate.ServerNames;
import dev.kopf4j.engine.admission.AdmissionReviews.AdmissionHandlers;
import dev.kopf4j.engine.call.HandlerFixtures;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.observation.ServedResources;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link AdmissionReviews} on a running operator: which handlers are asked, and what comes of it. */
class AdmissionReviewsTest {
    private static final List<String> SEEN = new ArrayList<>();

    @Test
    @Tag("J01")
    void aValidatingHandlerLetsTheRequestPassOrRefusesIt() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "small", context -> {
            if (context.spec().getInt("size", 0) > 10) {
                throw new AdmissionException("Too big.", 422);
            }
            return null;
        }));

        assertThat(webhooks.ask(TestedWebhooks.creation("{'size': 1}")))
                .isEqualTo(Scenario.json("{'uid': 'request-1', 'allowed': true}"));
        assertThat(webhooks.ask(TestedWebhooks.creation("{'size': 11}"))).isEqualTo(Scenario.json("""
                        {'uid': 'request-1', 'allowed': false, 'status': {'message': 'Too big.', 'code': 422}}"""));
    }

    /** A function that returns whether all is well must not let everything pass. */
    @Test
    @Tag("J01")
    void aFunctionThatReturnsFalseRefusesAndSaysWhatToWrite() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate(
                "kopfexamples", "check", context -> !context.spec().has("bad")));

        JsonNode response = webhooks.ask(TestedWebhooks.creation("{'bad': 1}"));

        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(response.at("/status/message").asString())
                .contains("Webhook 'check' has returned false", "throw an AdmissionException", "return null");
        assertThat(webhooks.ask(TestedWebhooks.creation("{}")).path("allowed").asBoolean())
                .isTrue();
    }

    @Test
    @Tag("J01")
    void aFunctionThatReturnsItsExceptionRefuses() {
        AdmissionException forgotten = new AdmissionException("not thrown");
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "check", context -> forgotten));
        assertThat(webhooks.ask(TestedWebhooks.creation("{}"))
                        .at("/status/message")
                        .asString())
                .contains("Webhook 'check' has returned a AdmissionException, which is no data");
    }

    @Test
    @Tag("J01")
    void whateverElseAFunctionReturnsIsToldOnce() {
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "add", context -> SEEN.add("add"))
                        .onMutate("kopfexamples", "object", context -> Map.of("spec", Map.of("size", 1)))
                        .onMutate("kopfexamples", "patch", context -> context.patch())
                        .onMutate("kopfexamples", "none", context -> null));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (int i = 0; i < 2; i++) {
                assertThat(webhooks.ask(TestedWebhooks.creation("{}")))
                        .isEqualTo(Scenario.json("{'uid': 'request-1', 'allowed': true}"));
            }
            assertThat(log.lines(Level.WARN))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .contains("Webhook 'add' has returned a Boolean, which is not used", "Patch"),
                            line -> assertThat(line).contains("Webhook 'object' has returned a Map"));
        }
    }

    @Test
    @Tag("J01")
    void theAnswerIsOfTheVersionAndKindOfTheReview() {
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "any", context -> null));
        ObjectNode review = TestedWebhooks.creation("{}");
        review.put("apiVersion", "admission.k8s.io/v1beta1");
        ObjectNode answer = webhooks.answer(WebhookRequest.of(Json.bytes(review)));
        assertThat(answer.path("apiVersion").asString()).isEqualTo("admission.k8s.io/v1beta1");
        assertThat(answer.path("kind").asString()).isEqualTo("AdmissionReview");
    }

    /** A handler that changes the object in all ways that there are. */
    static class Defaults {
        @OnMutate("kopfexamples")
        void fill(Spec spec, Patch patch) {
            if (!spec.has("numbers")) {
                patch.spec().set("numbers", List.of(1, 2, 3));
            }
            patch.set("spec.old.name", null);
            patch.set(List.of("metadata", "labels", "example.com/a~b"), "yes");
            patch.transform(body -> body.put("added", true));
        }
    }

    /** Where failures are ignored, the object would be stored without the change. */
    @Test
    @Tag("J02")
    void anErrorInATransformationRefusesAsAnExceptionDoes() {
        for (Throwable failure :
                List.of(new IllegalStateException("x"), new AssertionError("x"), new StackOverflowError())) {
            TestedWebhooks webhooks =
                    new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "fill", context -> {
                        context.patch().transform(body -> {
                            if (failure instanceof Error error) {
                                throw error;
                            }
                            throw (RuntimeException) failure;
                        });
                        return null;
                    }));
            JsonNode response = webhooks.ask(TestedWebhooks.creation("{}"));
            assertThat(response.path("allowed").asBoolean()).isFalse();
            assertThat(response.at("/status/message").asString())
                    .contains("a change cannot be made; the operator's log says why");
        }
    }

    @Test
    @Tag("J02")
    void aMutatingHandlersPatchBecomesAJsonPatch() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Defaults()));
        ObjectNode review = TestedWebhooks.creation("{'old': {'name': 'x'}, 'size': 1}");

        JsonNode response = webhooks.ask(review);

        assertThat(response.path("patchType").asString()).isEqualTo("JSONPatch");
        JsonNode patched = TestedWebhooks.patched(review, response);
        assertThat(patched.path("spec")).isEqualTo(Scenario.json("{'size': 1, 'numbers': [1, 2, 3]}"));
        assertThat(patched.path("metadata").path("labels")).isEqualTo(Scenario.json("{'example.com/a~b': 'yes'}"));
        assertThat(patched.path("added").asBoolean()).isTrue();
    }

    @Test
    @Tag("J02")
    void aPatchThatChangesNothingIsNotSent() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "same", context -> {
            context.patch().set("spec.size", 1);
            context.patch().set("spec.none", null);
            context.patch().set("spec.empty", Map.of());
            return null;
        }));
        assertThat(webhooks.ask(TestedWebhooks.creation("{'size': 1}")))
                .isEqualTo(Scenario.json("{'uid': 'request-1', 'allowed': true}"));
    }

    /** As in Kopf: a mapping that loses its last key would be removed as well. */
    @Test
    @Tag("J02")
    void anEmptyMappingIsSetByATransformationOnly() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "fill", context -> {
            context.patch().spec().set("merged", Map.of("name", "v", "emptyDir", Map.of()));
            context.patch().transform(body -> body.put("data", Map.of("name", "v", "emptyDir", Map.of())));
            return null;
        }));
        ObjectNode review = TestedWebhooks.creation("{}");
        JsonNode patched = TestedWebhooks.patched(review, webhooks.ask(review));
        assertThat(patched.at("/spec/merged")).isEqualTo(Scenario.json("{'name': 'v'}"));
        assertThat(patched.at("/data")).isEqualTo(Scenario.json("{'name': 'v', 'emptyDir': {}}"));
    }

    /** Whoever guards what is locked has to ask the old value. */
    @ParameterizedTest
    @Tag("J04")
    @CsvSource({"open, locked, true", "locked, open, false"})
    void theValueOfAFieldIsThatOfTheObjectAsItWouldBecome(String before, String after, boolean asked) {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate(
                "kopfexamples", "locked", h -> h.field("spec.phase").fieldValue("locked"), context -> {
                    throw new AdmissionException("asked");
                }));
        String object = "{'metadata': {'name': 'x'}, 'spec': {'phase': '%s'}}";
        assertThat(webhooks.ask(TestedWebhooks.review("UPDATE", object.formatted(after), object.formatted(before)))
                        .path("allowed")
                        .asBoolean())
                .isEqualTo(!asked);
    }

    @Test
    @Tag("J01")
    void aRefusalOfAnotherThreadIsToldAsItIs() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "both", context -> {
            throw new CompletionException(new AdmissionException("Too big.", 422));
        }));
        assertThat(webhooks.ask(TestedWebhooks.creation("{'size': 11}"))).isEqualTo(Scenario.json("""
                        {'uid': 'request-1', 'allowed': false, 'status': {'message': 'Too big.', 'code': 422}}"""));
    }

    @Test
    @Tag("J02")
    void aPatchIsSentEvenWithARefusal() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "both", context -> {
            context.patch().set("spec.size", 2);
            throw new AdmissionException("no");
        }));
        ObjectNode review = TestedWebhooks.creation("{'size': 1}");
        JsonNode response = webhooks.ask(review);
        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(TestedWebhooks.patched(review, response).at("/spec/size").asInt())
                .isEqualTo(2);
    }

    /** The API server would not read the rest of such an answer, and with ignoreFailures let the request pass. */
    @Test
    @Tag("J01")
    void thePatchOfAValidatingHandlerIsDroppedAndToldOnce() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "both", context -> {
            context.patch().set("spec.size", 2);
            throw new AdmissionException("no");
        }));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (int i = 0; i < 2; i++) {
                JsonNode response = webhooks.ask(TestedWebhooks.creation("{'size': 1}"));
                assertThat(response.path("allowed").asBoolean()).isFalse();
                assertThat(response.at("/status/message").asString()).isEqualTo("no");
                assertThat(response.has("patch")).isFalse();
                assertThat(response.has("patchType")).isFalse();
            }
            assertThat(log.lines(Level.WARN)).hasSize(1).first().asString().contains("'both'", "is dropped");
        }
    }

    /** As of an older replica, or of a webhook that somebody has written by hand. */
    @Test
    @Tag("J01")
    void whatIsAskedOfAHandlerThatThereIsNotIsNotAllowed() {
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "any", context -> null));
        WebhookRequest request = WebhookRequest.of(Json.bytes(TestedWebhooks.creation("{}")));
        assertThat(webhooks.ask(request.forHandler("any")).path("allowed").asBoolean())
                .isTrue();
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> webhooks.ask(request.forHandler("other")))
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(404));
    }

    /** A path that nobody serves is no reason to read seven megabytes. */
    @ParameterizedTest
    @Tag("J01")
    @ValueSource(strings = {"other", "convert/others.example.com"})
    void whatIsAskedOfAHandlerThatThereIsNotIsNotParsed(String path) {
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "any", context -> null));
        byte[] noJson = {'{'};
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> webhooks.ask(WebhookRequest.of(noJson).forHandler(path)))
                .withMessage("there is no webhook '" + path + "' in this operator")
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(404));
    }

    /** The limit spares external systems from many handlers of changes; the API server waits for reviews. */
    @Test
    @Tag("J01")
    void reviewsDoNotWaitForEachOther() {
        AtomicReference<TestedWebhooks> asked = new AtomicReference<>();
        List<Instant> begun = new ArrayList<>();
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.settings(
                        s -> s.execution().maxWorkers(1))
                .onValidate("kopfexamples", "slow", context -> {
                    begun.add(asked.get().world.now());
                    asked.get().world.sleep(Duration.ofSeconds(1));
                    return null;
                }));
        asked.set(webhooks);
        WebhookRequest request = WebhookRequest.of(Json.bytes(TestedWebhooks.creation("{}")));
        assertThat(webhooks.answers(List.of(request, request, request))).hasSize(3);
        assertThat(begun).hasSize(3).containsOnly(begun.getFirst());
    }

    @ParameterizedTest(name = "{0}: {1} of {2}")
    @Tag("J03")
    @CsvSource({
        "'',      '',     CREATE, true",
        "'',      status, UPDATE, false",
        "status,  status, UPDATE, true",
        "status,  '',     UPDATE, false",
        "status,  scale,  UPDATE, false",
        "*,       scale,  UPDATE, true",
        "*,       '',     CREATE, true"
    })
    void theSubresourceSaysWhichHandlersAreAsked(
            String declared, String requested, AdmissionOperation operation, boolean asked) {
        SEEN.clear();
        TestedWebhooks webhooks = new TestedWebhooks(builder ->
                builder.onValidate("kopfexamples", "any", h -> h.subresource(declared), context -> {
                    SEEN.add(context.admission().operation() + " "
                            + context.admission().subresource());
                    return null;
                }));
        ObjectNode review = TestedWebhooks.review(operation.name(), "{'metadata': {'name': 'x'}}", null);
        if (!requested.isEmpty()) {
            review.withObject("/request").put("subResource", requested);
        }
        assertThat(webhooks.ask(review).path("allowed").asBoolean()).isTrue();
        assertThat(SEEN)
                .isEqualTo(
                        asked
                                ? List.of(operation + " "
                                        + (requested.isEmpty() ? Optional.empty() : Optional.of(requested)))
                                : List.of());
    }

    @Test
    @Tag("J03")
    void theOperationsAreTheServersBusiness() {
        TestedWebhooks webhooks = new TestedWebhooks(builder ->
                builder.onValidate("kopfexamples", "updates", h -> h.operations(AdmissionOperation.UPDATE), context -> {
                    throw new AdmissionException("asked");
                }));
        assertThat(webhooks.ask(TestedWebhooks.creation("{}")).path("allowed").asBoolean())
                .isFalse();
    }

    @ParameterizedTest(name = "{0} for {1}: {2}")
    @Tag("J08")
    @CsvSource({
        "'',              DELETE, false",
        "DELETE,          DELETE, true",
        "CREATE;DELETE,   DELETE, false",
        "CREATE;DELETE,   CREATE, true"
    })
    void mutatingHandlersAreAskedAboutDeletionsOnlyIfThatIsAllTheyAreFor(
            String operations, AdmissionOperation operation, boolean asked) {
        AdmissionOperation[] declared = operations.isEmpty()
                ? new AdmissionOperation[0]
                : List.of(operations.split(";", -1)).stream()
                        .map(AdmissionOperation::valueOf)
                        .toArray(AdmissionOperation[]::new);
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onMutate(
                        "kopfexamples", "mutate", h -> h.operations(declared), context -> {
                            throw new AdmissionException("asked");
                        })
                .onValidate("kopfexamples", "validate", context -> {
                    context.admission().warnings().add("validated");
                    return null;
                }));
        String object = "{'metadata': {'name': 'x'}}";
        boolean deletes = operation == AdmissionOperation.DELETE;
        JsonNode response =
                webhooks.ask(TestedWebhooks.review(operation.name(), deletes ? null : object, deletes ? object : null));
        assertThat(response.path("allowed").asBoolean()).isEqualTo(!asked);
        assertThat(response.path("warnings")).hasSize(1);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("J04")
    @CsvSource(
            delimiter = '|',
            value = {
                "{'metadata': {'labels': {'app': 'web'}, 'annotations': {'a': 'x'}}, 'spec': {'size': 5}} | true",
                "{'metadata': {'labels': {'app': 'db'}, 'annotations': {'a': 'x'}}, 'spec': {'size': 5}}  | false",
                "{'metadata': {'labels': {'app': 'web'}}, 'spec': {'size': 5}}                            | false",
                "{'metadata': {'labels': {'app': 'web'}, 'annotations': {'a': 'x'}}, 'spec': {'size': 4}} | false",
                "{'metadata': {'labels': {'app': 'web'}, 'annotations': {'a': 'x'}}, 'spec': {'size': 5, 'skip': true}} | false"
            })
    void allFiltersAreAsked(String object, boolean asked) {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate(
                "kopfexamples",
                "filtered",
                h -> h.labels("app in (web, cache)")
                        .annotations("a")
                        .field("spec.size")
                        .fieldValue(5)
                        .when(context -> !context.spec().getBoolean("skip", false)),
                context -> {
                    throw new AdmissionException("asked");
                }));
        String text = object.replace('\'', '"');
        for (ObjectNode review :
                List.of(TestedWebhooks.review("CREATE", text, null), TestedWebhooks.review("DELETE", null, text))) {
            assertThat(webhooks.ask(review).path("allowed").asBoolean()).isEqualTo(!asked);
        }
    }

    @Test
    @Tag("J04")
    void theIdChoosesOneHandlerAndTheRootNone() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "one", context -> {
                    throw new AdmissionException("one");
                })
                .onMutate("kopfexamples", "two", h -> h.field("spec"), context -> {
                    throw new AdmissionException("two");
                }));
        byte[] review = Json.bytes(TestedWebhooks.creation("{'a': 1}"));
        assertThat(webhooks.ask(WebhookRequest.of(review).forHandler("one"))
                        .at("/status/message")
                        .asString())
                .isEqualTo("one");
        assertThat(webhooks.ask(WebhookRequest.of(review).forHandler("two/spec"))
                        .at("/status/message")
                        .asString())
                .isEqualTo("two");
        assertThat(webhooks.ask(WebhookRequest.of(review).forHandler(""))
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    @Tag("J05")
    void oneErrorIsToldAndWhatWasMeantForTheClientComesFirst() {
        List<RuntimeException> errors = new ArrayList<>(List.of(
                new IllegalStateException("arbitrary"),
                new TemporaryException("temporary", Duration.ofSeconds(1)),
                new PermanentException("permanent"),
                new AdmissionException("first refusal", 403),
                new AdmissionException("second refusal", 409)));
        List<String> told = new ArrayList<>();
        while (!errors.isEmpty()) {
            List<RuntimeException> thrown = List.copyOf(errors);
            TestedWebhooks webhooks = new TestedWebhooks(builder -> {
                for (int i = 0; i < thrown.size(); i++) {
                    RuntimeException error = thrown.get(i);
                    builder.onValidate("kopfexamples", "fails" + i, context -> {
                        throw error;
                    });
                }
                return builder;
            });
            JsonNode status = webhooks.ask(TestedWebhooks.creation("{}")).path("status");
            told.add(status.path("code").asInt() + " " + status.path("message").asString());
            errors.removeIf(error -> status.path("message").asString().equals(error.getMessage()));
        }
        assertThat(told)
                .containsExactly(
                        "403 first refusal", "409 second refusal", "500 permanent", "500 temporary", "500 arbitrary");
    }

    @ParameterizedTest
    @Tag("J05")
    @CsvSource({"0, 500, 0", "400, 400, 0", "599, 599, 0", "399, 500, 1", "600, 500, 1", "123456, 500, 1"})
    void aRefusalHasItsCodeOr500(int code, int told, int warnings) {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "no", context -> {
            throw new AdmissionException("", code);
        }));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            var _ = webhooks.ask(TestedWebhooks.creation("{}"));
            JsonNode status = webhooks.ask(TestedWebhooks.creation("{}")).path("status");
            assertThat(status.path("code").asInt()).isEqualTo(told);
            assertThat(status.path("message").asString()).isEqualTo("AdmissionException()");
            assertThat(log.lines(Level.WARN)).hasSize(warnings);
        }
    }

    /** Notes what it is given. */
    static class Curious {
        @OnValidate(value = "kopfexamples", operations = AdmissionOperation.UPDATE, sideEffects = true)
        void look(
                AdmissionRequest request,
                AdmissionOperation operation,
                UserInfo user,
                RequestHeaders headers,
                boolean dryRun,
                String subresource,
                Warnings warnings,
                AuditAnnotations audit,
                Body oldValue,
                Body newValue,
                Diff diff) {
            SEEN.add(operation + " " + user.username() + " " + user.uid() + " " + user.groups() + " " + user.extra());
            SEEN.add(headers.get("AUTHORIZATION") + " " + headers.all("none") + " " + dryRun + " " + subresource);
            SEEN.add(request.options().getString("fieldManager") + " "
                    + request.clientCertificate().map(X509Certificate::getSubjectX500Principal));
            SEEN.add(oldValue.get("spec.size").orElse(null) + " "
                    + newValue.get("spec.size").orElse(null));
            SEEN.add(diff.toString());
            warnings.add("Careful.");
            warnings.add("Really.");
            audit.put("why", "because");
        }
    }

    @Test
    @Tag("J06")
    @Tag("J07")
    @Tag("L36")
    void handlersAreGivenWhatIsKnownOfTheRequest() {
        SEEN.clear();
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Curious()));
        ObjectNode review = TestedWebhooks.review(
                "UPDATE",
                "{'metadata': {'name': 'x'}, 'spec': {'size': 2}}".replace('\'', '"'),
                "{'metadata': {'name': 'x'}, 'spec': {'size': 1}}".replace('\'', '"'));
        review.withObject("/request").put("dryRun", true);

        X509Certificate certificate = CertificateAuthority.selfSigned(
                        ServerNames.of(List.of("client")), Scenario.START, Duration.ofDays(1))
                .certificate();
        JsonNode response = webhooks.ask(WebhookRequest.of(Json.bytes(review))
                .withHeaders(Map.of("Authorization", List.of("Bearer t")))
                .withClientCertificate(certificate));

        assertThat(SEEN)
                .containsExactly(
                        "UPDATE admin u1 [system:masters] {scopes=[all]}",
                        "Optional[Bearer t] [] true null",
                        "Optional[kubectl] Optional[CN=client]",
                        "1 2",
                        "Diff[items=[Item[op=CHANGE, field=[spec, size], oldValue=1, newValue=2]]]");
        assertThat(response.path("warnings")).isEqualTo(Json.parse("[\"Careful.\", \"Really.\"]"));
        assertThat(response.path("auditAnnotations")).isEqualTo(Scenario.json("{'why': 'because'}"));
    }

    @Test
    @Tag("F12")
    void whatIsToBeCreatedHasAMemoThatIsForgottenAndWhatExistsHasItsOwn() {
        SEEN.clear();
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onEvent("kopfexamples", "event", context -> {
                    context.memo(Memo.class).put("by", "event");
                    return null;
                })
                .onValidate("kopfexamples", "memo", context -> {
                    Memo memo = context.memo(Memo.class);
                    SEEN.add(context.admission().operation() + " " + memo.get("by"));
                    memo.put("by", "review");
                    return null;
                }));
        ObjectNode existing = Scenario.example("x");
        webhooks.server.create(existing);
        webhooks.world.runFor(Duration.ofSeconds(1));
        String stored = Json.text(webhooks.server.object("x"));

        webhooks.ask(TestedWebhooks.review("CREATE", stored, null));
        webhooks.ask(TestedWebhooks.review("CREATE", stored, null));
        webhooks.ask(TestedWebhooks.review("UPDATE", stored, stored));
        webhooks.ask(TestedWebhooks.review("DELETE", null, stored));

        assertThat(SEEN).containsExactly("CREATE null", "CREATE null", "UPDATE event", "DELETE review");
    }

    /** The first review of two is answered last, and each answer is that to its own review. */
    @Test
    @Tag("J01")
    void answersToReviewsThatAreAskedAtATimeHaveTheirUids() {
        var world = new AtomicReference<SimulatedPlatform>();
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "slow", context -> {
            int size = context.spec().getInt("size", 0);
            Objects.requireNonNull(world.get()).sleep(Duration.ofSeconds(size));
            throw new AdmissionException("Size " + size + ".", 422);
        }));
        world.set(webhooks.world);
        List<WebhookRequest> reviews = IntStream.of(9, 2)
                .mapToObj(size -> {
                    ObjectNode review = TestedWebhooks.creation("{'size': " + size + "}");
                    review.withObject("/request").put("uid", "review-" + size);
                    return WebhookRequest.of(Json.bytes(review));
                })
                .toList();

        assertThat(webhooks.answers(reviews))
                .extracting(answer -> answer.at("/response/uid").asString() + ": "
                        + answer.at("/response/status/message").asString())
                .containsExactly("review-9: Size 9.", "review-2: Size 2.");
    }

    @Test
    @Tag("F12")
    void aReviewOfAnotherObjectOfTheNameHasAnotherMemo() {
        SEEN.clear();
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onEvent("kopfexamples", "event", context -> {
                    context.memo(Memo.class).put("by", "event");
                    return null;
                })
                .onValidate("kopfexamples", "memo", context -> {
                    SEEN.add(context.uid() + " " + context.memo(Memo.class).get("by"));
                    return null;
                }));
        webhooks.server.create(Scenario.example("x"));
        webhooks.world.runFor(Duration.ofSeconds(1));
        ObjectNode known = webhooks.server.object("x");
        ObjectNode another = known.deepCopy();
        another.withObject("/metadata").put("uid", "another");

        for (ObjectNode object : List.of(another, known)) {
            webhooks.ask(TestedWebhooks.review("UPDATE", Json.text(object), Json.text(object)));
        }

        assertThat(SEEN).containsExactly("another null", "uid-x event");
    }

    /** Asks an index in a review, and in its filter. */
    static class Indexed {
        @OnIndex("kopfexamples")
        Map<String, String> names(String name) {
            return Map.of("all", name);
        }

        @OnUpdate("kopfexamples")
        void unrelated() {
            SEEN.add("updated");
        }

        @OnValidate(value = "kopfexamples", when = "known")
        void check(Index<String, String> names) {
            throw new AdmissionException(
                    "there are " + Objects.requireNonNull(names.get("all")).size());
        }

        boolean known(Index<String, String> names) {
            return !names.isEmpty();
        }
    }

    @Test
    @Tag("F07")
    void handlersAndTheirFiltersAreGivenIndices() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Indexed()));
        assertThat(webhooks.ask(TestedWebhooks.creation("{}")).path("allowed").asBoolean())
                .isTrue();
        webhooks.server.create(Scenario.example("x"));
        webhooks.world.runFor(Duration.ofSeconds(1));
        assertThat(webhooks.ask(TestedWebhooks.creation("{}"))
                        .at("/status/message")
                        .asString())
                .isEqualTo("there are 1");
    }

    /** Otherwise it would be a failed call, which ignoreFailures lets pass. */
    @Test
    @Tag("J04")
    void aFilterThatFailsRefusesTheRequestAsItsHandlerWould() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate(
                        "kopfexamples",
                        "big",
                        h -> h.ignoreFailures().when(context -> context.spec().getInt("size", 0) > 5),
                        context -> null)
                .onValidate("kopfexamples", "other", context -> {
                    context.admission().warnings().add("asked all the same");
                    return null;
                }));
        JsonNode response = webhooks.ask(TestedWebhooks.creation("{'size': 'big'}"));
        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(response.at("/status/message").asString()).contains("size", "\"big\"");
        assertThat(response.path("warnings")).hasSize(1);
    }

    /** As when a definition gets a newer version: requests in between would be refused. */
    @Test
    @Tag("J10")
    void whatWasServedBeforeIsAnsweredUntilAllApiServersHaveLearntOfTheNewWebhooks() {
        AdmissionHandlers handlers =
                new AdmissionHandlers(List.of(HandlerFixtures.validation("kopfexamples")), HandlerFixtures.contexts());
        handlers.serve(List.of(HandlerFixtures.RESOURCE));
        handlers.serve(List.of());
        AdmissionReview review = AdmissionReview.parse(Json.bytes(TestedWebhooks.creation("{}")));
        assertThat(handlers.resource(review)).isEqualTo(HandlerFixtures.RESOURCE);
        assertThat(handlers.resources()).isEmpty();
    }

    /** Old replicas would write their webhooks over those of a new version whenever a group is looked at. */
    @Test
    void theOrderInWhichResourcesAreFoundIsNoChange() {
        Resource another = new Resource(
                "example.com",
                "v1",
                HandlerFixtures.RESOURCE.names(),
                Set.of(),
                true,
                true,
                HandlerFixtures.RESOURCE.verbs());
        AdmissionHandlers handlers = new AdmissionHandlers(
                List.of(
                        HandlerFixtures.validation("kopfexamples.kopf.dev"),
                        HandlerFixtures.validation("kopfexamples.example.com")),
                HandlerFixtures.contexts());
        handlers.serve(List.of(HandlerFixtures.RESOURCE, another));
        List<Resource> before = handlers.resources();
        handlers.serve(List.of(another, HandlerFixtures.RESOURCE));
        assertThat(before).hasSize(2).isEqualTo(handlers.resources());
    }

    @Test
    void anObjectThatPassesToHandlersOfTwoKindsWithOneIdIsToldOnce() {
        Handler check = context -> null;
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "check", h -> h.labels("a=x"), check)
                        .onMutate("kopfexamples", "check", h -> h.labels("b=x"), check));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (String labels : List.of("'a': 'x'", "'b': 'x'", "'a': 'x', 'b': 'x'", "'a': 'x', 'b': 'x'")) {
                String body = "{'metadata': {'name': 'x', 'labels': {" + labels + "}}}";
                byte[] review = Json.bytes(TestedWebhooks.review("CREATE", body, null));
                webhooks.ask(WebhookRequest.of(review).forHandler("check"));
                assertThat(log.lines(Level.ERROR)).hasSize(labels.contains(",") ? 1 : 0);
            }
        }
    }

    /** API servers ask both when the label changes from one to the other; a patch fails the validating webhook. */
    @Test
    @Tag("J09")
    void handlersOfTwoKindsWithOneIdAreAskedAtTheirOwnAddresses() {
        List<String> asked = new ArrayList<>();
        Handler both = context -> {
            context.patch().set("spec.touched", asked.size());
            return asked.add("asked");
        };
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "check", h -> h.labels("tier=a"), both)
                        .onValidate("kopfexamples", "check", h -> h.labels("tier=b"), both));
        String before = "{'metadata': {'name': 'x', 'labels': {'tier': 'b'}}}";
        byte[] review = Json.bytes(TestedWebhooks.review("UPDATE", before.replace("'b'", "'a'"), before));
        assertThat(webhooks.ask(WebhookRequest.of(review).forHandler("check--validate")))
                .isEqualTo(Scenario.json("{'uid': 'request-1', 'allowed': true}"));
        assertThat(asked).isEmpty();
        JsonNode mutated = webhooks.ask(WebhookRequest.of(review).forHandler("check--mutate"));
        assertThat(mutated.path("patchType").asString()).isEqualTo("JSONPatch");
        assertThat(asked).hasSize(1);
    }

    /** Nobody knows whether it would have let the object pass. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void aFilterThatFailsDoesNotPassToHandlersOfTwoKindsWithOneId(boolean validatingFails, boolean mutatingFails) {
        Handler check = context -> null;
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate(
                        "kopfexamples", "check", h -> h.when(context -> failsIf(validatingFails)), check)
                .onMutate("kopfexamples", "check", h -> h.when(context -> failsIf(mutatingFails)), check));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            webhooks.ask(
                    WebhookRequest.of(Json.bytes(TestedWebhooks.creation("{}"))).forHandler("check"));
            assertThat(log.lines(Level.ERROR)).isEmpty();
        }
    }

    private static boolean failsIf(boolean fails) {
        if (fails) {
            throw new IllegalStateException("the filter fails");
        }
        return true;
    }

    /** A method of two objects is two functions. */
    static class Check {
        @OnValidate(value = "kopfexamples", when = "isMine")
        void check() {}

        boolean isMine() {
            return true;
        }
    }

    @Test
    void anObjectThatPassesToTwoFunctionsWithOneIdIsRefused() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Check(), new Check()));
        WebhookRequest request = WebhookRequest.of(Json.bytes(TestedWebhooks.creation("{}")));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (int time = 0; time < 2; time++) {
                JsonNode response = webhooks.ask(request.forHandler("check"));
                assertThat(response.path("allowed").asBoolean(true)).isFalse();
                assertThat(response.at("/status/code").asInt()).isEqualTo(500);
                assertThat(response.at("/status/message").asString()).contains("two functions with the id 'check'");
            }
            assertThat(log.lines(Level.ERROR)).hasSize(1);
        }
    }

    /** Definitions may come and go under generated names for as long as the operator runs. */
    @Test
    void notAllThatWasEverServedIsRemembered() {
        AdmissionHandlers handlers =
                new AdmissionHandlers(List.of(HandlerFixtures.validation("kopfexamples")), HandlerFixtures.contexts());
        for (int version = 1; version <= 200; version++) {
            handlers.serve(List.of(version(version)));
        }
        handlers.serve(List.of());
        assertThat(handlers.resource(review(150))).isEqualTo(version(150));
        assertThatThrownBy(() -> handlers.resource(review(50))).isInstanceOf(WebhookException.class);
    }

    /** Who names a version, gets that; others the preferred one, in all replicas: they write the same rules. */
    @ParameterizedTest
    @CsvSource({"kopfexamples.v1.kopf.dev, v1", "kopfexamples.v2.kopf.dev, v2", "kopfexamples, v2"})
    void replicasAreForTheSameVersionWheneverTheyHaveStarted(String selector, String version) {
        AdmissionHandlers old =
                new AdmissionHandlers(List.of(HandlerFixtures.validation(selector)), HandlerFixtures.contexts());
        old.serve(List.of(version(1)));
        AdmissionHandlers fresh =
                new AdmissionHandlers(List.of(HandlerFixtures.validation(selector)), HandlerFixtures.contexts());
        for (AdmissionHandlers replica : List.of(old, fresh)) {
            replica.serve(List.of(version(2), notPreferred(version(1))));
            assertThat(replica.resources()).extracting(Resource::version).containsExactly(version);
        }
    }

    /** The API server may go by rules that were written before the definition got the other version, or a replica. */
    @Test
    void replicasAnswerInAllVersionsWheneverTheyHaveStarted() {
        List<RegisteredHandler> check = List.of(HandlerFixtures.validation("kopfexamples"));
        AdmissionHandlers old = new AdmissionHandlers(check, HandlerFixtures.contexts());
        old.serve(List.of(version(1)));
        AdmissionHandlers fresh = new AdmissionHandlers(check, HandlerFixtures.contexts());
        for (AdmissionHandlers replica : List.of(old, fresh)) {
            replica.serve(List.of(version(2), notPreferred(version(1))));
            for (int asked = 1; asked <= 2; asked++) {
                Resource resource = replica.resource(review(asked));
                assertThat(resource).isEqualTo(version(asked));
                assertThat(check.getFirst().declaration().selector().matches(resource))
                        .isTrue();
            }
        }
    }

    /** Nobody else may be asked in its place, and a review that nobody looks at lets all pass. */
    @Test
    void aHandlerIsAskedByItsPathInAFormerVersionThatOnlyOthersName() {
        RegisteredHandler check = HandlerFixtures.validation("kopfexamples");
        AdmissionHandlers handlers = new AdmissionHandlers(
                List.of(HandlerFixtures.validation("kopfexamples.v1.kopf.dev", "other"), check),
                HandlerFixtures.contexts());
        handlers.serve(List.of(version(2), notPreferred(version(1))));
        AdmissionReview review = review(1);
        ResourceObject any = HandlerFixtures.subject("{'metadata': {'name': 'x'}}");
        ResourceObject subject =
                new ResourceObject(handlers.resource(review), any.reference(), any.body(), any.logger(), any.memo());
        InvocationCause.Admitting cause = new InvocationCause.Admitting(
                new AdmissionReviews.ReviewedRequest(
                        review, WebhookRequest.of(Json.bytes(TestedWebhooks.creation("{}")))),
                null,
                review.newBody());
        assertThat(handlers.of(review, subject, cause, "fn")).containsExactly(check);
    }

    private static Resource notPreferred(Resource resource) {
        return ServedResources.as(resource, resource.version(), false, resource.verbs());
    }

    private static Resource version(int version) {
        Resource served = HandlerFixtures.RESOURCE;
        return new Resource(
                served.group(),
                "v" + version,
                new Resource.Names(served.plural(), served.kind(), served.singular(), Set.of(), Set.of()),
                Set.of(),
                true,
                true,
                Set.of());
    }

    private static AdmissionReview review(int version) {
        ObjectNode review = TestedWebhooks.creation("{}");
        review.withObject("/request/resource").put("version", "v" + version);
        return AdmissionReview.of(review);
    }

    /** The reviews of such requests carry no labels and no spec of the object. */
    @ParameterizedTest
    @Tag("J03")
    @CsvSource({
        "scale,  spec.locked,     scale",
        "*,      spec.locked,     scale",
        "exec,   spec.locked,     ''",
        "status, spec.locked,     ''",
        "'',     spec.locked,     ''",
        "scale,  status.replicas, ''",
        "*,      status.selector, ''",
        "scale,  status.phase,    scale"
    })
    void aFilterThatSeesNothingOfTheObjectIsToldOnce(String subresource, String field, String unseen) {
        Resource scaled = scaled();
        RegisteredHandler plain = HandlerFixtures.validation(h -> h.subresource(subresource));
        RegisteredHandler filtering =
                HandlerFixtures.validation(h -> h.subresource(subresource).field(field));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            new AdmissionHandlers(List.of(plain), HandlerFixtures.contexts()).serve(List.of(scaled));
            assertThat(log.lines(Level.WARN)).isEmpty();
            AdmissionHandlers handlers = new AdmissionHandlers(List.of(filtering), HandlerFixtures.contexts());
            handlers.serve(List.of(scaled));
            handlers.serve(List.of(scaled));
            assertThat(log.lines(Level.WARN))
                    .hasSize(unseen.isEmpty() ? 0 : 1)
                    .allMatch(line -> line.contains("for the subresource scale carry an object of another kind"));
        }
    }

    /** A Scale to zero has no such field. */
    @ParameterizedTest
    @Tag("J03")
    @CsvSource({
        "scale,  ,         1",
        "*,      ,         1",
        "scale,  absent,   0",
        "scale,  0,        1",
        "scale,  3,        0",
        "status, ,         0",
        "'',     ,         0"
    })
    void aGuardOfScalingThatIsNotAskedAboutZeroIsToldOnce(String subresource, @Nullable String value, int warnings) {
        RegisteredHandler guard = HandlerFixtures.validation(h -> {
            h.subresource(subresource).field("spec.replicas");
            if (value != null) {
                Object wanted = value.equals("absent") ? Filter.ABSENT : Integer.valueOf(value);
                h.fieldValue(wanted);
            }
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            AdmissionHandlers handlers = new AdmissionHandlers(List.of(guard), HandlerFixtures.contexts());
            handlers.serve(List.of(scaled()));
            handlers.serve(List.of(scaled()));
            assertThat(log.lines(Level.WARN))
                    .hasSize(warnings)
                    .allMatch(line -> line.contains("a Scale to zero leaves that field out"));
        }
    }

    private static Resource scaled() {
        Resource served = HandlerFixtures.RESOURCE;
        return new Resource(
                served.group(),
                served.version(),
                new Resource.Names(served.plural(), served.kind(), served.singular(), Set.of(), Set.of()),
                Set.of("status", "scale"),
                true,
                true,
                served.verbs());
    }

    /** The API server would refuse the deletion, for ever. */
    @Test
    @Tag("J08")
    void thePatchOfAMutatingHandlerOfDeletionsIsDroppedAndToldOnce() {
        TestedWebhooks webhooks = new TestedWebhooks(builder ->
                builder.onMutate("kopfexamples", "mark", h -> h.operations(AdmissionOperation.DELETE), context -> {
                    context.patch().label("x", "y");
                    context.admission().warnings().add("asked");
                    return null;
                }));
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (int i = 0; i < 2; i++) {
                assertThat(webhooks.ask(TestedWebhooks.review("DELETE", null, "{'metadata': {'name': 'x'}}")))
                        .isEqualTo(Scenario.json("{'uid': 'request-1', 'allowed': true, 'warnings': ['asked']}"));
            }
            assertThat(log.lines(Level.WARN)).hasSize(1).first().asString().contains("'mark'", "is dropped");
        }
    }

    /** The API server drops warnings with control characters, and nobody hears of it. */
    @Test
    @Tag("J06")
    void warningsAreOneLineEach() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "any", context -> {
            List.of("two\r\nlines\n", "a\ttab", "\u0085next", " \n ", "größe")
                    .forEach(context.admission().warnings()::add);
            return null;
        }));
        assertThat(webhooks.ask(TestedWebhooks.creation("{}")).path("warnings"))
                .isEqualTo(Json.parse("[\"two lines\", \"a tab\", \"next\", \"größe\"]"));
    }

    /** As PodExecOptions: the name of the pod is in the request. */
    @Test
    @Tag("J07")
    void whatAClientConnectsToIsNamedByTheRequest() {
        SEEN.clear();
        TestedWebhooks webhooks = new TestedWebhooks(builder ->
                builder.onValidate("kopfexamples", "exec", h -> h.subresource("*"), context -> {
                    SEEN.add(context.namespace().orElse(null) + "/" + context.name());
                    return null;
                }));
        ObjectNode review = TestedWebhooks.review("CONNECT", "{'kind': 'PodExecOptions'}", null);
        review.withObject("/request")
                .put("subResource", "exec")
                .put("name", "pod")
                .put("namespace", "prod");
        webhooks.ask(review);
        webhooks.ask(TestedWebhooks.creation("{}"));
        assertThat(SEEN).containsExactly("prod/pod", "ns/x");
    }

    /** The path of a namespace names it, and so the request has its name as its namespace. */
    @Test
    void aNamespaceIsInNone() {
        SEEN.clear();
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "check", context -> {
            SEEN.add(context.namespace().orElse(null) + "/" + context.name());
            return null;
        }));
        String body = "{'kind': 'Namespace', 'metadata': {'name': 'prod'}}";
        ObjectNode review = TestedWebhooks.review("UPDATE", body, body);
        review.withObject("/request").put("name", "prod").put("namespace", "prod");
        webhooks.ask(review);
        assertThat(SEEN).containsExactly("null/prod");
    }

    @ParameterizedTest(name = "{1}")
    @Tag("J21")
    @CsvSource(
            delimiter = '|',
            value = {
                "[1                                                                              | 400 | the body is no JSON",
                "[]                                                                              | 400 | the body is no JSON object",
                "{}                                                                              | 400 | the review has no request",
                "{'request': {'userInfo': {}}}                                                   | 400 | the request has no resource",
                "{'request': {'resource': {}}}                                                   | 400 | the request has no userInfo",
                "{'request': {'resource': {}, 'userInfo': {}}}                                   | 400 | the request has neither an object nor an oldObject",
                "{'request': {'resource': {}, 'userInfo': {}, 'object': {}, 'operation': 'X'}}   | 400 | the request has the operation 'X'",
                "{'request': {'resource': {'group': 'kopf.dev', 'version': 'v2', 'resource': 'kopfexamples'}, 'userInfo': {}, 'object': {}, 'operation': 'CREATE'}} | 404 | no admission handler is for the resource kopfexamples.v2.kopf.dev"
            })
    void whatIsNoReviewIsRefusedWithItsReason(String body, int status, String reason) {
        TestedWebhooks webhooks =
                new TestedWebhooks(builder -> builder.onValidate("kopfexamples", "any", context -> null));
        byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> webhooks.ask(WebhookRequest.of(bytes)))
                .isInstanceOfSatisfying(
                        WebhookException.class, e -> assertThat(e.status()).isEqualTo(status))
                .hasMessageStartingWith(reason);
    }

    @Test
    @Tag("J21")
    void whatIsAmbiguousIsAConflict() {
        AdmissionHandlers handlers =
                new AdmissionHandlers(List.of(HandlerFixtures.validation("kopfexamples")), HandlerFixtures.contexts());
        handlers.serve(List.of(HandlerFixtures.RESOURCE, HandlerFixtures.RESOURCE));
        AdmissionReview review = AdmissionReview.parse(Json.bytes(TestedWebhooks.creation("{}")));
        assertThatThrownBy(() -> handlers.resource(review))
                .isInstanceOfSatisfying(
                        WebhookException.class, e -> assertThat(e.status()).isEqualTo(409))
                .hasMessageStartingWith("the resource kopfexamples.v1.kopf.dev is ambiguous: ");
    }

    @Test
    @Tag("J22")
    void anOperatorWithoutAServerDoesNotStart() {
        SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
        FakeApiServer server = new FakeApiServer(world, false);
        var operator = SimulatedOperator.start(
                world, server, builder -> builder.onValidate("kopfexamples", "check", context -> null));
        world.runFor(Duration.ofSeconds(1));
        assertThat(operator.hasEnded()).isTrue();
        assertThatThrownBy(operator::join)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("@OnValidate 'check'")
                .hasMessageContaining("settings.admission().server(");
        assertThat(server.listCount()).isZero();
    }

    @ParameterizedTest
    @Tag("J20")
    @Tag("L39")
    @CsvSource({"true, it has ended by itself", "false, broken"})
    void theOperatorEndsWithItsServer(boolean ends, String why) {
        SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
        var operator = SimulatedOperator.start(
                world,
                new FakeApiServer(world, false),
                builder -> builder.onValidate("kopfexamples", "check", context -> null)
                        .settings(s -> s.admission().server(context -> {
                            context.publish(WebhookClientConfig.url("https://x"));
                            world.sleep(Duration.ofSeconds(10));
                            if (!ends) {
                                throw new IOException("broken");
                            }
                        })));
        world.runFor(Duration.ofSeconds(9));
        assertThat(operator.hasEnded()).isFalse();
        world.runFor(Duration.ofSeconds(10));
        assertThat(operator.hasEnded()).isTrue();
        assertThatThrownBy(operator::join).hasMessage("The webhook server has failed: " + why);
    }
}
