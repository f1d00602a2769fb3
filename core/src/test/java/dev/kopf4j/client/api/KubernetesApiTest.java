package dev.kopf4j.client.api;

import static dev.kopf4j.client.api.ClientExamples.KEX;
import static dev.kopf4j.client.api.ClientExamples.PODS;
import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.ServerErrorException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.NetworkSettings.Retries;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link KubernetesApi}, and with it the retries of {@code RequestSender} and the pages of {@link PagedList}. */
class KubernetesApiTest {
    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final ScriptedTransport transport = new ScriptedTransport(platform);
    private final KubernetesApi api = new KubernetesApi(platform, transport, NetworkSettings.DEFAULTS);

    private Duration elapsed() {
        return Duration.between(ClientExamples.START, platform.now());
    }

    private KubernetesApi with(NetworkSettings settings) {
        return api.with(settings);
    }

    /** Fails some times, then answers with an object. */
    private void failing(int times, ScriptedTransport.Script failure) {
        int[] left = {times};
        transport.answering(transportRequest ->
                left[0]-- > 0 ? failure.answer(transportRequest) : json(200, "{'metadata':{'name':'name'}}"));
    }

    @Test
    void patchesWithTheMediaTypeOfThePatch() throws Exception {
        transport.answering(transportRequest -> json(200, "{'metadata':{'name':'name','resourceVersion':'5'}}"));
        var merge = Json.object().put("a", 1);
        var answer = api.patch(KEX, "ns", "name", "status", PatchType.MERGE, merge);
        assertThat(answer.path("metadata").path("resourceVersion").asString()).isEqualTo("5");
        TransportRequest transportRequest = transport.calls().getFirst();
        assertThat(transportRequest).hasToString("PATCH /apis/kopf.dev/v1/namespaces/ns/kopfexamples/name/status");
        assertThat(transportRequest.headers()).containsEntry("Content-Type", "application/merge-patch+json");
        assertThat(new String(transportRequest.body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
        api.patch(KEX, "ns", "name", null, PatchType.JSON, Json.parse("[]"));
        assertThat(transport.calls().getLast().headers()).containsEntry("Content-Type", "application/json-patch+json");
    }

    @Test
    void readsTheAnswerToAPatchWithoutItsManagedFieldsWhereNobodyNeedsThem() throws Exception {
        transport.answering(transportRequest ->
                json(200, "{'metadata':{'managedFields':[{'fieldsV1':{'f:spec':{}}}],'name':'n'},'spec':{'a':1}}"));
        assertThat(api.patchWithoutManagedFields(KEX, "ns", "n", null, PatchType.MERGE, Json.object()))
                .hasToString("{\"metadata\":{\"name\":\"n\"},\"spec\":{\"a\":1}}");
        assertThat(api.patch(KEX, "ns", "n", null, PatchType.MERGE, Json.object())
                        .at("/metadata/managedFields"))
                .hasSize(1);
    }

    @Test
    @Tag("B19")
    void retriesWithTheDefaultBackoffs() throws Exception {
        failing(8, transportRequest -> status(503, "ServiceUnavailable", "down"));
        api.get(KEX, "ns", "name");
        assertThat(transport.calls()).hasSize(9);
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1 + 1 + 2 + 3 + 5 + 8 + 13 + 21));
    }

    /** Of a proxy, or of a page for maintenance. */
    private static TransportResponse html() {
        return page("<html>Come back later: secret</html>");
    }

    private static TransportResponse page(String text) {
        byte[] page = text.getBytes(StandardCharsets.UTF_8);
        return new TransportResponse(200, Map.of("Content-Type", List.of("text/html")), page);
    }

    @Test
    @Tag("B20")
    void answersOfSomebodyElseAreBrokenConnections() throws Exception {
        failing(2, transportRequest -> html());
        api.get(KEX, "ns", "name");
        failing(2, transportRequest -> html());
        api.apiDiscovery().version();
        assertThat(transport.calls()).hasSize(6);
    }

