package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.Body;
import dev.kopf4j.Diff;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Memo;
import dev.kopf4j.OnChild;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.TemporaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Goal: handlers of a parent hear of its children. Method: a dev cluster in simulated time. */
class ChildHandlersTest {
    private final ChildrenScenario scenario = new ChildrenScenario();
    private final List<String> calls = new ArrayList<>();

    @AfterEach
    void close() {
        scenario.close();
    }

    private OperatorBuilder watch(OperatorBuilder operator) {
        return watch(operator, options -> {});
    }

    private OperatorBuilder watch(OperatorBuilder operator, Consumer<? super OnChild.Options> options) {
        return operator.onChild("websites", "configmaps", "look", options, this::note);
    }

    private Object note(HandlerContext context) {
        String changed = context.reason() == Reason.UPDATE
                ? " "
                        + context.diff().items().stream()
                                .map(item -> String.join(".", item.field()))
                                .sorted()
                                .toList()
                : "";
        calls.add(context.name() + ": " + context.reason().name().toLowerCase(java.util.Locale.ROOT) + " "
                + context.child().meta().name() + changed);
        return null;
    }

    private List<String> told() {
        List<String> told = List.copyOf(calls);
        calls.clear();
        return told;
    }

    private void child(String name, ObjectNode parent) {
        child(name, parent, "{}");
    }

    private void child(String name, ObjectNode parent, String labels) {
        scenario.create(
                CONFIG_MAPS,
                ChildrenScenario.yaml("{apiVersion: v1, kind: ConfigMap, data: {a: b}, metadata: {name: " + name
                        + ", labels: " + labels
                        + ", ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: "
                        + parent.at("/metadata/name").asString() + ", uid: "
                        + parent.at("/metadata/uid").asString() + "}]}}"));
    }

    @Test
    @Tag("M20")
    @Tag("M21")
    void theParentHearsOfCreationChangeAndDeletionOfChildrenThatOthersHaveMade() {
        scenario.start(this::watch);
        ObjectNode home = scenario.website("home", "{}");
        scenario.website("other", "{}");
        scenario.rest();
        child("mine", home);
        scenario.rest();
        assertThat(told()).containsExactly("home: create mine");
        scenario.edit(CONFIG_MAPS + "/mine", "{data: {a: c}}");
        scenario.rest();
        assertThat(told()).containsExactly("home: update mine [data.a]");
        scenario.delete(CONFIG_MAPS + "/mine");
        scenario.rest();
        assertThat(told()).containsExactly("home: delete mine");
    }

    @Test
    @Tag("M23")
    void afterARestartEachChildIsToldOnceAsResumed() {
        scenario.start(this::watch);
        ObjectNode home = scenario.website("home", "{}");
        child("one", home);
        child("two", home);
        scenario.rest();
        assertThat(told()).hasSize(2);
        scenario.kill();
        scenario.edit(CONFIG_MAPS + "/one", "{data: {a: c}}");
        scenario.start(this::watch);
        assertThat(told()).containsExactlyInAnyOrder("home: resume one", "home: resume two");
        scenario.edit(CONFIG_MAPS + "/two", "{data: {a: c}}");
        scenario.rest();
        assertThat(told()).containsExactly("home: update two [data.a]");
    }

    @Test
    void thatIsToldWithoutADiffAsNobodyKnowsWhatHasChanged() {
        List<String> told = new ArrayList<>();
        scenario.start(operator -> operator.onChild("websites", "configmaps", "look", context -> {
            told.add(context.reason() + " " + context.diff().items().size());
            return null;
        }));
        child("mine", scenario.website("home", "{}"));
        scenario.rest().kill();
        scenario.start(operator -> operator.onChild("websites", "configmaps", "look", context -> {
            told.add(context.reason() + " " + context.diff().items().size());
            return null;
        }));
        assertThat(told).containsExactly("CREATE 1", "RESUME 0");
    }

    @Test
    @Tag("M23")
    void nothingIsStoredAndNothingIsSentForIt() {
        scenario.start(this::watch);
        ObjectNode home = scenario.website("home", "{}");
        child("mine", home);
        scenario.rest();
        scenario.edit(CONFIG_MAPS + "/mine", "{data: {a: c}}");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(told()).hasSize(2);
        assertThat(scenario.changes()).isEmpty();
        assertThat(scenario.get(WEBSITES + "/home").at("/metadata/resourceVersion"))
                .isEqualTo(home.at("/metadata/resourceVersion"));
    }

