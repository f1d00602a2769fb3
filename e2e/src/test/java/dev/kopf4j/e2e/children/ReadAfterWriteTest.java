package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Body;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Kopf;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Store;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goal: handlers find what the operator has just written, in lists of children and in indices, however late the
 * server's events are. Method: a dev cluster in simulated time, whose watches are held back.
 */
class ReadAfterWriteTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ChildrenScenario scenario = new ChildrenScenario();
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        scenario.close();
    }

    private static KubernetesClient client(HandlerContext context) {
        return context.service(KubernetesClient.class);
    }

    private static ConfigMap page(HandlerContext context, String name, String text) {
        ConfigMap page = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withGenerateName(name)
                .addToLabels("page", text)
                .endMetadata()
                .build();
        if (!name.endsWith("-")) {
            page.getMetadata().setName(name);
        }
        Kopf.adopt(page, context.body());
        return client(context).resource(page).create();
    }

    /** One page more if there are not enough. */
    private Object fill(HandlerContext context) {
        int before = context.children().live().size();
        if (before < context.spec().getInt("pages", 0)) {
            page(context, context.name() + "-", "new");
        }
        seen.add(before + " then " + context.children().live().size());
        return null;
    }

    private OperatorBuilder filling(OperatorBuilder operator) {
        Handler fill = this::fill;
        return operator.onEvent("websites", "fill", fill).onChild("websites", "configmaps", "told", context -> {
            seen.add(context.reason() + " " + context.child().meta().labels().get("page"));
            return null;
        });
    }

    @Test
    @Tag("M43")
    void whatAHandlerCreatesIsAmongTheChildrenAtOnceAndNotCreatedTwice() {
        scenario.start(this::filling);
        scenario.watches.hold("configmaps");
        scenario.website("home", "{pages: 2}");
        scenario.rest();
        for (int i = 0; i < 3; i++) {
            scenario.edit(WEBSITES + "/home", "{metadata: {labels: {again: v" + i + "}}}");
            scenario.rest();
        }
        assertThat(seen).containsExactly("0 then 1", "CREATE new", "1 then 2", "CREATE new", "2 then 2", "2 then 2");
        assertThat(pages()).hasSize(2);
        scenario.watches.release();
        scenario.edit(WEBSITES + "/home", "{metadata: {labels: {again: last}}}");
        scenario.rest();
        assertThat(seen).as("nobody is told twice").hasSize(7).endsWith("2 then 2");
        assertThat(pages()).hasSize(2);
    }

    private List<String> pages() {
        return scenario.list(CONFIG_MAPS).stream()
                .map(map -> map.at("/metadata/name").asString())
                .filter(name -> name.startsWith("home"))
                .toList();
    }

    @Test
    @Tag("M43")
    void childrenAreAsTheyWereWrittenAndGoneWhenTheyWereDeleted() {
        scenario.start(operator -> operator.onCreate("websites", "write", context -> {
                    ConfigMap page = page(context, "home-a", "new");
                    seen.add(labels(context));
                    client(context).resource(page).edit(map -> {
                        map.getMetadata().getLabels().put("page", "changed");
                        return map;
                    });
                    seen.add(labels(context));
                    client(context).resource(page).delete();
                    seen.add(labels(context));
                    return null;
                })
                .onTimer(
                        "websites", "later", options -> options.interval(SECOND).initialDelay(SECOND), context -> {
                            seen.add(labels(context));
                            return null;
                        })
                .onChild("websites", "configmaps", "told", context -> null));
        scenario.watches.hold("configmaps");
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(seen).startsWith("[new]", "[changed]", "[]").hasSizeGreaterThan(3);
        scenario.watches.release();
        scenario.rest();
        assertThat(seen.subList(3, seen.size()))
                .as("late events bring nothing back")
                .containsOnly("[]");
    }

    private static String labels(HandlerContext context) {
        return context.children().live().stream()
                .map(child -> child.meta().labels().get("page"))
                .toList()
                .toString();
    }

    private OperatorBuilder indexing(OperatorBuilder operator, Handler handler) {
        return operator.onIndex(
                        "configmaps",
                        "pages",
                        options -> options.labels("page"),
                        context -> Map.of(
                                context.name(), context.body().meta().labels().get("page")))
                .onEvent("configmaps", "look", options -> options.labels("page"), context -> {
                    seen.add("event " + content(context));
                    return null;
                })
                .onCreate("websites", "write", handler);
    }

    private static Map<String, List<String>> content(HandlerContext context) {
        Map<String, List<String>> content = new java.util.TreeMap<>();
        context.<String, String>index("pages")
                .forEach((String key, Store<String> values) -> content.put(key, List.copyOf(values)));
        return content;
    }

    private Object write(HandlerContext context) {
        ConfigMap page = page(context, "home-a", "new");
        page(context, "home-b", "new");
        seen.add(content(context).toString());
        client(context).resource(page).edit(map -> {
            map.getMetadata().getLabels().put("page", "changed");
            return map;
        });
        client(context).configMaps().inNamespace("default").withName("home-b").delete();
        seen.add(content(context).toString());
        return null;
    }

    @Test
    @Tag("M44")
    void whatAHandlerWritesIsInTheIndicesAtOnceAndLateEventsTakeNothingBack() {
        scenario.start(operator -> indexing(operator, this::write));
        scenario.watches.hold("configmaps");
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(seen).containsExactly("{home-a=[new], home-b=[new]}", "{home-a=[changed]}");
        scenario.watches.release();
        scenario.rest();
        assertThat(seen.subList(2, seen.size())).isNotEmpty().containsOnly("event {home-a=[changed]}");
        scenario.edit(CONFIG_MAPS + "/home-a", "{metadata: {labels: {page: later}}}");
        scenario.rest();
        assertThat(seen).as("the stream counts again").endsWith("event {home-a=[later]}");
        scenario.delete(CONFIG_MAPS + "/home-a");
        scenario.rest();
        assertThat(seen).endsWith("event {}");
    }

    @Test
    @Tag("M44")
    void indexFunctionsTakeNoPermitFromTheHandlerThatWaitsForThem() {
        scenario.start(operator ->
                indexing(operator.settings(settings -> settings.execution().maxWorkers(1)), this::write));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(seen).contains("{home-a=[changed]}");
    }

    @Test
    @Tag("M44")
    void aDryRunIsNoWrite() {
        scenario.start(operator -> indexing(operator, context -> {
            ConfigMap page = page(context, "home-a", "new");
            client(context).resource(page).dryRun(true).delete();
            page.getMetadata().setName("home-b");
            page.getMetadata().setResourceVersion(null);
            client(context).resource(page).dryRun(true).create();
            seen.add(content(context).toString());
            return null;
        }));
        scenario.watches.hold("configmaps");
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(seen).containsExactly("{home-a=[new]}");
    }

    @Test
    @Tag("M44")
    @Tag("M43")
    void anAnswerThatComesLaterThanTheEndOfTheObjectBringsNothingBack() {
        scenario.beforeAnswers(request -> {
            if (request.method().equals("POST") && request.path().endsWith("/configmaps")) {
                scenario.delete(CONFIG_MAPS + "/home-a");
                scenario.sleep(Duration.ofSeconds(1));
            }
        });
        scenario.start(operator -> indexing(operator, context -> {
                    page(context, "home-a", "new");
                    seen.add(content(context) + " " + context.children().live().size());
                    return null;
                })
                .onChild("websites", "configmaps", "told", context -> null));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(seen).contains("{} 0");
    }

    @Test
    @Tag("M43")
    @Tag("M44")
    void childrenThatWereAppliedAreThereInTheNextCall() {
        scenario.start(operator -> operator.onIndex(
                        "configmaps",
                        "pages",
                        options -> options.labels("page"),
                        context -> Map.of(
                                context.name(), context.body().meta().labels().get("page")))
                .onReconcile(
                        "websites",
                        "pages",
                        options -> options.children("configmaps").bodies(true),
                        context -> {
                            seen.add(labels(context) + " " + content(context));
                            return Map.of(
                                    "apiVersion", "v1",
                                    "kind", "ConfigMap",
                                    "metadata",
                                            Map.of(
                                                    "labels",
                                                    Map.of(
                                                            "page",
                                                            context.spec().getString("text", ""))));
                        }));
        scenario.watches.hold("configmaps");
        scenario.website("home", "{text: a}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: b}}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: c}}");
        scenario.rest();
        assertThat(seen).containsExactly("[] {}", "[a] {home=[a]}", "[b] {home=[b]}");
    }

    @Test
    @Tag("M43")
    void withoutBodiesNothingIsKeptButTheNames() {
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> {
                    context.children().live().stream().map(Body::toJson).forEach(seen::add);
                    return Map.of("apiVersion", "v1", "kind", "ConfigMap", "data", Map.of("a", "b"));
                }));
        scenario.website("home", "{}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: b}}");
        scenario.rest();
        ObjectNode map = scenario.get(CONFIG_MAPS + "/home");
        assertThat(seen)
                .containsOnly( // twice if the child's event comes before the answer to the request
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"home\",\"uid\":"
                                + map.at("/metadata/uid") + ",\"namespace\":\"default\"}}");
    }

    @Test
    @Tag("M43")
    void whereNoKindIsWatchedForChildrenTheWayOutIsTold() {
        scenario.start(operator -> operator.onCreate("websites", "fn", context -> {
            assertThatThrownBy(() -> context.children().live())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no kind is watched for children of websites")
                    .hasMessageContaining("@OnReconcile(children = ...)");
            assertThatThrownBy(() -> context.children().add("{}"))
                    .hasMessageContaining("is not asked which children there ought to be");
            seen.add("told");
            return null;
        }));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(seen).containsExactly("told");
    }
}
