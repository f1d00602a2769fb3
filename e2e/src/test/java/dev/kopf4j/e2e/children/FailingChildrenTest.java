package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.EVENTS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static dev.kopf4j.e2e.children.ChildrenScenario.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Child;
import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a child that cannot be written holds up neither its parent nor the other children. Method: a dev cluster in
 * simulated time, and a server that refuses.
 */
class FailingChildrenTest {
    private static final String PAGE = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "page-of-${metadata.name}"}
            data: {index: "${spec.text}"}
            """;
    private static final String SECRET = """
            apiVersion: v1
            kind: Secret
            stringData: {text: "${spec.text}"}
            """;

    private final ChildrenScenario scenario = new ChildrenScenario();
    private final List<String> calls = new ArrayList<>();

    @AfterEach
    void close() {
        scenario.close();
    }

    private Handler noting(String what) {
        return context -> {
            calls.add(what + " " + context.name());
            return null;
        };
    }

    private OperatorBuilder site(OperatorBuilder operator) {
        return operator.onCreate("websites", "created", noting("created"))
                .onUpdate("websites", "updated", noting("updated"))
                .onDelete("websites", "deleted", noting("deleted"))
                .onReconcile(
                        "websites",
                        "pages",
                        options -> options.children("configmaps", "secrets"),
                        context -> List.of(PAGE, SECRET));
    }

    private boolean isRecorded(String name, String text) {
        return scenario.get(WEBSITES + "/" + name)
                .at("/metadata/annotations/kopf.zalando.org~1last-handled-configuration")
                .asString("")
                .contains("\"text\":\"" + text + "\"");
    }

    /** Simulated time would stand still if its worker looked at it again and again. */
    @Test
    void aParentInDeletionThatOthersHoldIsNotLookedAtAllTheTime() {
        scenario.failChanges("configmaps", 403);
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> PAGE));
        scenario.create(
                WEBSITES,
                ChildrenScenario.yaml("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: home, finalizers:"
                        + " [example.com/hold]}, spec: {text: hello}}"));
        scenario.rest();
        scenario.delete(WEBSITES + "/home");
        scenario.pass(Duration.ofMinutes(30));
        assertThat(scenario.find(WEBSITES + "/home")).isNotNull();
        assertThat(scenario.changes()).hasSizeLessThan(100);
    }

    @ParameterizedTest(name = "by HTTP {0}")
    @ValueSource(ints = {403, 422, 500, 503})
    void theParentIsHandledAllTheSame(int status) {
        scenario.failChanges("configmaps", status);
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(calls).containsExactly("created home");
        assertThat(isRecorded("home", "hello")).isTrue();
        assertThat(scenario.find("/api/v1/namespaces/default/secrets/home")).isNotNull();
        assertThat(scenario.condition("home")).startsWith("False").contains("ConfigMap page-of-home");

        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.rest();
        assertThat(calls).containsExactly("created home", "updated home");
        assertThat(isRecorded("home", "changed")).isTrue();

        scenario.delete(WEBSITES + "/home");
        scenario.rest();
        assertThat(calls).containsExactly("created home", "updated home", "deleted home");
        assertThat(scenario.find(WEBSITES + "/home")).isNull();
    }

    @Test
    void aNamespacedChildOfAClusterScopedParentHasToNameItsNamespace() {
        try (ChildrenScenario cluster = ChildrenScenario.clusterScoped()) {
            String home = "/apis/kopf.dev/v1/websites/home";
            cluster.start(operator -> operator.onReconcile(
                    "websites",
                    "pages",
                    options -> options.children("configmaps"),
                    context -> List.of(
                            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: \"${spec.text}\"}}",
                            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default}}")));
            cluster.create(
                    "/apis/kopf.dev/v1/websites",
                    yaml("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: home}, spec: {text: \"\"}}"));
            cluster.rest();
            assertThat(cluster.find(CONFIG_MAPS + "/home"))
                    .as("the other one, of the same name")
                    .isNotNull();
            assertThat(cluster.get(home).at("/status/conditions/0/message").asString())
                    .startsWith("ConfigMap home: it needs metadata.namespace");

            cluster.edit(home, "{spec: {text: kube-public}}");
            cluster.rest();
            cluster.edit(home, "{spec: {text: ''}}");
            cluster.rest();
            assertThat(cluster.find("/api/v1/namespaces/kube-public/configmaps/home"))
                    .as("stays, as nobody knows whether it is meant")
                    .isNotNull();
            cluster.edit(home, "{spec: {text: kube-system}}");
            cluster.rest();
            assertThat(cluster.find("/api/v1/namespaces/kube-public/configmaps/home"))
                    .isNull();
            assertThat(cluster.get(home).at("/status/conditions/0/status").asString())
                    .isEqualTo("True");
        }
    }

    @Test
    void aRefusedChildThatIsDeletedIsMadeAnewAtOnce() {
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> PAGE));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.failChanges("configmaps", 422);
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.pass(Duration.ofSeconds(5));
        assertThat(scenario.condition("home")).startsWith("False ChildRefused ConfigMap page-of-home");
        scenario.refuse("");
        scenario.delete(CONFIG_MAPS + "/page-of-home");
        scenario.pass(Duration.ofSeconds(5));
        assertThat(scenario.get(CONFIG_MAPS + "/page-of-home").at("/data/index").asString())
                .isEqualTo("changed");
        assertThat(scenario.condition("home")).startsWith("True ChildrenReady");
    }

    @Test
    void aFilterThatFailsOnceLosesNoChildren() {
        AtomicInteger asked = new AtomicInteger();
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps").when(context -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return true;
                }),
                context -> PAGE));
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.find(CONFIG_MAPS + "/page-of-home")).isNotNull();
    }

    /** It looks at what one of the children does not have. */
    @Test
    void aFilterThatFailsForOneChildHoldsUpNeitherTheOthersNorTheParent() {
        scenario.start(operator -> site(operator)
                .onChild(
                        "websites",
                        "services",
                        "look",
                        options -> options.when(context -> {
                            throw new IllegalStateException("nothing there");
                        }),
                        noting("looked")));
        String uid =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        scenario.create(
                "/api/v1/namespaces/default/services",
                yaml("{apiVersion: v1, kind: Service, metadata: {name: x, ownerReferences: [{apiVersion: kopf.dev/v1,"
                        + " kind: Website, name: home, uid: " + uid + "}]}, spec: {ports: [{port: 80}]}}"));
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.rest();
        assertThat(scenario.get(CONFIG_MAPS + "/page-of-home").at("/data/index").asString())
                .isEqualTo("changed");
        scenario.delete(WEBSITES + "/home");
        scenario.rest();
        assertThat(calls).containsExactly("created home", "updated home", "deleted home");
        assertThat(scenario.find(WEBSITES + "/home")).isNull();
    }

    @Test
    void whatHandlersHaveAchievedIsRecordedBeforeChildrenAreWritten() {
        List<Boolean> recorded = new ArrayList<>();
        scenario.beforeAnswers(request -> {
            if (request.method().equals("PATCH") && request.path().contains("/configmaps/")) {
                recorded.add(isRecorded("home", "hello"));
            }
        });
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(recorded).isNotEmpty().doesNotContain(false);
    }

    @Test
    void aKillWhileAChildFailsRepeatsNothing() {
        scenario.failChanges("configmaps", 500);
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.kill();
        scenario.start(this::site);
        scenario.pass(Duration.ofMinutes(2));
        assertThat(calls).containsExactly("created home");
    }

    @Test
    void aServerInTroubleIsAskedAgainSoon() {
        scenario.failChanges("configmaps", 500);
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.refuse("");
        scenario.pass(Duration.ofSeconds(3));
        assertThat(scenario.get(CONFIG_MAPS + "/page-of-home").at("/data/index").asString())
                .isEqualTo("hello");
        assertThat(scenario.condition("home")).startsWith("True");
        assertThat(scenario.list(EVENTS)).isEmpty();
    }

    @Test
    void troubleThatLastsIsTold() {
        scenario.failChanges("configmaps", 500);
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(scenario.list(EVENTS))
                .extracting(event -> event.path("reason").asString())
                .containsExactly("ChildRefused");
        long attempts = scenario.changes().stream()
                .filter(each -> each.contains("page-of-home"))
                .count();
        assertThat(attempts).as("attempts within five minutes").isBetween(9L, 14L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ports: [{port: 80, nodePort: '${spec.text}'}]} | expected numeric (int or float), got string",
                "{ports: [{port: 80}, {port: 80}]} | duplicate entries for key",
            })
    void aChildOfAWrongTypeIsToldAtOnceThoughServersAnswer500(String spec, String told) {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "services",
                options -> options.children("services"),
                context -> "{apiVersion: v1, kind: Service, spec: " + spec + "}"));
        var _ = scenario.changes();
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(scenario.condition("home")).startsWith("False").contains("ChildRefused", told);
        assertThat(scenario.list(EVENTS))
                .extracting(event -> event.path("reason").asString())
                .containsExactly("ChildRefused");
        assertThat(scenario.changes())
                .filteredOn(each -> each.contains("services/home"))
                .hasSize(1);
    }

    @Test
    void aChildWithManagedFieldsInAVersionThatIsGoneIsToldAtOnceThoughServersAnswer500() {
        scenario.failChanges("configmaps", 500, "request to convert CR to an invalid group/version: example.com/v1");
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(scenario.condition("home"))
                .startsWith("False")
                .contains("ChildRefused", "`kubectl patch KIND NAME --type=merge -p", "managedFields");
    }

    @Test
    void aChangeOfTheParentTriesItsChildrenAtOnce() {
        scenario.failChanges("configmaps", 500);
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofSeconds(40)); // the next attempt is due in a minute or so
        scenario.refuse("");
        scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        scenario.pass(Duration.ofSeconds(2));
        assertThat(scenario.get(CONFIG_MAPS + "/page-of-home").at("/data/index").asString())
                .isEqualTo("changed");
    }

    @Test
    @Tag("M33")
    void aChildThatWaitsForItsRetryIsNotWrittenWheneverAnotherOneChanges() {
        scenario.failChanges("configmaps", 500);
        scenario.start(this::site);
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofSeconds(40)); // the next attempt is due in a minute or so
        var _ = scenario.changes();
        for (int i = 0; i < 6; i++) {
            scenario.edit("/api/v1/namespaces/default/secrets/home", "{stringData: {text: by hand " + i + "}}");
            scenario.pass(Duration.ofSeconds(2));
        }
        List<String> changes = scenario.changes();
        assertThat(changes.stream().filter(each -> each.contains("secrets/home")))
                .as("repairs of the child that somebody changes")
                .hasSizeGreaterThanOrEqualTo(6);
        assertThat(changes.stream().filter(each -> each.contains("page-of-home")))
                .as("attempts to write the child that waits")
                .hasSizeLessThanOrEqualTo(1);
    }

    private static final String DENIED = "admission webhook guard denied the request: still in use";

    /** One refusal, and nothing else happens to the child or its parent. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "403, still in use",
        "404, 404 page not found",
        "409, still in use",
        "409, " + DENIED,
        "500, still in use"
    })
    void aChildWhoseDeletionWasRefusedIsDeletedLater(int status, String message) {
        for (boolean ordered : new boolean[] {true, false}) {
            String name = ordered ? "ordered" : "unwanted";
            scenario.start(operator -> operator.onReconcile(
                    "websites",
                    "pages",
                    options -> (ordered ? options.ordered() : options).children("configmaps"),
                    context -> context.spec().getBoolean("empty", false) ? null : PAGE));
            scenario.website(name, "{text: hello}");
            scenario.rest();
            scenario.failChanges("configmaps", status, message);
            if (ordered) {
                scenario.delete(WEBSITES + "/" + name);
            } else {
                scenario.edit(WEBSITES + "/" + name, "{spec: {empty: true}}");
            }
            scenario.pass(Duration.ofMillis(500));
            boolean mayHaveChanged = status == 409 && !message.equals(DENIED);
            assertThat(scenario.refusals())
                    .as("the newest state is asked for after a conflict")
                    .isEqualTo(mayHaveChanged ? 2 : 1);
            scenario.refuse("");
            scenario.pass(Duration.ofMinutes(2));
            assertThat(scenario.find(CONFIG_MAPS + "/page-of-" + name)).isNull();
            if (ordered) {
                assertThat(scenario.find(WEBSITES + "/" + name)).isNull();
            } else {
                assertThat(scenario.condition(name)).startsWith("True");
            }
            scenario.stop();
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "403, still in use",
        "404, 404 page not found",
        "409, still in use",
        "409, " + DENIED,
        "500, still in use"
    })
    void aChildThatHoldsTheDeletionOfItsParentIsTold(int status, String message) {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps", "secrets").ordered(),
                context -> {
                    Child secret = context.children().add(SECRET);
                    context.children().add(PAGE).after(secret);
                    return null;
                }));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.failChanges("configmaps", status, message);
        scenario.delete(WEBSITES + "/home");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(scenario.list(EVENTS)).singleElement().satisfies(event -> {
            assertThat(event.path("reason").asString()).isEqualTo("ChildRefused");
            assertThat(event.path("count").asInt(1)).isEqualTo(1);
            assertThat(event.path("message").asString())
                    .startsWith("ConfigMap default/page-of-home: it cannot be deleted: ")
                    .contains(message);
        });
        assertThat(scenario.condition("home"))
                .startsWith("False ChildRefused")
                .contains("page-of-home: it cannot be deleted: ", "Secret default/home: it stays until");

        scenario.refuse("");
        scenario.edit(CONFIG_MAPS + "/page-of-home", "{metadata: {finalizers: [example.com/hold]}}");
        scenario.pass(Duration.ofMinutes(2));
        assertThat(scenario.condition("home"))
                .startsWith("False ChildrenNotReady")
                .contains("page-of-home: it is being deleted");
        scenario.edit(CONFIG_MAPS + "/page-of-home", "{metadata: {finalizers: null}}");
        scenario.rest();
        assertThat(scenario.find(WEBSITES + "/home")).isNull();
    }

    /** Not each 409 says that the child is another one by now. */
    @ParameterizedTest(name = "the child is there: {0}")
    @ValueSource(booleans = {true, false})
    void aChildThatAdmissionDeniesByAConflictIsTold(boolean there) {
        scenario.start(this::site);
        if (!there) {
            scenario.failChanges("configmaps", 409, DENIED);
        }
        scenario.website("home", "{text: hello}");
        scenario.rest();
        if (there) {
            scenario.failChanges("configmaps", 409, DENIED);
            scenario.edit(WEBSITES + "/home", "{spec: {text: changed}}");
        }
        scenario.pass(Duration.ofMinutes(5));
        assertThat(scenario.condition("home")).startsWith("False ChildRefused").contains("still in use");
        assertThat(scenario.list(EVENTS))
                .singleElement()
                .satisfies(event -> assertThat(event.path("message").asString()).contains("still in use"));
        assertThat(scenario.refusals()).as("attempts within five minutes").isLessThan(10);
    }

    /** As a server answers if others change the numbers of a quota in that moment. */
    @Test
    void aConflictAboutAChildThatIsNotThereIsTriedAgainSoon() {
        scenario.start(this::site);
        scenario.beforeAnswers(request -> {
            if (scenario.refusals() > 0) {
                scenario.refuse("");
            }
        });
        scenario.failChanges("configmaps", 409, "Operation cannot be fulfilled on resourcequotas 'all'");
        scenario.website("home", "{text: hello}");
        scenario.pass(Duration.ofSeconds(5));
        assertThat(scenario.condition("home")).startsWith("True");
        assertThat(scenario.list(EVENTS)).isEmpty();
    }

    /** The garbage collector takes the children of a namespace that is deleted before their parents. */
    @Test
    void nothingIsMadeAnewInANamespaceThatIsDeleted() {
        String namespace = "/api/v1/namespaces/ending";
        String sites = WEBSITES.replace("default", "ending");
        scenario.create("/api/v1/namespaces", yaml("{apiVersion: v1, kind: Namespace, metadata: {name: ending}}"));
        scenario.start(operator -> site(operator).onDelete("websites", "slowly", context -> {
            scenario.sleep(Duration.ofSeconds(20));
            return null;
        }));
        scenario.create(
                sites, yaml("{apiVersion: kopf.dev/v1, kind: Website, metadata: {name: home}, spec: {text: hello}}"));
        scenario.rest();
        assertThat(scenario.get(namespace + "/configmaps/page-of-home")).isNotNull();
        var _ = scenario.changes();
        scenario.delete(namespace);
        scenario.delete(namespace + "/configmaps/page-of-home");
        scenario.pass(Duration.ofSeconds(25));
        assertThat(scenario.find(namespace)).isNull();
        assertThat(calls).contains("deleted home");
        assertThat(scenario.changes().stream().filter(each -> each.contains("page-of-home")))
                .as("attempts to make a child in the namespace")
                .hasSizeLessThanOrEqualTo(1);
    }
}
