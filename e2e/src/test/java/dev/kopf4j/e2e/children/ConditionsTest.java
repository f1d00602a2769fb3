package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: nobody's condition is lost, whoever writes at the same time. Method: a dev cluster in simulated time. */
@Tag("M42")
class ConditionsTest {
    private static final String FOREIGN = "{type: Foreign, status: 'True', reason: R, message: ''}";

    private final ChildrenScenario scenario = new ChildrenScenario();

    @AfterEach
    void close() {
        scenario.close();
    }

    /** Between what the handler sees and what the operator writes. */
    private void somebodyAdds(String condition, HandlerContext context) {
        scenario.edit(WEBSITES + "/" + context.name() + "/status", "{status: {conditions: [" + condition + "]}}");
    }

    private String conditions() {
        StringBuilder all = new StringBuilder();
        scenario.get(WEBSITES + "/home")
                .at("/status/conditions")
                .forEach(each -> all.append(each.path("type").asString())
                        .append(each.path("status").asString())
                        .append(' '));
        return all.toString().strip();
    }

    @Test
    void aHandlersConditionLeavesThoseThatOthersSetMeanwhile() {
        scenario.start(operator -> operator.onCreate("websites", "fn", context -> {
            context.conditions().set("Reachable", true, "Asked", "");
            context.patch().status().set("url", "http://home");
            somebodyAdds(FOREIGN, context);
            return null;
        }));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(conditions()).isEqualTo("ForeignTrue ReachableTrue");
        assertThat(scenario.get(WEBSITES + "/home").at("/status/url").asString())
                .isEqualTo("http://home");
    }

    @Test
    void theConditionOfTheChildrenLeavesThoseThatOthersSetMeanwhile() {
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> {
                    if (!context.body().has("status")) {
                        somebodyAdds(FOREIGN, context);
                    }
                    return Map.of("apiVersion", "v1", "kind", "ConfigMap");
                }));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(conditions()).isEqualTo("ForeignTrue ReadyTrue");
    }

    @Test
    void whatHandlersSayIsWrittenBeforeTheChildrenAndTheirConditionBehindThem() {
        scenario.start(operator -> operator.onCreate("websites", "fn", context -> {
                    context.conditions().set("Reachable", true, "Asked", "");
                    context.patch().status().set("url", "http://home");
                    return null;
                })
                .onReconcile(
                        "websites",
                        "pages",
                        options -> options.children("configmaps"),
                        context -> Map.of("apiVersion", "v1", "kind", "ConfigMap")));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(conditions()).isEqualTo("ReachableTrue ReadyTrue");
        assertThat(scenario.changes())
                .containsExactly(
                        "PATCH " + WEBSITES + "/home/status",
                        "PATCH " + WEBSITES + "/home",
                        "PATCH " + CONFIG_MAPS + "/home",
                        "PATCH " + WEBSITES + "/home/status");
    }
}