    /** One way to ask for an object that the server answers with the object. */
    interface Asked {
        ObjectNode of(KubernetesApi api) throws InterruptedException;
    }

    static List<Asked> askedForAnObject() {
        return List.of(
                api -> api.get(KEX, "ns", "name"),
                api -> api.patch(KEX, "ns", "name", "status", PatchType.MERGE, Json.object()),
                api -> api.patchWithoutManagedFields(KEX, "ns", "name", null, PatchType.MERGE, Json.object()),
                api -> api.apply(KEX, "ns", "name", "me", true, Json.object()),
                api -> api.replace(KEX, "ns", "name", Json.object()));
    }

    @ParameterizedTest
    @MethodSource("askedForAnObject")
    @Tag("B20")
    void believesNoAnswerThatIsNotTheObjectWhichWasAskedFor(Asked asked) throws Exception {
        Iterator<String> answers =
                List.of("{}", "{'metadata':{'name':'other'}}", "").iterator();
        failing(3, transportRequest -> json(200, answers.next()));
        assertThat(asked.of(api).at("/metadata/name").asString()).isEqualTo("name");
        assertThat(transport.calls()).hasSize(4);
        failing(1, transportRequest -> json(200, "{}"));
        assertThatThrownBy(() -> asked.of(with(NetworkSettings.DEFAULTS.withErrorBackoffs())))
                .isInstanceOf(ConnectionFailedException.class)
                .hasMessageContaining("the answer is not the object \"name\"");
    }

    /** With causes, too: they are logged with --debug, and by programs that have an operator in them. */
    @ParameterizedTest
    @ValueSource(strings = {"<html>Come back later: swordfish</html>", "swordfish", "[\"swordfish\"]"})
    @Tag("B22")
    void tellsOnlyTheKindOfAnswersOfSomebodyElse(String text) {
        failing(100, transportRequest -> page(text));
        assertThatThrownBy(() -> api.get(KEX, "ns", "name"))
                .isInstanceOf(ConnectionFailedException.class)
                .hasMessageContaining("no JSON object, but " + text.length() + " bytes of text/html")
                .satisfies(
                        failure -> assertThat(Throwables.getStackTrace(failure)).doesNotContain("swordfish"));
    }

    @Test
    @Tag("B19")
    void escalatesWhenTheBackoffsAreUsedUp() {
        failing(100, transportRequest -> status(503, "ServiceUnavailable", "down"));
        assertThatThrownBy(() -> api.get(KEX, "ns", "name"))
                .isInstanceOf(ServerErrorException.class)
                .hasMessage("get of kopfexamples.v1.kopf.dev 'ns/name' at the API server failed: "
                        + "HTTP 503 ServiceUnavailable: down");
        assertThat(transport.calls()).hasSize(9);
    }

    @Test
    @Tag("B19")
    void noBackoffsMeanOneAttempt() {
        failing(100, transportRequest -> status(503, "", ""));
        assertThatThrownBy(
                        () -> with(NetworkSettings.DEFAULTS.withErrorBackoffs()).get(KEX, "ns", "name"))
                .isInstanceOf(ServerErrorException.class);
        assertThat(transport.calls()).hasSize(1);
        assertThat(elapsed()).isZero();
    }

