package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.EVENTS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static dev.kopf4j.e2e.children.ChildrenScenario.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnReconcile;
import dev.kopf4j.OperatorBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Goal: what somebody else has made under the name of a child is theirs. Method: a dev cluster in simulated time. */
class StrangersTest {
    private static final String HOME = CONFIG_MAPS + "/home";
    private static final String PAGE = """
            apiVersion: v1
            kind: ConfigMap
            data: {index: "${spec.text}"}
            """;

    private static final String REPLACEMENT =
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: home}, data: {index: mine}}";

    private final ChildrenScenario scenario = new ChildrenScenario();

    @AfterEach
    void close() {
        scenario.close();
    }

    private static OperatorBuilder pages(OperatorBuilder operator, Consumer<OnReconcile.Options> more) {
        return operator.onReconcile(
                "websites", "pages", options -> more.accept(options.children("configmaps")), context -> PAGE);
    }

    private static OperatorBuilder pages(OperatorBuilder operator) {
        return pages(operator, options -> {});
    }

    private ObjectNode strangers(String metadata, String data) {
        return scenario.create(
                CONFIG_MAPS,
                yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: home" + metadata + "}, data: {" + data
                        + "}}"));
    }

    @ParameterizedTest(name = "with {0}")
    @ValueSource(strings = {"theirs: 'yes'", "index: theirs", "index: hello"})
    void anObjectThatSomebodyElseHasMadeIsLeftAlone(String data) {
        ObjectNode theirs = strangers("", data);
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        assertThat(scenario.condition("home"))
                .startsWith("False ChildExists ConfigMap home: one exists that this operator has not made")
                .contains("adopt = true");
        scenario.delete(WEBSITES + "/home");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
    }

    @Test
    void itIsLeftAloneByForceToo() {
        ObjectNode theirs = strangers("", "index: theirs");
        scenario.start(operator -> pages(operator, OnReconcile.Options::force));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
    }

    @Test
    void theChildComesWhenTheStrangersObjectHasGone() {
        strangers("", "theirs: 'yes'");
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.delete(HOME);
        scenario.pass(Duration.ofMinutes(2));
        assertThat(scenario.get(HOME).at("/data/index").asString()).isEqualTo("hello");
        assertThat(scenario.condition("home")).startsWith("True");
    }

    @Test
    void itIsTakenOverIfTheAuthorSaysSo() {
        String uid = strangers("", "theirs: 'yes'").at("/metadata/uid").asString();
        scenario.start(operator -> pages(operator, OnReconcile.Options::adopt));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        ObjectNode taken = scenario.get(HOME);
        assertThat(taken.at("/metadata/uid").asString()).isEqualTo(uid);
        assertThat(taken.at("/data/index").asString()).isEqualTo("hello");
        assertThat(taken.at("/data/theirs").asString()).isEqualTo("yes");
        assertThat(taken.at("/metadata/ownerReferences/0/kind").asString()).isEqualTo("Website");
    }

    @ParameterizedTest(name = "with adopt: {0}")
    @ValueSource(booleans = {true, false})
    void whatAnotherObjectControlsIsNeverTaken(boolean adopt) {
        String uid = scenario.website("other", "{}").at("/metadata/uid").asString();
        ObjectNode theirs = strangers(
                ", ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: other, uid: " + uid
                        + ", controller: true}]",
                "theirs: 'yes'");
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> {
                    options.children("configmaps").field("spec.text");
                    if (adopt) {
                        options.adopt();
                    }
                },
                context -> PAGE));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        assertThat(scenario.condition("home"))
                .startsWith("False ChildConflict ConfigMap home: one exists that Website other controls");
    }

    @Test
    void whatBelongsToTheParentAlreadyIsItsChild() {
        String uid =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        strangers(
                ", ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: home, uid: " + uid
                        + ", controller: true, blockOwnerDeletion: true}]",
                "theirs: 'yes'");
        scenario.start(StrangersTest::pages);
        scenario.rest();
        assertThat(scenario.get(HOME).at("/data/index").asString()).isEqualTo("hello");
        assertThat(scenario.condition("home")).startsWith("True");
    }

    /** Somebody has taken its owner away, or its parent was deleted by {@code kubectl delete --cascade=orphan}. */
    @ParameterizedTest(name = "parent made anew: {0}")
    @ValueSource(booleans = {true, false})
    void aChildThatHasLostItsOwnerIsTheParentsAgain(boolean parentMadeAnew) {
        scenario.start(StrangersTest::pages);
        String uid =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        scenario.rest();
        String child = scenario.get(HOME).at("/metadata/uid").asString();
        scenario.stop();
        scenario.edit(HOME, "{metadata: {ownerReferences: null}}");
        if (parentMadeAnew) {
            scenario.delete(WEBSITES + "/home");
            uid = scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        }
        scenario.start(StrangersTest::pages);
        scenario.pass(Duration.ofMinutes(1));
        ObjectNode found = scenario.get(HOME);
        assertThat(found.at("/metadata/uid").asString()).isEqualTo(child);
        assertThat(found.at("/metadata/ownerReferences/0/uid").asString()).isEqualTo(uid);
        assertThat(scenario.condition("home")).startsWith("True");
    }

    @Test
    void aChildThatLosesItsOwnerMeanwhileGetsItBack() {
        scenario.start(StrangersTest::pages);
        String uid =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        scenario.rest();
        scenario.edit(HOME, "{metadata: {ownerReferences: null}}");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.get(HOME).at("/metadata/ownerReferences/0/uid").asString())
                .isEqualTo(uid);
        assertThat(scenario.condition("home")).startsWith("True");
    }

    /** All that tells whose it is goes; but it is the very object that the operator has made. */
    @ParameterizedTest(name = "with handlers of its kind: {0}")
    @ValueSource(booleans = {true, false})
    void aChildThatIsReplacedAsAWholeIsTakenBack(boolean wholeKindIsWatched) {
        scenario.start(operator ->
                wholeKindIsWatched ? pages(operator).onEvent("configmaps", "any", context -> null) : pages(operator));
        String parent =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        scenario.rest();
        String child = scenario.get(HOME).at("/metadata/uid").asString();
        for (int times = 0; times < 2; times++) {
            ObjectNode replaced = scenario.replace(HOME, REPLACEMENT);
            assertThat(replaced.at("/metadata").propertyNames()).doesNotContain("labels", "ownerReferences");
            scenario.rest();
            ObjectNode found = scenario.get(HOME);
            assertThat(found.at("/metadata/uid").asString()).isEqualTo(child);
            assertThat(found.at("/metadata/ownerReferences/0/uid").asString()).isEqualTo(parent);
            assertThat(found.at("/data/index").asString()).isEqualTo("hello");
            assertThat(scenario.condition("home")).startsWith("True");
        }
    }

    /** Nobody knows then that it was a child. */
    @Test
    void aChildThatIsReplacedWhileNoOperatorLooksIsSomebodysOwn() {
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.stop();
        ObjectNode theirs = scenario.replace(HOME, REPLACEMENT);
        scenario.start(StrangersTest::pages);
        scenario.rest();
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        assertThat(scenario.condition("home")).startsWith("False ChildExists");
    }

    @Test
    void aChildThatIsReplacedBesideAnotherControllerIsLeftToIt() {
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        String other = scenario.website("other", "{}").at("/metadata/uid").asString();
        scenario.rest();
        ObjectNode theirs = scenario.replace(
                HOME,
                REPLACEMENT.replace(
                        "name: home",
                        "name: home, ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: other, uid: "
                                + other + ", controller: true}]"));
        scenario.rest();
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        assertThat(scenario.condition("home")).startsWith("False ChildConflict");
    }

    /** It has the name of the child, and is another object. */
    @Test
    void whatSomebodyMakesInPlaceOfADeletedChildIsLeftAlone() {
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.delete(HOME);
        ObjectNode theirs = strangers("", "index: mine");
        scenario.pass(Duration.ofMinutes(3));
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        assertThat(scenario.condition("home")).startsWith("False ChildExists");
    }

    /** Goal: a policy that strips children is told, once, and not fought. */
    @ParameterizedTest(name = "of {0}")
    @CsvSource({
        "labels,the label kopf4j.dev/managed-by",
        "annotations,the annotation kopf4j.dev/applied",
        "ownerReferences,the owner"
    })
    void whatIsTakenOffAtAdmissionIsToldOnce(String field, String words) {
        scenario.admit(object -> {
            object.withObject("/metadata").remove(field);
            return object;
        });
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofMinutes(10));
        assertThat(scenario.changes())
                .filteredOn(request -> request.contains("/configmaps/"))
                .hasSizeLessThan(3);
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.pass(Duration.ofMinutes(10));
        assertThat(scenario.changes())
                .filteredOn(request -> request.contains("/configmaps/"))
                .hasSizeLessThan(4);
        assertThat(scenario.get(HOME).at("/data/index").asString()).isEqualTo("changed");
        assertThat(droppedMarks()).singleElement().asString().contains("ConfigMap home: ", "taken off " + words + ",");
        scenario.admit(UnaryOperator.identity());
        scenario.edit(WEBSITES + "/home", "{spec: {text: again}}");
        scenario.rest();
        assertThat(droppedMarks()).hasSize(1);
        assertThat(scenario.condition("home")).startsWith("True");
    }

    @Test
    void whatIsTakenOffOfManyChildrenIsToldOnceForEach() {
        scenario.admit(object -> {
            object.withObject("/metadata").remove("labels");
            return object;
        });
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps"),
                context -> IntStream.range(0, 110)
                        .mapToObj(number -> PAGE.replace(
                                "kind: ConfigMap", "kind: ConfigMap\nmetadata: {name: page-" + number + "}"))
                        .toList()));
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofMinutes(10));
        assertThat(droppedMarks()).hasSize(110);
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.pass(Duration.ofMinutes(10));
        assertThat(droppedMarks()).hasSize(110);
    }

    private List<String> droppedMarks() {
        return scenario.list(EVENTS).stream()
                .filter(event -> event.path("reason").asString().equals("ChildMarksDropped"))
                .map(event -> event.path("message").asString())
                .toList();
    }

    /** The stream is late, so the operator takes the stranger's object for its own child. */
    @Test
    void anObjectThatHasTakenTheChildsPlaceUnseenIsLeftAlone() {
        scenario.start(StrangersTest::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.watches.hold("configmaps");
        scenario.delete(HOME);
        ObjectNode theirs = strangers("", "index: theirs");
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.pass(Duration.ofSeconds(10));
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        scenario.watches.release();
        scenario.pass(Duration.ofMinutes(3));
        assertThat(scenario.get(HOME)).isEqualTo(theirs);
        assertThat(scenario.condition("home")).startsWith("False ChildExists");
    }
}
