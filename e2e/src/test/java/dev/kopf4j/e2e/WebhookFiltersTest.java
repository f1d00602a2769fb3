package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Filter;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.webhook.WebhookServer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the filters of webhooks let the API server ask, by its selectors and its CEL, is what the same filters let pass
 * for handlers of raw events, which the engine asks itself.
 */
class WebhookFiltersTest {
    private static final String EXAMPLES = "/apis/kopf.dev/v1/namespaces/default/kopfexamples";
    private static final Map<String, Consumer<HandlerOptions<?>>> FILTERS = new LinkedHashMap<>();

    static {
        FILTERS.put("label", h -> h.labels("app=web"));
        FILTERS.put("label-in", h -> h.labels("app in (web, db), !old"));
        FILTERS.put("label-not", h -> h.labels("app != web"));
        FILTERS.put("annotation-present", h -> h.annotations("example.com/mark"));
        FILTERS.put("annotation-absent", h -> h.annotations("!example.com/mark"));
        FILTERS.put("annotation-value", h -> h.annotations("example.com/mark=yes"));
        FILTERS.put("annotation-two", h -> h.annotations("example.com/mark", "note=a \"b\" c"));
        FILTERS.put("field", h -> h.field("spec.size"));
        FILTERS.put("field-present", h -> h.field("spec.size").fieldValue(Filter.PRESENT));
        FILTERS.put("field-absent", h -> h.field("spec.deep.inner").fieldValue(Filter.ABSENT));
        FILTERS.put("field-text", h -> h.field("spec.size").fieldValue("big \"one\""));
        FILTERS.put("field-number", h -> h.field("spec.size").fieldValue(3));
        FILTERS.put("field-true", h -> h.field("spec.size").fieldValue(true));
        FILTERS.put("field-deep", h -> h.field("spec.deep.inner").fieldValue("x"));
        FILTERS.put("callback", h -> h.annotation("example.com/mark", value -> value != null && value.length() == 3));
    }

    private static final Map<String, String> OBJECTS = new LinkedHashMap<>();

    static {
        OBJECTS.put("plain", "{}");
        OBJECTS.put("web", "{'metadata': {'labels': {'app': 'web'}}, 'spec': {'size': 3}}");
        OBJECTS.put("old", "{'metadata': {'labels': {'app': 'db', 'old': ''}}, 'spec': {'size': 'big ~one~'}}");
        OBJECTS.put("db", "{'metadata': {'labels': {'app': 'db'}}, 'spec': {'size': true}}");
        OBJECTS.put("yes", "{'metadata': {'annotations': {'example.com/mark': 'yes'}}, 'spec': {'size': null}}");
        OBJECTS.put("no", "{'metadata': {'annotations': {'example.com/mark': 'no'}}, 'spec': {'deep': 'flat'}}");
        OBJECTS.put(
                "note",
                "{'metadata': {'annotations': {'example.com/mark': '', 'note': 'a ~b~ c'}},"
                        + " 'spec': {'deep': {'inner': 'x'}}}");
        OBJECTS.put("list", "{'spec': {'deep': ['inner'], 'size': 3.5}}");
    }

    private final Set<String> asked = new ConcurrentSkipListSet<>();
    private final Set<String> called = new ConcurrentSkipListSet<>();

    private Operator operator(TestCluster cluster) {
        OperatorBuilder builder = Operator.builder()
                .clusterwide()
                .connection(ConnectionInfo.builder(cluster.cluster().url())
                        .token(cluster.cluster().token())
                        .caData(cluster.cluster().authority())
                        .build())
                .settings(settings ->
                        settings.admission().server(WebhookServer.local()).managed("auto.example.com"))
                .onCreate("kopfexamples", "any", context -> null);
        FILTERS.forEach((id, filter) -> builder.onValidate("kopfexamples", id, filter, context -> {
                    asked.add(id + " of " + context.name());
                    return null;
                })
                .onEvent("kopfexamples", id, filter, context -> {
                    called.add(id + " of " + context.name());
                    return null;
                }));
        return builder.build();
    }

    /** A tilde is a quote within a text. */
    private static String object(String name, String json) {
        ObjectNode object = (ObjectNode)
                JsonMapper.shared().readTree(json.replace('\'', '"').replace("~", "\\\""));
        object.put("apiVersion", "kopf.dev/v1").put("kind", "KopfExample");
        object.withObject("/metadata").put("name", name);
        return object.toString();
    }

    /** The creation of all is recorded: whatever was to be called has been called. */
    private static boolean areHandled(TestCluster cluster) {
        JsonNode items = cluster.get(EXAMPLES).path("items");
        return items.size() == OBJECTS.size()
                && items.valueStream()
                        .allMatch(each -> each.path("metadata")
                                .path("annotations")
                                .has("kopf.zalando.org/last-handled-configuration"));
    }

    @Test
    @Tag("J09")
    @Tag("J04")
    @Tag("L13")
    void theApiServerAsksForTheObjectsThatTheFiltersLetPass() throws InterruptedException {
        try (TestCluster cluster = TestCluster.start(Options.defaults());
                OperatorHandle operator = operator(cluster).start()) {
            assertThat(operator.awaitReady(Kopf4j.PATIENCE)).isTrue();
            OBJECTS.forEach((name, json) -> assertThat(cluster.send("POST", EXAMPLES, object(name, json))
                            .path("kind")
                            .asString(""))
                    .isEqualTo("KopfExample"));
            await().atMost(Kopf4j.PATIENCE).until(() -> areHandled(cluster));
        }
        assertThat(asked).containsExactlyInAnyOrderElementsOf(called);
        for (String id : FILTERS.keySet()) {
            assertThat(asked.stream().filter(each -> each.startsWith(id + " of ")))
                    .as("objects that the filter '%s' lets pass", id)
                    .hasSizeBetween(1, OBJECTS.size() - 1);
        }
    }
}
