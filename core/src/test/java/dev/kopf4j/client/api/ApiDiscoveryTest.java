package dev.kopf4j.client.api;

import static dev.kopf4j.client.transport.ScriptedTransport.json;
import static dev.kopf4j.client.transport.ScriptedTransport.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Resource;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ScriptedTransport;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    @Test
    @Tag("A02")
    void asksOnlyForTheGroupsThatAreWanted() throws Exception {
        serveLegacy();
        assertThat(apiDiscovery.resources(Set.of("acme.com"))).hasSize(2);
        assertThat(transport.requests()).containsExactly("GET /apis", "GET /apis/acme.com/v1", "GET /apis/acme.com/v2");
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
