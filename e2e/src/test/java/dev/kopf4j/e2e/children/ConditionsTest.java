package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Conditions;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Patch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

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

    /** What a daemon was given at the start of an attempt is not what it decides by days later. */
    @Test
    void daemonsSeeNewConditionsAndTellTheGenerationThatTheySee() {
        List<String> seen = new ArrayList<>();
        scenario.start(operator -> operator.onDaemon("websites", "fn", context -> {
            Conditions conditions = context.conditions();
            Patch patch = context.patch();
            if (!context.stopped().await(Duration.ofSeconds(10))) {
                conditions.all().forEach(each -> seen.add(each.type()));
                conditions.set("Reachable", true, "Asked", "");
                patch.status(Map.of("phase", "A"));
            }
            return null;
        }));
        scenario.website("home", "{}");
        scenario.edit(WEBSITES + "/home/status", "{status: {phase: A}}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {size: 2}}");
        scenario.edit(WEBSITES + "/home/status", "{status: {phase: B, conditions: [" + FOREIGN + "]}}");
        scenario.pass(Duration.ofSeconds(20));
        ObjectNode home = scenario.get(WEBSITES + "/home");
        assertThat(seen).containsExactly("Foreign");
        assertThat(home.at("/status/phase").asString()).isEqualTo("A");
        assertThat(home.at("/status/conditions/1/observedGeneration"))
                .isEqualTo(home.at("/metadata/generation"))
                .hasToString("2");
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