    @Test
    @Tag("B19")
    void backoffsMayBeEndlessAndBeginAnewForEachRequest() throws Exception {
        Iterable<Duration> endless = () -> new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Duration next() {
                return Duration.ofSeconds(++next);
            }
        };
        KubernetesApi patient = with(new NetworkSettings(
                Duration.ofSeconds(9),
                Duration.ofSeconds(9),
                null,
                new Retries(endless, true, false),
                1,
                false,
                false));
        failing(3, transportRequest -> status(500, "", ""));
        patient.get(KEX, "ns", "name");
        failing(2, transportRequest -> status(500, "", ""));
        patient.get(KEX, "ns", "name");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(1 + 2 + 3 + 1 + 2));
    }

    @ParameterizedTest
    @Tag("B20")
    @ValueSource(ints = {403, 429, 500, 502, 503, 504})
    void retriesWhatMayGoAway(int code) throws Exception {
        failing(1, transportRequest -> status(code, "", ""));
        api.get(KEX, "ns", "name");
        assertThat(transport.calls()).hasSize(2);
    }

    @ParameterizedTest
    @Tag("B20")
    @ValueSource(ints = {400, 401, 404, 405, 409, 410, 422})
    void escalatesAtOnceWhatStays(int code) {
        failing(1, transportRequest -> status(code, "", ""));
        assertThatThrownBy(() -> api.get(KEX, "ns", "name")).isInstanceOf(ApiException.class);
        assertThat(transport.calls()).hasSize(1);
    }

    @Test
    @Tag("B20")
    void retriesBrokenConnections() throws Exception {
        failing(2, transportRequest -> {
            throw new IOException("connection reset");
        });
        api.patch(KEX, "ns", "name", null, PatchType.MERGE, Json.object());
        assertThat(transport.calls()).hasSize(3);
    }

    @Test
    @Tag("B20")
    void tellsTheServerThatCannotBeReached() {
        transport.answering(transportRequest -> {
            throw new ConnectException("Connection refused");
        });
        KubernetesApi once = with(NetworkSettings.DEFAULTS.withErrorBackoffs());
        assertThatThrownBy(() -> once.list(KEX, null, 0, object -> {}))
                .isInstanceOf(ConnectionFailedException.class)
                .hasMessage("list of kopfexamples.v1.kopf.dev cluster-wide at the API server failed: "
                        + "cannot connect: Connection refused");
    }

    @Test
    @Tag("B20")
    void createsOnceUnlessTheServerCertainlyDidNot() throws Exception {
        failing(1, transportRequest -> {
            throw new IOException("connection reset");
        });
        assertThatThrownBy(() -> api.create(KEX, "ns", Json.object())).isInstanceOf(ConnectionFailedException.class);
        failing(1, transportRequest -> status(500, "", ""));
        assertThatThrownBy(() -> api.create(KEX, "ns", Json.object())).isInstanceOf(ServerErrorException.class);
        failing(1, transportRequest -> {
            throw new ConnectException("refused");
        });
        api.create(KEX, "ns", Json.object());
        failing(1, transportRequest -> status(429, "", ""));
        api.create(KEX, "ns", Json.object());
        assertThat(transport.calls()).hasSize(1 + 1 + 2 + 2);
    }

    @Test
    @Tag("B21")
    void waitsAsLongAsTheServerAsks() throws Exception {
        failing(1, transportRequest -> new TransportResponse(429, Map.of("retry-after", List.of("7.9")), new byte[0]));
        api.get(KEX, "ns", "name");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    @Tag("B21")
    void takesTheHintFromTheDetailsToo() throws Exception {
        failing(1, transportRequest -> json(429, "{'kind':'Status','details':{'retryAfterSeconds':4}}"));
        api.get(KEX, "ns", "name");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    @Tag("B21")
    void shorterHintsCountOnlyIfEnforced() throws Exception {
        NetworkSettings slow = NetworkSettings.DEFAULTS.withErrorBackoffs(Duration.ofSeconds(10));
        failing(1, transportRequest -> json(429, "{'kind':'Status','details':{'retryAfterSeconds':4}}"));
        with(slow).get(KEX, "ns", "name");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(10));
        failing(1, transportRequest -> json(429, "{'kind':'Status','details':{'retryAfterSeconds':4}}"));
        with(new NetworkSettings(
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(9),
                        null,
                        new Retries(slow.retries().backoffs(), true, true),
                        1,
                        false,
                        false))
                .get(KEX, "ns", "name");
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(14));
    }

    @Test
    @Tag("B22")
    void dropsBodiesThatMayHoldSecrets() {
        transport.answering(transportRequest -> json(404, "{'kind':'Secret','message':'hush','data':{'a':'b'}}"));
        ApiException e = catchThrowableOfType(ApiException.class, () -> api.get(KEX, "ns", "name"));
        assertThat(e.getMessage()).endsWith("failed: HTTP 404");
        assertThat(e.serverMessage()).isEmpty();
        assertThat(e.details()).isNull();
    }

    @Test
    @Tag("B22")
    void shortensText() {
        String text = "  " + "ж".repeat(300) + "  ";
        transport.answering(
                transportRequest -> new TransportResponse(400, Map.of(), text.getBytes(StandardCharsets.UTF_8)));
        ApiException e = catchThrowableOfType(ApiException.class, () -> api.get(KEX, "ns", "name"));
        assertThat(e.serverMessage()).isEqualTo("ж".repeat(253) + "...");
    }

    @Test
    void namesTheMissingPermission() {
        transport.answering(transportRequest -> status(403, "Forbidden", "no"));
        KubernetesApi once = with(NetworkSettings.DEFAULTS.withErrorBackoffs());
        assertThatThrownBy(() -> once.list(KEX, "ns", 0, object -> {}))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageEndingWith("the missing permission: list kopfexamples.kopf.dev in namespace ns");
    }

    @Test
    @Tag("B01")
    void listsPageByPage() throws Exception {
        transport.answering(
                transportRequest -> transportRequest.path().contains("continue=next")
                        ? json(
                                200,
                                "{'apiVersion':'kopf.dev/v1','items':[{'metadata':{'name':'c'}}],"
                                        + "'kind':'KopfExampleList','metadata':{'resourceVersion':'7'}}")
                        : json(
                                200,
                                "{'kind':'KopfExampleList','apiVersion':'kopf.dev/v1','metadata':"
                                        + "{'resourceVersion':'7','continue':'next'},'items':["
                                        + "{'metadata':{'name':'a'}},{'kind':'Other','apiVersion':'x/v1','metadata':{'name':'b'}}]}"));
        List<String> seen = new ArrayList<>();
        String version = api.list(
                KEX,
                "ns",
                2,
                object -> seen.add(object.path("apiVersion").asString() + " "
                        + object.path("kind").asString() + " "
                        + object.path("metadata").path("name").asString()));
        assertThat(seen).containsExactly("kopf.dev/v1 KopfExample a", "x/v1 Other b", "kopf.dev/v1 KopfExample c");
        assertThat(version).isEqualTo("7");
        assertThat(transport.requests())
                .containsExactly(
                        "GET /apis/kopf.dev/v1/namespaces/ns/kopfexamples?limit=2",
                        "GET /apis/kopf.dev/v1/namespaces/ns/kopfexamples?limit=2&continue=next");
    }

    /** A proxy keeps a body open for minutes, though all of it was sent. */
    @Test
    @Tag("B01")
    void aPageWhoseEndDoesNotComeIsWaitedForBriefly() throws Exception {
        transport
                .leavingListsOpen()
                .answering(request -> json(
                        200,
                        "{'kind':'PodList','apiVersion':'v1','metadata':{'resourceVersion':'7','continue':'"
                                + (request.path().contains("continue=") ? "" : "next")
                                + "'},'items':[{}]}\n"));
        List<String> seen = new ArrayList<>();
        assertThat(api.list(PODS, null, 1, object -> seen.add("item"))).isEqualTo("7");
        assertThat(seen).hasSize(2);
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    @Tag("B01")
    void listsAnewInOnePageWhenPagesBecomeTooOld() throws Exception {
        transport.answering(
                transportRequest -> transportRequest.path().contains("continue")
                        ? status(410, "Expired", "too old")
                        : json(
                                200,
                                transportRequest.path().contains("limit")
                                        ? "{'kind':'PodList','apiVersion':'v1','metadata':{'continue':'next'},'items':[{}]}"
                                        : "{'kind':'PodList','apiVersion':'v1','metadata':{'resourceVersion':'9'},'items':[{},{}]}"));
        List<String> seen = new ArrayList<>();
        String version = api.list(PODS, null, 1, new ListListener() {
            @Override
            public void item(ObjectNode object) {
                seen.add("item");
            }

            @Override
            public void restarted() {
                seen.clear();
            }
        });
        assertThat(version).isEqualTo("9");
        assertThat(seen).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{'items':[{},",
                "{'items':7}",
                "nonsense",
                "{}",
                "{'kind':'Status','metadata':{},'status':'Success'}",
                "{'kind':'APIResourceList','groupVersion':'v1','resources':[{'name':'pods'}]}",
                "{'kind':'AllowList','metadata':{'name':'x','resourceVersion':'3'}}",
                "{'kind':'List','metadata':{}}"
            })
    void brokenListsAreConnectionFailures(String body) {
        transport.answering(transportRequest -> json(200, body));
        assertThatThrownBy(() -> api.list(PODS, null, 0, object -> {})).isInstanceOf(ConnectionFailedException.class);
    }

    /** So aggregated APIs may answer. */
    @Test
    void aListOfTheResourceMayHaveNeitherItemsNorAVersion() throws Exception {
        transport.answering(transportRequest -> json(200, "{'kind':'PodList','metadata':{}}"));
        assertThat(api.list(PODS, null, 0, object -> {})).isEmpty();
    }

    /** They may have secrets, or be the page of somebody else. */
    @ParameterizedTest
    @ValueSource(strings = {"swordfish is the password", "{'items':[{}],'a':swordfish}", "{'a':swordfish,'items':[]}"})
    void damagedListsAreNotQuoted(String body) {
        transport.answering(transportRequest -> json(200, body));
        assertThatThrownBy(() -> api.list(PODS, null, 0, object -> {}))
                .isInstanceOf(ConnectionFailedException.class)
                .satisfies(
                        failure -> assertThat(Throwables.getStackTrace(failure)).doesNotContain("swordfish"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'metadata':{'name':'a'},'data':{'p':swordfish}}", "'swordfish'"})
    void damagedItemsOfListsAreNotQuoted(String item) throws Exception {
        transport.answering(transportRequest ->
                json(200, "{'kind':'PodList','metadata':{'resourceVersion':'3'},'items':[" + item + ",{'a':tru}]}"));
        List<String> reasons = new ArrayList<>();
        api.list(PODS, null, 0, new ListListener() {
            @Override
            public void item(ObjectNode object) {}

            @Override
            public void unreadable(UnreadableObject object) {
                reasons.add(object.reason());
            }
        });
        assertThat(reasons).isNotEmpty().noneMatch(reason -> reason.contains("swordfish"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'items':null", "'kind':'PodList'", "'kind':'List'", "'kind':'PartialObjectMetadataList'"})
    void listOfNothingMayBeNullOrAbsent(String list) throws Exception {
        transport.answering(transportRequest -> json(200, "{" + list + ",'metadata':{'resourceVersion':'3'}}"));
        assertThat(api.list(PODS, null, 0, object -> {})).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'a':tru},{}"})
    void listsThatDoNotTellTheKindOfTheirObjectsHaveThatOfTheResource(String items) throws Exception {
        transport.answering(transportRequest -> json(
                200, "{'kind':null,'apiVersion':null,'metadata':{'resourceVersion':'3'},'items':[" + items + "]}"));
        List<Object> seen = new ArrayList<>();
        assertThat(api.list(PODS, null, 0, seen::add)).isEqualTo("3");
        assertThat(seen).containsExactly(Json.parse("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}"));
    }

    @Test
    void listedObjectsAreReadOneByOne() throws Exception {
        String items = Stream.generate(() -> "{'spec':{'a':[1,{'b':null}]}}")
                .limit(1000)
                .reduce((a, b) -> a + "," + b)
                .get();
        transport.answering(
                transportRequest -> json(200, "{'kind':'PodList','items':[" + items + "],'x':[{}],'metadata':{}}"));
        List<Object> seen = new ArrayList<>();
        api.list(PODS, null, 0, seen::add);
        assertThat(seen)
                .hasSize(1000)
                .allMatch(
                        Json.parse("{\"spec\":{\"a\":[1,{\"b\":null}]},\"kind\":\"Pod\",\"apiVersion\":\"v1\"}")
                                ::equals);
    }
}
