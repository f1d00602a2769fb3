package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.kopf4j.Body;
import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.OnConvert;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.Resource;
import dev.kopf4j.Spec;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the API server is answered. v1 has a size, v2 has sides, v3 has them one deeper. */
@SuppressWarnings("unused") // functions are found by reflection
class ConversionReviewsTest {
    private static final String DEFINITION = "widgets.example.com";

    record SizeSpec(String size) {}

    record SidesSpec(int width, int height) {}

    record DeepSpec(SidesSpec sides) {}

    record SizeStatus(String measured) {}

    record SidesStatus(Integer measuredWidth) {}

    static SidesSpec sides(SizeSpec spec) {
        String[] sides = spec.size().split("x", -1);
        if (sides.length != 2) {
            throw new PermanentException("spec.size: '" + spec.size() + "' is not of the form 3x4");
        }
        return new SidesSpec(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]));
    }

    static SizeSpec size(SidesSpec spec) {
        return new SizeSpec(spec.width() + "x" + spec.height());
    }

    static Map<String, @Nullable Object> flat(Body body) {
        Map<String, @Nullable Object> made = body.toMutableMap();
        made.put("spec", body.spec().getMap("sides"));
        return made;
    }

    private static final class Annotated {
        @OnConvert(value = DEFINITION, from = "v1", to = "v2")
        SidesSpec up(SizeSpec spec) {
            return sides(spec);
        }

        @OnConvert(value = DEFINITION, from = "v2", to = "v1")
        static SizeSpec down(SidesSpec spec) {
            return size(spec);
        }

        @OnConvert(value = DEFINITION, from = "v1", to = "v2")
        SidesStatus upStatus(SizeStatus status, Body body) {
            assertThat(body.apiVersion()).isEqualTo("example.com/v1");
            return new SidesStatus(Integer.valueOf(status.measured()));
        }

        @OnConvert(value = DEFINITION, from = "v2", to = "v3", dropUnknown = true)
        Map<String, Object> deeper(Spec spec) {
            return Map.of("sides", spec.toMap());
        }

        @OnConvert(value = DEFINITION, from = "v3", to = "v2")
        Map<String, @Nullable Object> flatter(Body body) {
            return flat(body);
        }
    }

    private static OperatorBuilder functions(OperatorBuilder builder) {
        return builder.onConvert(
                        DEFINITION,
                        "v1",
                        "v2",
                        c -> c.spec(SizeSpec.class, ConversionReviewsTest::sides)
                                .status(SizeStatus.class, (status, body) -> {
                                    assertThat(body.apiVersion()).isEqualTo("example.com/v1");
                                    return new SidesStatus(Integer.valueOf(status.measured()));
                                }))
                .onConvert(DEFINITION, "v2", "v1", SidesSpec.class, ConversionReviewsTest::size)
                .onConvert(
                        DEFINITION,
                        "v2",
                        "v3",
                        c -> c.spec(Spec.class, spec -> Map.of("sides", spec.toMap()))
                                .dropUnknown())
                .onConvert(DEFINITION, "v3", "v2", c -> c.body(Body.class, ConversionReviewsTest::flat));
    }

    enum Style {
        ANNOTATIONS,
        FUNCTIONS;

        private ConversionReviews reviews() {
            return reviewsOf(
                    this == ANNOTATIONS
                            ? builder -> builder.handlers(new Annotated())
                            : ConversionReviewsTest::functions);
        }
    }

    private static ConversionReviews reviewsOf(UnaryOperator<OperatorBuilder> handlers) {
        OperatorPlan plan = OperatorPlan.of(handlers.apply(Operator.builder()));
        return new ConversionReviews(
                RegistryBuilder.build(plan.registrations()).conversions(), List.of("kopf.zalando.org"));
    }

    private static String widget(String version, String spec) {
        return """
                {'apiVersion': 'example.com/%s', 'kind': 'Widget', 'metadata': {'name': 'a', 'namespace': 'ns', 'uid': 'u',
                 'resourceVersion': '7', 'annotations': {'kopf.zalando.org/fn': '{}'}}, 'spec': %s}""".formatted(version, spec);
    }

    private static ObjectNode review(String version, String... objects) {
        ObjectNode review = Scenario.json("""
                {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'ConversionReview', 'request': {'uid': 'request-1'}}""");
        ObjectNode request = review.withObject("/request").put("desiredAPIVersion", "example.com/" + version);
        request.putArray("objects");
        for (String each : objects) {
            request.withArray("objects").add(Scenario.json(each));
        }
        return review;
    }

    private static WebhookRequest request(JsonNode review) {
        return WebhookRequest.of(Json.bytes(review)).forHandler("convert/" + DEFINITION);
    }

    private static ObjectNode ask(ConversionReviews reviews, ObjectNode review) {
        try {
            assertThat(reviews.isFor(request(review))).isTrue();
            return Json.parseObject(reviews.answer(request(review)).body());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String failure(ConversionReviews reviews, ObjectNode review) {
        JsonNode response = ask(reviews, review).path("response");
        assertThat(response.at("/result/status").asString()).isEqualTo("Failed");
        assertThat(response.path("uid").asString()).isEqualTo("request-1");
        assertThat(response.path("convertedObjects")).isEmpty();
        return response.at("/result/message").asString();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("J23")
    @Tag("J25")
    void objectsOfAllVersionsBecomeOnesOfTheWantedVersionInTheirOrder(Style style) {
        Map<String, String> specs = new LinkedHashMap<>();
        specs.put("v1", "{'size': '3x4'}");
        specs.put("v2", "{'width': 3, 'height': 4}");
        specs.put("v3", "{'sides': {'width': 3, 'height': 4}}");
        String[] all = specs.entrySet().stream()
                .map(each -> widget(each.getKey(), each.getValue()))
                .toArray(String[]::new);
        for (Map.Entry<String, String> wanted : specs.entrySet()) {
            ObjectNode answer = ask(style.reviews(), review(wanted.getKey(), all));
            String converted = widget(wanted.getKey(), wanted.getValue());
            assertThat(answer).isEqualTo(Scenario.json("""
                    {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'ConversionReview', 'response': {'uid': 'request-1',
                     'convertedObjects': [%s, %s, %s], 'result': {'status': 'Success'}}}""".formatted(converted, converted, converted)));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("J24")
    void statusIsConvertedByItsOwnFunctionOrStays(Style style) {
        ObjectNode old = Scenario.json(widget("v1", "{'size': '3x4'}"));
        old.withObject("/status").put("measured", "3").putObject("kopf").put("progress", "x");
        JsonNode converted = ask(style.reviews(), review("v3", Json.text(old))).at("/response/convertedObjects/0");
        assertThat(converted.path("status"))
                .as("converted on the first step only; what the type does not know stays")
                .isEqualTo(Scenario.json("{'measuredWidth': 3, 'kopf': {'progress': 'x'}}"));
        JsonNode none = ask(style.reviews(), review("v2", widget("v1", "{'size': '3x4'}")))
                .at("/response/convertedObjects/0");
        assertThat(none.has("status")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("J24")
    void unknownFieldsStayUnlessTheyAreDropped(Style style) {
        String object = widget("v1", "{'size': '3x4', 'color': 'red', 'nullable': null}")
                .replace("'spec'", "'data': 1, 'spec'");
        JsonNode v2 = ask(style.reviews(), review("v2", object)).at("/response/convertedObjects/0");
        assertThat(v2.path("spec"))
                .isEqualTo(Scenario.json("{'width': 3, 'height': 4, 'color': 'red', 'nullable': null}"));
        assertThat(v2.path("data").asInt()).isEqualTo(1);
        ConversionReviews dropping = reviewsOf(builder -> builder.onConvert(
                DEFINITION,
                "v1",
                "v2",
                c -> c.spec(SizeSpec.class, ConversionReviewsTest::sides).dropUnknown()));
        assertThat(ask(dropping, review("v2", object)).at("/response/convertedObjects/0/spec"))
                .isEqualTo(Scenario.json("{'width': 3, 'height': 4}"));
    }

    static class SizeBean {
        private @Nullable String size;
        private @Nullable String comment;

        public @Nullable String getSize() {
            return size;
        }

        public void setSize(String size) {
            this.size = size;
        }

        public @Nullable String getComment() {
            return comment;
        }

        public void setComment(String comment) {
            this.comment = comment;
        }
    }

    /** The same bean goes in and comes out: what the function changes must not look as if it had been unknown. */
    @Test
    @Tag("J24")
    void beansMayBeChangedAndReturned() {
        ConversionReviews reviews =
                reviewsOf(builder -> builder.onConvert(DEFINITION, "v1", "v2", SizeBean.class, bean -> {
                    bean.setSize(bean.getSize() + " cm");
                    return bean;
                }));
        assertThat(ask(reviews, review("v2", widget("v1", "{'size': '3x4', 'color': 'red'}")))
                        .at("/response/convertedObjects/0/spec"))
                .isEqualTo(Scenario.json("{'size': '3x4 cm', 'color': 'red'}"));
    }

    @Test
    @Tag("J24")
    void whatHasNoPlaceIsToldOnce() {
        ConversionReviews reviews = reviewsOf(builder -> builder.onConvert(
                DEFINITION, "v3", "v2", DeepSpec.class, spec -> Objects.requireNonNull(spec.sides())));
        ObjectNode review =
                review("v2", widget("v3", "{'sides': {'width': 3, 'height': 4, 'color': 'red'}, 'depth': 5}"));
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            assertThat(ask(reviews, review).at("/response/convertedObjects/0/spec"))
                    .isEqualTo(Scenario.json("{'width': 3, 'height': 4, 'depth': 5}"));
            ask(reviews, review);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("The field spec.sides.color is lost: ")
                    .contains("DeepSpec does not know it");
        }
    }

    /** The keys of a schemaless field are what anybody likes. */
    @Test
    void theNameOfWhatHasNoPlaceIsToldShortened() {
        ConversionReviews reviews = reviewsOf(builder -> builder.onConvert(
                DEFINITION, "v3", "v2", DeepSpec.class, spec -> Objects.requireNonNull(spec.sides())));
        String lost = "k".repeat(100_000);
        String review = widget("v3", "{'sides': {'width': 3, 'height': 4, '" + lost + "': 1}, 'depth': 5}");
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            ask(reviews, review("v2", review));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("The field spec.sides.kkk")
                    .contains("kkk is lost: ")
                    .hasSizeLessThan(1000);
        }
    }

    @Test
    @Tag("J23")
    void aHubIsBetweenAllVersions() {
        ConversionReviews reviews = reviewsOf(builder -> builder.onConvert(
                        DEFINITION, "v1", OnConvert.HUB, SizeSpec.class, ConversionReviewsTest::sides)
                .onConvert(DEFINITION, OnConvert.HUB, "v1", SidesSpec.class, ConversionReviewsTest::size)
                .onConvert(DEFINITION, "v3", OnConvert.HUB, DeepSpec.class, spec -> spec.sides())
                .onConvert(DEFINITION, OnConvert.HUB, "v3", SidesSpec.class, DeepSpec::new));
        String v1 = widget("v1", "{'size': '3x4'}");
        String v3 = widget("v3", "{'sides': {'width': 3, 'height': 4}}");
        assertThat(ask(reviews, review("v3", v1)).at("/response/convertedObjects/0"))
                .isEqualTo(Scenario.json(v3));
        assertThat(ask(reviews, review("v1", v3)).at("/response/convertedObjects/0"))
                .isEqualTo(Scenario.json(v1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1 | {'size': 'big'}           | v2 | Widget ns/a cannot be converted from example.com/v1 to example.com/v2: spec.size: 'big' is not of the form 3x4
            v1 | {'size': 'axb'}           | v2 | Widget ns/a cannot be converted from example.com/v1 to example.com/v2: the spec: For input string: 'a'
            v1 | {'size': ['3']}           | v2 | Widget ns/a cannot be converted from example.com/v1 to example.com/v2: spec of Widget ns/a does not fit
            v1 | 3                           | v2 | Widget ns/a cannot be converted from example.com/v1 to example.com/v2: spec: it is no mapping
            v1 | {'size': '3x4'}           | v4 | Widget ns/a cannot be converted from example.com/v1 to example.com/v4: there is no conversion from v1 to v4; the operator has v1 -> v2, v2 -> v1
            """)
    @Tag("J25")
    void oneObjectsFailureFailsTheReviewInWords(String from, String spec, String to, String message) {
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            String told = failure(
                    Style.ANNOTATIONS.reviews(),
                    review(to, widget(to, "{}"), widget(from, spec), widget(from, "{'size': '1x1'}")));
            assertThat(told.replace('"', '\'')).startsWith(message);
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("cannot be converted");
        }
    }

    @Test
    @Tag("J25")
    void aMisfitIsNamedByItsField() {
        assertThat(failure(Style.FUNCTIONS.reviews(), review("v1", widget("v2", "{'width': 'wide', 'height': 4}"))))
                .contains("Widget ns/a")
                .contains("width")
                .contains("wide");
        assertThat(failure(
                        Style.FUNCTIONS.reviews(),
                        review("v1", widget("v2", "{}").replace("example.com", "other.com"))))
                .endsWith("apiVersion: 'other.com/v2' is none of widgets.example.com");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            apiVersion      | x             | apiVersion: it has become 'x', but the conversion is one to v2
            kind            | Other         | kind: it was 'Widget' and has become 'Other'
            metadata        | x             | metadata: it must be a mapping
            """)
    @Tag("J26")
    void whichObjectItIsStays(String field, String value, String problem) {
        ConversionReviews reviews = reviewsOf(builder -> builder.onConvert(
                DEFINITION,
                "v1",
                "v2",
                c -> c.body(Body.class, body -> {
                    Map<String, @Nullable Object> made = body.toMutableMap();
                    made.put(field, value);
                    return made;
                })));
        assertThat(failure(reviews, review("v2", widget("v1", "{}")))).contains(problem);
    }

    /** A form of the whole object that knows nothing of metadata. */
    record WholeWidget(SizeSpec spec) {}

    @Test
    @Tag("J24")
    @Tag("J26")
    void aBodyOfARecordKeepsWhatTheRecordDoesNotKnow() {
        ConversionReviews reviews = reviewsOf(builder -> builder.onConvert(
                DEFINITION,
                "v1",
                "v2",
                c -> c.body(WholeWidget.class, whole -> Map.of("spec", sides(whole.spec()), "extra", true))));
        ObjectNode wanted =
                Scenario.json(widget("v2", "{'width': 3, 'height': 4}")).put("extra", true);
        assertThat(ask(reviews, review("v2", widget("v1", "{'size': '3x4'}"))).at("/response/convertedObjects/0"))
                .isEqualTo(wanted);
    }

    /** As the metadata of models: empty mappings are not written. */
    record LabelledMetadata(
            String name,
            String namespace,
            String uid,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> labels) {}

    record LabelledWidget(LabelledMetadata metadata) {}

    @ParameterizedTest
    @Tag("J26")
    @CsvSource({"true, 0", "false, 1"})
    void theLastLabelThatIsTakenOffAModelGoesAndWhatIsLeftOutStays(boolean takenOff, int labels) {
        ConversionReviews reviews = reviewsOf(builder -> builder.onConvert(
                DEFINITION,
                "v1",
                "v2",
                c -> c.body(LabelledWidget.class, widget -> {
                    LabelledMetadata before = widget.metadata();
                    if (takenOff) {
                        before.labels().remove("stash");
                        return widget;
                    }
                    return new LabelledWidget(
                            new LabelledMetadata(before.name(), before.namespace(), before.uid(), Map.of()));
                })));
        String labelled = widget("v1", "{}").replace("'uid':", "'labels': {'stash': 'x'}, 'uid':");
        assertThat(ask(reviews, review("v2", labelled)).at("/response/convertedObjects/0/metadata/labels"))
                .hasSize(labels);
    }

    @Test
    @Tag("J25")
    void functionsThatReturnWhatIsNoObjectFailTheReview() {
        List<String> told = new ArrayList<>();
        for (Object returned : new @Nullable Object[] {null, 3, List.of(), new Object()}) {
            ConversionReviews reviews =
                    reviewsOf(builder -> builder.onConvert(DEFINITION, "v1", "v2", SizeSpec.class, spec -> returned));
            told.add(failure(reviews, review("v2", widget("v1", "{}"))));
        }
        assertThat(told).allMatch(each -> each.contains("what a registered function has returned cannot be used"));
    }

    @Test
    @Tag("J25")
    void whatFunctionsThrowInOtherThreadsIsToldAsItIs() {
        ConversionReviews reviews =
                reviewsOf(builder -> builder.onConvert(DEFINITION, "v1", "v2", SizeSpec.class, spec -> {
                    throw new CompletionException(new PermanentException("no such size"));
                }));
        assertThat(failure(reviews, review("v2", widget("v1", "{'size': '1x1'}"))))
                .endsWith("from example.com/v1 to example.com/v2: no such size");
    }

    @Test
    @Tag("J25")
    void errorsOfTheCodeFailTheReviewAndTheServerGoesOn() {
        ConversionReviews reviews =
                reviewsOf(builder -> builder.onConvert(DEFINITION, "v1", "v2", SizeSpec.class, spec -> deep(spec, 0)));
        String message = failure(reviews, review("v2", widget("v1", "{'size': '1x1'}")));
        assertThat(message).endsWith("the spec: StackOverflowError").doesNotContain("\tat ");
        assertThat(ask(reviews, review("v2")).at("/response/result/status").asString())
                .isEqualTo("Success");
    }

    private static Object deep(SizeSpec spec, int level) {
        return level < 0 ? spec : List.of(deep(spec, level + 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x                                                                                     | 400 | the body is no JSON
            []                                                                                    | 400 | POST a ConversionReview
            {}                                                                                    | 400 | POST a ConversionReview
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v2'}                    | 400 | POST a ConversionReview
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1'}                    | 400 | the review has no request
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{}}       | 400 | the request has no desiredAPIVersion
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'desiredAPIVersion':'v1'}} | 400 | the request has the desiredAPIVersion 'v1'
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'desiredAPIVersion':'example.com/v1'}} | 400 | the request has no uid
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'desiredAPIVersion':'example.com/v1','uid':'u'}} | 400 | the request has no list of objects
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'desiredAPIVersion':'example.com/v1','uid':'u','objects':[{},3]}} | 400 | objects[1] of the request is no object
            {'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'desiredAPIVersion':'other.com/v1','uid':'u','objects':[]}} | 404 | widgets.example.com has no version other.com/v1
            """)
    @Tag("J29")
    void whatIsNoReviewIsAnHttpError(String body, int status, String message) {
        WebhookRequest request = WebhookRequest.of(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .forHandler("convert/" + DEFINITION);
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> Style.ANNOTATIONS.reviews().answer(request))
                .withMessageStartingWith(message)
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(status));
    }

    @Test
    @Tag("J25")
    void serversThatKnowNoPathAreAnsweredByTheKind() throws InterruptedException {
        ConversionReviews reviews = Style.ANNOTATIONS.reviews();
        WebhookRequest request = WebhookRequest.of(Json.bytes(review("v2", widget("v1", "{'size': '3x4'}"))));
        assertThat(reviews.isFor(request)).isTrue();
        assertThat(reviews.isFor(request.forHandler("fn"))).isFalse();
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> reviews.answer(request))
                .withMessage("no conversion function is for the definition Widget of example.com");
        reviews.serve(List.of(new Resource(
                "example.com",
                "v1",
                new Resource.Names("widgets", "Widget", "widget", Set.of(), Set.of()),
                Set.of(),
                true,
                true,
                Set.of("list", "watch"))));
        assertThat(Json.parseObject(reviews.answer(request).body()).at("/response/convertedObjects/0/spec"))
                .isEqualTo(Scenario.json("{'width': 3, 'height': 4}"));
    }

    /** API servers wait for 30 seconds, and tell the client no object then. */
    @ParameterizedTest
    @CsvSource({"false, The function was interrupted.", "true, The function ignores that it was interrupted"})
    @Tag("J29")
    void aConversionThatHangsIsToldInTimeWithItsObject(boolean deaf, String told) {
        SimulatedPlatform world = new SimulatedPlatform(1, Scenario.START);
        ConversionReviews reviews = served(world, spec -> {
            hang(world, deaf);
            return spec;
        });
        List<String> messages = new ArrayList<>();
        try (LoggerCapture log = new LoggerCapture("kopf4j.conversion")) {
            world.spawn("API server", () -> messages.add(failure(reviews, review("v2", widget("v1", "{}")))));
            world.runFor(Duration.ofSeconds(27));
            assertThat(messages)
                    .containsExactly(
                            "Widget ns/a cannot be converted from example.com/v1 to example.com/v2: it has taken"
                                    + " longer than 25 s, and API servers wait for 30");
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(messages.getFirst(), told, "ConversionReviewsTest.hang");
        }
    }

    @Test
    void conversionsThatNeverEndAreNotBegunForEver() {
        SimulatedPlatform world = new SimulatedPlatform(1, Scenario.START);
        AtomicInteger calls = new AtomicInteger();
        ConversionReviews reviews = served(world, spec -> {
            calls.incrementAndGet();
            hang(world, true);
            return spec;
        });
        for (int i = 0; i < 15; i++) {
            world.spawn("API server", () -> failure(reviews, review("v2", widget("v1", "{}"))));
            world.runFor(Duration.ofSeconds(27));
        }
        assertThat(calls).hasValue(10);
        world.runFor(Duration.ofHours(2));
        world.spawn("API server", () -> failure(reviews, review("v2", widget("v1", "{}"))));
        world.runFor(Duration.ofSeconds(27));
        assertThat(calls).hasValue(11);
    }

    private static void hang(SimulatedPlatform world, boolean deaf) throws InterruptedException {
        Deadline end = world.after(Duration.ofHours(1));
        while (!end.hasPassed(world)) {
            try {
                world.sleep(Duration.ofMinutes(10));
            } catch (InterruptedException e) {
                if (!deaf) {
                    throw e;
                }
            }
        }
    }

    /** As of a future that was cancelled, passed on: nobody has interrupted the conversion. */
    @Test
    void anInterruptionThatTheFunctionThrowsByItselfIsToldLikeAnyFailure() {
        SimulatedPlatform world = new SimulatedPlatform(1, Scenario.START);
        ConversionReviews reviews = served(world, spec -> {
            throw new InterruptedException("cancelled");
        });
        List<String> messages = new ArrayList<>();
        world.spawn("API server", () -> messages.add(failure(reviews, review("v2", widget("v1", "{}")))));
        world.runFor(Duration.ofSeconds(1));
        assertThat(messages).singleElement().asString().contains("Widget ns/a", "InterruptedException: cancelled");
    }

    private interface Converting {
        Object convert(Spec spec) throws Exception;
    }

    private static ConversionReviews served(SimulatedPlatform world, Converting function) {
        ConversionFunction.Code code =
                new ConversionFunction.Code(Spec.class, false, "up", (spec, body) -> function.convert((Spec) spec));
        return new ConversionReviews(
                List.of(new ConversionFunction(DEFINITION, "v1", "v2", ConversionFunction.Part.SPEC, code)),
                List.of("kopf.zalando.org"),
                world);
    }

    /** Records of other prefixes, and the marks of children, would be lost by each write of the other version. */
    @Test
    @Tag("J26")
    void whatOperatorsWriteStaysWhateverTheirPrefixes() {
        OperatorPlan plan = OperatorPlan.of(Operator.builder()
                .onConvert(
                        DEFINITION,
                        "v1",
                        "v2",
                        c -> c.body(Body.class, body -> {
                            Map<String, @Nullable Object> made = body.toMutableMap();
                            made.put(
                                    "metadata",
                                    Map.of(
                                            "name",
                                            "a",
                                            "namespace",
                                            "ns",
                                            "uid",
                                            "u",
                                            "annotations",
                                            Map.of("my", "own")));
                            return made;
                        }))
                .settings(settings -> settings.persistence()
                        .progressStorage(ProgressStorage.annotations().withPrefix("progress.example.com"))
                        .diffBaseStorage(DiffBaseStorage.annotations().withPrefix("diff.example.com"))));
        String object = widget("v1", "{}").replace("{'kopf.zalando.org/fn': '{}'}", """
                        {'progress.example.com/fn': '1', 'diff.example.com/last': '2', 'kopf4j.dev/applied': '3', 'x': '4'}
                        """);
        Map<String, @Nullable Object> converted;
        try {
            converted =
                    plan.conversions().convert(DEFINITION, Json.toMutableMap(Scenario.json(object)), "example.com/v2");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(Json.fromJava(converted).at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder(
                        "progress.example.com/fn", "diff.example.com/last", "kopf4j.dev/applied", "my");
    }
}
