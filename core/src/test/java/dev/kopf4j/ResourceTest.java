package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L60")
class ResourceTest {
    private static final Map<String, String> NONE = Map.of();
    private static final Resource PODS = resource("", "v1", "pods", true);
    private static final Resource NODES = resource("", "v1", "nodes", false);
    private static final Resource EXAMPLES = resource("kopf.dev", "v1", "kopfexamples", true);

    private static Resource resource(String group, String version, String plural, boolean namespaced) {
        return new Resource(
                group,
                version,
                new Resource.Names(plural, "Kind", "kind", Set.of(), Set.of()),
                Set.of(),
                namespaced,
                true,
                Set.of());
    }

    @Test
    void buildsPathsOfCollectionsObjectsAndSubresources() {
        assertThat(PODS.url(null, null, null, NONE)).isEqualTo("/api/v1/pods");
        assertThat(PODS.url("ns", null, null, NONE)).isEqualTo("/api/v1/namespaces/ns/pods");
        assertThat(PODS.url("ns", "name", null, NONE)).isEqualTo("/api/v1/namespaces/ns/pods/name");
        assertThat(PODS.url("ns", "name", "log", NONE)).isEqualTo("/api/v1/namespaces/ns/pods/name/log");
        assertThat(NODES.url(null, "name", "status", NONE)).isEqualTo("/api/v1/nodes/name/status");
        assertThat(EXAMPLES.url("ns", "name", null, NONE))
                .isEqualTo("/apis/kopf.dev/v1/namespaces/ns/kopfexamples/name");
    }

    @Test
    void encodesTheQueryAndKeepsItsOrder() {
        Map<String, String> params = new LinkedHashMap<>();
        params.put("watch", "true");
        params.put("labelSelector", "a=b,!c d");
        assertThat(EXAMPLES.url(null, null, null, params))
                .isEqualTo("/apis/kopf.dev/v1/kopfexamples?watch=true&labelSelector=a%3Db%2C%21c+d");
    }

    @Test
    void refusesWhatDoesNotFitTogether() {
        assertThatThrownBy(() -> PODS.url("ns", null, "status", NONE)).hasMessageContaining("needs the name");
        assertThatThrownBy(() -> NODES.url("ns", null, null, NONE)).hasMessageContaining("cluster-scoped");
        assertThatThrownBy(() -> PODS.url(null, "name", null, NONE)).hasMessageContaining("without a namespace");
    }

    @Test
    void isIdentifiedByGroupVersionAndPlural() {
        Resource other = new Resource(
                "",
                "v1",
                new Resource.Names("pods", "Pod", "pod", Set.of("po"), Set.of("all")),
                Set.of(),
                false,
                false,
                Set.of("list"));
        assertThat(other).isEqualTo(PODS).hasSameHashCodeAs(PODS).isNotEqualTo(NODES);
    }

    @Test
    void readsAsPluralVersionGroup() {
        assertThat(PODS).hasToString("pods.v1");
        assertThat(EXAMPLES).hasToString("kopfexamples.v1.kopf.dev");
        assertThat(EXAMPLES.apiVersion()).isEqualTo("kopf.dev/v1");
        assertThat(PODS.apiVersion()).isEqualTo("v1");
    }
}