    @Test
    void changesThatMeanNothingAreNotTold() {
        scenario.start(this::watch);
        child("mine", scenario.website("home", "{}"));
        scenario.rest();
        told();
        scenario.patch(
                CONFIG_MAPS + "/mine?fieldManager=other", "application/merge-patch+json", "{metadata: {labels: null}}");
        scenario.rest();
        assertThat(told()).isEmpty();
    }

    @Test
    @Tag("M21")
    @Tag("M26")
    void childrenAreFoundByALabel() {
        scenario.start(operator -> watch(operator, options -> options.parentLabel("website")));
        scenario.website("home", "{}");
        scenario.create(
                CONFIG_MAPS,
                ChildrenScenario.yaml(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: mine, labels: {website: home}}}"));
        scenario.rest();
        assertThat(told()).containsExactly("home: create mine");
        assertThat(scenario.requests)
                .filteredOn(request -> request.path().contains("/configmaps"))
                .allMatch(request ->
                        request.query().getOrDefault("labelSelector", List.of()).equals(List.of("website")));
    }

    @Test
    @Tag("M21")
    void childrenAreFoundByAFunction() {
        scenario.start(operator -> watch(
                operator,
                options -> options.parent(
                        child -> child.get("data.of", String.class).orElse(null))));
        scenario.website("home", "{}");
        scenario.create(
                CONFIG_MAPS,
                ChildrenScenario.yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: mine}, data: {of: home}}"));
        scenario.rest();
        assertThat(told()).containsExactly("home: create mine");
        scenario.edit(CONFIG_MAPS + "/mine", "{data: {of: nobody}}");
        scenario.rest();
        assertThat(told()).containsExactly("home: delete mine");
    }

    @Test
    void filtersAreAboutTheChild() {
        scenario.start(
                operator -> watch(operator, options -> options.labels("told").field("data.a")));
        ObjectNode home = scenario.website("home", "{}");
        child("mine", home, "{told: 'yes'}");
        child("other", home);
        scenario.rest();
        assertThat(told()).containsExactly("home: create mine");
        scenario.edit(CONFIG_MAPS + "/mine", "{data: {b: c}}");
        scenario.rest();
        assertThat(told()).as("of another field").isEmpty();
        scenario.edit(CONFIG_MAPS + "/mine", "{data: {a: c}}");
        scenario.rest();
        assertThat(told()).containsExactly("home: update mine []");
    }

    @Test
    @Tag("M24")
    void aHandlerThatFailsIsCalledAgainWithTheChildAsItIsThen() {
        List<String> attempts = new ArrayList<>();
        scenario.start(operator -> operator.onChild("websites", "configmaps", "look", context -> {
            attempts.add(context.reason() + " "
                    + context.child().get("data.a", String.class).orElse("") + " " + context.retry());
            if (context.retry() < 2) {
                throw new TemporaryException("not yet", Duration.ofSeconds(10));
            }
            return "seen";
        }));
        child("mine", scenario.website("home", "{}"));
        scenario.pass(Duration.ofSeconds(5));
        scenario.edit(CONFIG_MAPS + "/mine", "{data: {a: c}}");
        scenario.pass(Duration.ofSeconds(30));
        assertThat(attempts).containsExactly("CREATE b 0", "CREATE c 1", "CREATE c 2");
        assertThat(scenario.get(WEBSITES + "/home").at("/status/look").asString())
                .isEqualTo("seen");
    }

    /** The line has the parent as its object, as all lines of its handlers; of its children there are many. */
    @Test
    @Tag("M24")
    void theLogOfAHandlerThatFailsNamesTheChild() {
        Logger logger = (Logger) LoggerFactory.getLogger("kopf4j.objects");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            scenario.start(operator -> operator.onChild("websites", "configmaps", "look", context -> {
                if (context.child().meta().name().equals("odd")) {
                    throw new TemporaryException("it is odd", Duration.ofSeconds(10));
                }
                return null;
            }));
            ObjectNode home = scenario.website("home", "{}");
            child("even", home);
            child("odd", home);
            scenario.pass(Duration.ofSeconds(5));
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage).filter(line -> line.contains("it is odd")))
                .singleElement()
                .asString()
                .contains("the child ConfigMap default/odd", "Handler 'look'");
    }

    /** The one that would hear of the child is called after the one whose filter fails. */
    @Test
    void aFilterThatFailsWithAnErrorHoldsUpNoOtherHandler() {
        scenario.start(operator -> watch(operator.onChild(
                "websites",
                "configmaps",
                "fails",
                options -> options.when(context -> {
                    throw new ServiceConfigurationError("no provider");
                }),
                this::note)));
        child("mine", scenario.website("home", "{}"));
        scenario.rest();
        assertThat(told()).containsExactly("home: create mine");
    }

    @Test
    @Tag("M25")
    void handlersOfTheChildItselfShareItsStream() {
        scenario.start(operator -> watch(operator).onEvent("configmaps", "raw", context -> {
            calls.add("raw " + context.name());
            return null;
        }));
        child("mine", scenario.website("home", "{}"));
        scenario.rest();
        assertThat(calls).contains("raw mine", "home: create mine");
        assertThat(scenario.requests.stream()
                        .filter(request -> request.path().contains("/configmaps")
                                && request.query().containsKey("limit")))
                .hasSize(1);
    }

    @Test
    @Tag("M26")
    void metadataAloneIsAskedForWhereItIsEnough() {
        scenario.start(operator -> watch(operator, options -> options.bodies(false)));
        child("mine", scenario.website("home", "{}"));
        scenario.rest();
        assertThat(told()).containsExactly("home: create mine");
        assertThat(scenario.requests)
                .filteredOn(request -> request.path().contains("/configmaps"))
                .allMatch(request ->
                        String.valueOf(request.headers().get("accept")).contains("PartialObjectMetadata"));
    }

    /** In the style of annotations. */
    static final class Look {
        private final List<String> calls;

        Look(List<String> calls) {
            this.calls = calls;
        }

        record Pages(Map<String, String> data) {}

        @OnChild(parent = "websites", value = "configmaps.v1")
        void look(Pages child, Body body, Diff diff, Reason reason, Memo memo, Patch patch, String name) {
            calls.add(name + " " + body.kind() + " " + reason + " " + child.data() + " "
                    + diff.items().size());
            patch.status().set("pages", child.data().size());
        }
    }

    /** Whoever keeps something by the names of children would lose what he keeps of the new ones. */
    @Test
    void theEndOfAChildIsToldBeforeItsSuccessorOfThatName() {
        scenario.start(operator -> watch(operator).onUpdate("websites", "replace", context -> {
            for (int i = 0; i < 8; i++) {
                scenario.delete(CONFIG_MAPS + "/page-" + i);
                child("page-" + i, scenario.get(WEBSITES + "/home"));
            }
            scenario.sleep(Duration.ofSeconds(5));
            return null;
        }));
        ObjectNode home = scenario.website("home", "{}");
        for (int i = 0; i < 8; i++) {
            child("page-" + i, home);
        }
        scenario.rest();
        told();
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.pass(Duration.ofSeconds(10));
        List<String> told = told();
        assertThat(told).hasSize(16);
        for (int i = 0; i < 8; i++) {
            assertThat(told).containsSubsequence("home: delete page-" + i, "home: create page-" + i);
        }
    }

    /** Filters and types need it. */
    @ParameterizedTest(name = "the child has a successor: {0}")
    @ValueSource(booleans = {true, false})
    void theLastStateOfAChildIsToldThatWasDeletedUnseen(boolean succeeded) {
        scenario.start(operator -> watch(
                        operator, options -> options.labels("told").field("data.a"))
                .onChild("websites", "configmaps", "state", context -> {
                    calls.add(context.reason() + " " + context.child().toMap().get("data"));
                    return null;
                }));
        ObjectNode home = scenario.website("home", "{}");
        child("mine", home, "{told: 'yes'}");
        scenario.rest();
        assertThat(told()).containsExactlyInAnyOrder("home: create mine", "CREATE {a=b}");
        scenario.watches.hold("configmaps");
        scenario.delete(CONFIG_MAPS + "/mine");
        if (succeeded) {
            child("mine", home);
        }
        scenario.compact();
        scenario.watches.cut();
        scenario.pass(Duration.ofMinutes(1));
        assertThat(told()).startsWith("home: delete mine", "DELETE {a=b}");
    }

    @Test
    @Tag("M22")
    void methodsTakeTheChildInTheirOwnType() {
        scenario.start(operator -> operator.handlers(new Look(calls)));
        child("mine", scenario.website("home", "{}"));
        scenario.rest();
        assertThat(calls).containsExactly("home Website CREATE {a=b} 1");
        assertThat(scenario.get(WEBSITES + "/home").at("/status/pages").asInt()).isEqualTo(1);
    }
}
