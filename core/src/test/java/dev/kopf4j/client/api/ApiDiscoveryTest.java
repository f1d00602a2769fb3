package dev.kopf4j.client.api;

import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiDiscoveryTest {
    private static final String WIDGETS = "{'resources':["
            + "{'name':'widgets','kind':'Widget','namespaced':true,'shortNames':['wd'],'categories':['all'],"
            + "'verbs':['list','watch']},"
            + "{'name':'widgets/status','kind':'Widget','namespaced':true,'verbs':['patch']},"
            + "{'name':'widgetsets/scale','kind':'Scale','namespaced':true,'verbs':['patch']}]}";
    private static final String AGGREGATED = "{'kind':'APIGroupDiscoveryList','items':[{'metadata':{'name':'acme.com'},"
            + "'versions':["
            + "{'version':'v2','freshness':'Current','resources':[{'resource':'widgets','responseKind':{'kind':'Widget'},"
            + "'scope':'Namespaced','singularResource':'','shortNames':['wd'],'categories':['all'],"
            + "'verbs':['list','watch'],'subresources':[{'subresource':'status'}]}]},"
            + "{'version':'v1','resources':[{'resource':'widgets','responseKind':{'kind':'Widget'},"
            + "'scope':'Cluster','singularResource':'wdgt','verbs':['list']}]}]},"
            + "{'metadata':{'name':'metrics.k8s.io'},'versions':[{'version':'v1','freshness':'Stale'}]}]}";

    private final SimulatedPlatform platform = new SimulatedPlatform(1, ClientExamples.START);
    private final Map<String, TransportResponse> answers = new HashMap<>();
    private final ScriptedTransport transport = new ScriptedTransport(platform)
            .answering(transportRequest ->
                    answers.getOrDefault(transportRequest.path(), status(404, "NotFound", "page not found")));
    private final ApiDiscovery apiDiscovery =
            new KubernetesApi(platform, transport, NetworkSettings.DEFAULTS).apiDiscovery();

    private void serve(String path, String body) {
        answers.put(path, json(200, body));
    }

    private void serveLegacy() {
        serve("/api", "{'kind':'APIVersions','versions':['v1']}");
        serve(
                "/api/v1",
                "{'resources':[{'name':'pods','kind':'Pod','singularName':'pod','namespaced':true,"
                        + "'verbs':['list']},{'name':'pods/log','kind':'Pod','verbs':['get']}]}");
        serve(
                "/apis",
                "{'kind':'APIGroupList','groups':[{'name':'acme.com','versions':[{'version':'v1'},"
                        + "{'version':'v2'}],'preferredVersion':{'version':'v2'}},"
                        + "{'name':'ill.com','versions':[{'version':'v1'}],'preferredVersion':{'version':'v1'}}]}");
        serve("/apis/acme.com/v1", WIDGETS);
        serve("/apis/acme.com/v2", WIDGETS);
    }

    @Test
    @Tag("A01")
    void readsTheListsOfAllVersions() throws Exception {
        serveLegacy();
        assertThat(apiDiscovery.resources())
                .extracting(Resource::toString)
                .containsExactlyInAnyOrder("pods.v1", "widgets.v1.acme.com", "widgets.v2.acme.com");
    }

    @Test
    @Tag("A03")
    void describesResourcesOfLists() throws Exception {
        serveLegacy();
        List<Resource> resources = apiDiscovery.resources();
        Resource widgets = find(resources, "widgets.v2.acme.com");
        assertThat(widgets.kind()).isEqualTo("Widget");
        assertThat(widgets.singular()).isEqualTo("widget");
        assertThat(widgets.shortNames()).containsExactly("wd");
        assertThat(widgets.categories()).containsExactly("all");
        assertThat(widgets.subresources()).containsExactly("status");
        assertThat(widgets.verbs()).containsExactlyInAnyOrder("list", "watch");
        assertThat(widgets.namespaced()).isTrue();
        assertThat(widgets.preferred()).isTrue();
        assertThat(find(resources, "widgets.v1.acme.com").preferred()).isFalse();
        assertThat(find(resources, "pods.v1").preferred()).isTrue();
        assertThat(find(resources, "pods.v1").subresources()).containsExactly("log");
    }

    private static Resource find(List<Resource> resources, String text) {
        return resources.stream()
                .filter(one -> one.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("A01")
    @Tag("A03")
    void readsAggregatedDiscoveryByTwoRequests() throws Exception {
        serve(
                "/api",
                "{'kind':'APIGroupDiscoveryList','items':[{'metadata':{},'versions':[{'version':'v1','resources':"
                        + "[{'resource':'pods','responseKind':{'kind':'Pod'},'scope':'Namespaced'}]}]}]}");
        serve("/apis", AGGREGATED);
        List<Resource> resources = apiDiscovery.resources();
        assertThat(transport.requests()).containsExactly("GET /api", "GET /apis");
        assertThat(transport.calls().getFirst().headers().get("Accept")).contains("as=APIGroupDiscoveryList");
        Resource widgets = find(resources, "widgets.v2.acme.com");
        assertThat(widgets.singular()).isEqualTo("widget");
        assertThat(widgets.subresources()).containsExactly("status");
        assertThat(widgets.shortNames()).containsExactly("wd");
        assertThat(widgets.namespaced()).isTrue();
        assertThat(widgets.preferred()).isTrue();
        Resource old = find(resources, "widgets.v1.acme.com");
        assertThat(old.preferred()).isFalse();
        assertThat(old.namespaced()).isFalse();
        assertThat(old.singular()).isEqualTo("wdgt");
        assertThat(find(resources, "pods.v1").preferred()).isTrue();
    }

    /** In each version "+" for what is preferred; a version without resources does not answer. */
    @ParameterizedTest
    @Tag("A12")
    @CsvSource(textBlock = """
                    v2: widgets; v1: gadgets widgets,              +gadgets.v1 +widgets.v2 widgets.v1
                    v2: widgets; v1: gadgets; v1beta1: gadgets,    +gadgets.v1 +widgets.v2 gadgets.v1beta1
                    v2: ; v1: gadgets,                             gadgets.v1
                    v2: widgets; v1: ; v1beta1: gadgets widgets,   +widgets.v2 gadgets.v1beta1 widgets.v1beta1
                    """)
    void aVersionIsPreferredIfNoneBeforeServesTheResource(String served, String expected) throws Exception {
        for (boolean aggregated : new boolean[] {true, false}) {
            answers.clear();
            List<String> versions = List.of(served.split("; *"));
            serve("/apis", aggregated ? aggregated(versions) : listed(versions));
            assertThat(apiDiscovery.resources(Set.of("acme.com")))
                    .extracting(resource ->
                            (resource.preferred() ? "+" : "") + resource.plural() + "." + resource.version())
                    .as("aggregated %s", aggregated)
                    .containsExactlyInAnyOrder(expected.split(" "));
        }
    }

    private static List<String> resources(String version) {
        return Stream.of(version.replaceAll(".*:", "").split(" "))
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static String aggregated(List<String> versions) {
        return versions.stream()
                .map(each -> "{'version':'" + each.replaceAll(":.*", "") + "','freshness':'"
                        + (resources(each).isEmpty() ? "Stale" : "Current") + "','resources':["
                        + resources(each).stream()
                                .map(one -> "{'resource':'" + one + "'}")
                                .collect(Collectors.joining(","))
                        + "]}")
                .collect(Collectors.joining(
                        ",",
                        "{'kind':'APIGroupDiscoveryList','items':[{'metadata':{'name':'acme.com'},'versions':[",
                        "]}]}"));
    }

    /** The preferred version is the last in the list. */
    private String listed(List<String> versions) {
        List<String> names = new ArrayList<>();
        for (String each : versions) {
            String name = each.replaceAll(":.*", "");
            names.add(name);
            String list = resources(each).stream()
                    .map(one -> "{'name':'" + one + "'}")
                    .collect(Collectors.joining(",", "{'resources':[", "]}"));
            answers.put(
                    "/apis/acme.com/" + name,
                    resources(each).isEmpty() ? status(503, "ServiceUnavailable", "down") : json(200, list));
        }
        String preferred = names.removeFirst();
        names.add(preferred);
        return names.stream()
                .map(each -> "{'version':'" + each + "'}")
                .collect(Collectors.joining(
                        ",",
                        "{'kind':'APIGroupList','groups':[{'name':'acme.com','versions':[",
                        "],'preferredVersion':{'version':'" + preferred + "'}}]}"));
    }

    @Test
    @Tag("A02")
    void asksOnlyForTheGroupsThatAreWanted() throws Exception {
        serveLegacy();
        assertThat(apiDiscovery.resources(Set.of("acme.com"))).hasSize(2);
        assertThat(transport.requests()).containsExactly("GET /apis", "GET /apis/acme.com/v2", "GET /apis/acme.com/v1");
        assertThat(apiDiscovery.resources(Set.of(""))).hasSize(1);
        assertThat(apiDiscovery.resources(Set.of("unknown.com"))).isEmpty();
        serve("/apis", AGGREGATED);
        assertThat(apiDiscovery.resources(Set.of("metrics.k8s.io"))).isEmpty();
        assertThat(apiDiscovery.resources(Set.of("acme.com"))).hasSize(2);
    }

    @Test
    @Tag("A01")
    void groupsThatVanishMeanwhileHaveNoResources() throws Exception {
        serveLegacy();
        answers.remove("/apis/acme.com/v1");
        assertThat(apiDiscovery.scan(Set.of("acme.com")).resources()).hasSize(1);
        assertThat(apiDiscovery.scan(Set.of("acme.com")).unavailable()).isEmpty();
    }

    @Test
    @Tag("L59")
    void groupsThatDoNotAnswerDoNotStopTheOthers() throws Exception {
        serveLegacy();
        answers.put("/apis/ill.com/v1", status(503, "ServiceUnavailable", "no endpoints"));
        ApiDiscovery.DiscoveredResources found = apiDiscovery.scan(null);
        assertThat(found.unavailable()).containsExactly("ill.com");
        assertThat(found.resources()).hasSize(3);
        assertThat(Duration.between(ClientExamples.START, platform.now())).isZero();
        serve("/apis", AGGREGATED);
        assertThat(apiDiscovery.scan(null).unavailable()).containsExactly("metrics.k8s.io");
    }

    /** As kubectl takes it: an API server that runs by itself has no core API. */
    @ParameterizedTest
    @CsvSource({"403, true", "404, true", "401, false", "500, false"})
    void theCoreApiNeedNotBeServed(int code, boolean absent) throws Exception {
        serveLegacy();
        answers.put("/api", status(code, "", "not here"));
        if (absent) {
            assertThat(apiDiscovery.scan(Set.of("", "acme.com")).resources()).hasSize(2);
        } else {
            assertThatExceptionOfType(ClientException.class)
                    .isThrownBy(() -> apiDiscovery.scan(Set.of("", "acme.com")));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 405, 429, 500})
    @Tag("L59")
    void groupsThatRefuseDoNotStopTheOthers(int code) throws Exception {
        serveLegacy();
        answers.put("/apis/ill.com/v1", status(code, "", "not for you"));
        ApiDiscovery.DiscoveredResources found = apiDiscovery.scan(null);
        assertThat(found.unavailable()).containsExactly("ill.com");
        assertThat(found.resources()).hasSize(3);
    }

    @Test
    @Tag("L59")
    void groupsThatAreCutOffDoNotStopTheOthers() throws Exception {
        serveLegacy();
        failing("/apis/ill.com/v1", Integer.MAX_VALUE);
        ApiDiscovery.DiscoveredResources found = apiDiscovery.scan(null);
        assertThat(found.unavailable()).containsExactly("ill.com");
        assertThat(found.resources()).hasSize(3);
    }

    @Test
    @Tag("L59")
    void groupsThatAreCutOffOrOverloadedForAMomentAreFound() throws Exception {
        serveLegacy();
        failing("/apis/acme.com/v1", 2);
        ApiDiscovery.DiscoveredResources found = apiDiscovery.scan(Set.of("acme.com"));
        assertThat(found.unavailable()).isEmpty();
        assertThat(found.resources()).hasSize(2);
    }

    /** The connection is cut for the first requests for a path. */
    private void failing(String path, int times) {
        AtomicInteger left = new AtomicInteger(times);
        transport.answering(request -> {
            if (request.path().equals(path) && left.getAndDecrement() > 0) {
                throw new IOException("cut");
            }
            return answers.getOrDefault(request.path(), status(404, "NotFound", "page not found"));
        });
    }

    @Test
    void takesAggregatedDiscoveryOfOlderServersToo() throws Exception {
        serve("/apis", AGGREGATED);
        apiDiscovery.resources(Set.of("acme.com"));
        assertThat(transport.calls().getFirst().headers().get("Accept"))
                .startsWith("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,")
                .contains(",application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,")
                .endsWith(",application/json");
    }

    @Test
    void tellsTheVersionOfTheServer() throws Exception {
        serve("/version", "{'gitVersion':'v1.33.1+k3s1'}");
        assertThat(apiDiscovery.version().path("gitVersion").asString()).isEqualTo("v1.33.1+k3s1");
    }
}
