package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.TemporaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Goal: nobody waits for children that are not theirs. Method: a dev cluster in simulated time. */
class ChildListingTest {
    private final ChildrenScenario scenario = new ChildrenScenario();
    private final Logger logger = (Logger) LoggerFactory.getLogger("kopf4j.reactor");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        scenario.close();
    }

    private List<String> lines(Level level) {
        return log.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("The handlers of"))
                .toList();
    }

    @Test
    @Tag("M46")
    void aKindThatCannotBeListedHoldsUpTheHandlersOfItsParentsOnly() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        scenario.refuse("/configmaps");
        scenario.start(operator -> operator.onEvent("websites", "site", context -> {
                    seen.add("site " + context.name() + " "
                            + context.children().live().size());
                    return null;
                })
                .onChild("websites", "configmaps", "page", context -> null)
                .onEvent("secrets", "secret", context -> {
                    seen.add("secret " + context.name());
                    return null;
                }));
        scenario.website("home", "{}");
        scenario.create(
                "/api/v1/namespaces/default/secrets",
                ChildrenScenario.yaml("{apiVersion: v1, kind: Secret, metadata: {name: key}}"));
        scenario.pass(Duration.ofMinutes(10));
        assertThat(seen).containsExactly("secret key");
        assertThat(lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("K4-008: The handlers of websites wait for their children: configmaps")
                .contains("not allowed here", "Allow the operator to list and watch them");
        scenario.refuse("");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(seen).containsExactly("secret key", "site home 0");
        assertThat(lines(Level.INFO)).singleElement().asString().startsWith("The handlers of websites go on");
    }

    @Test
    @Tag("M46")
    void manyObjectsMayBeTheChildrenOfTheirKind() {
        for (int i = 0; i < 30; i++) {
            scenario.website("site" + i, "{}");
        }
        scenario.start(operator -> operator.settings(
                        settings -> settings.queueing().backlogLimit(5))
                .onCreate("websites", "create", context -> {
                    seen.add(context.name());
                    return null;
                })
                .onChild("websites", "websites", "page", context -> null));
        scenario.rest();
        assertThat(seen).hasSize(30);
    }

    @Test
    @Tag("M60")
    void aChangedChildPassesARetry() {
        scenario.start(operator -> operator.settings(
                        settings -> settings.queueing().workerLimit(1))
                .onCreate("websites", "create", context -> {
                    seen.add("create " + context.name() + " " + context.retry());
                    if (context.name().equals("c") && context.retry() == 0) {
                        throw new TemporaryException("not yet", Duration.ofSeconds(10));
                    }
                    return null;
                })
                .onUpdate("websites", "update", context -> {
                    scenario.sleep(Duration.ofSeconds(2));
                    seen.add("update " + context.name());
                    return null;
                })
                .onChild("websites", "configmaps", "page", options -> options.labels("page"), context -> {
                    seen.add("page of " + context.name());
                    return null;
                }));
        scenario.website("a", "{}");
        ObjectNode b = scenario.website("b", "{}");
        scenario.create(
                CONFIG_MAPS,
                ChildrenScenario.yaml(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: page, ownerReferences: [{apiVersion: kopf.dev/v1,"
                                + " kind: Website, name: b, uid: "
                                + b.at("/metadata/uid").asString() + "}]}}"));
        scenario.rest();
        scenario.website("c", "{}");
        scenario.pass(Duration.ofMillis(9500));
        seen.clear();
        scenario.edit(WEBSITES + "/a", "{spec: {text: new}}");
        scenario.pass(Duration.ofMillis(800));
        scenario.edit(CONFIG_MAPS + "/page", "{metadata: {labels: {page: new}}}");
        scenario.pass(Duration.ofSeconds(5));
        assertThat(seen).containsExactly("update a", "page of b", "create c 1");
    }
}
