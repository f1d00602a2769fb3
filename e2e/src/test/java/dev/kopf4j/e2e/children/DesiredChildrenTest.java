package dev.kopf4j.e2e.children;

import static dev.kopf4j.e2e.children.ChildrenScenario.CONFIG_MAPS;
import static dev.kopf4j.e2e.children.ChildrenScenario.DEPLOYMENTS;
import static dev.kopf4j.e2e.children.ChildrenScenario.EVENTS;
import static dev.kopf4j.e2e.children.ChildrenScenario.WEBSITES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Child;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Goal: what a handler says ought to exist comes to exist, and stays. Method: a dev cluster in simulated time. */
class DesiredChildrenTest {
    private static final String PAGE = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {labels: {app: "${metadata.name}"}}
            data: {index: "${spec.text}"}
            """;
    private static final String SERVER = """
            apiVersion: apps/v1
            kind: Deployment
            spec:
              replicas: ${spec.replicas}
              selector: {matchLabels: {app: "${metadata.name}"}}
              template:
                metadata: {labels: {app: "${metadata.name}"}}
                spec:
                  containers:
                    - name: server
                      image: nginx
                      ports: [{containerPort: 80}]
                      resources: {limits: {cpu: 1000m, memory: "1024Mi"}}
            """;

    private final ChildrenScenario scenario = new ChildrenScenario();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        scenario.close();
    }

    private OperatorBuilder pages(OperatorBuilder operator) {
        return pages(operator, options -> {});
    }

    private OperatorBuilder pages(OperatorBuilder operator, Consumer<OnReconcile.Options> more) {
        return operator.onReconcile(
                "websites",
                "pages",
                options -> more.accept(options.children("configmaps", "deployments.v1.apps")),
                context -> {
                    calls.incrementAndGet();
                    return context.spec().has("replicas") ? List.of(PAGE, SERVER) : PAGE;
                });
    }

    private String page(String name) {
        return scenario.get(CONFIG_MAPS + "/" + name).path("data").path("index").asString();
    }

    @Test
    @Tag("M27")
    @Tag("M37")
    void createsWhatIsMissing() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        JsonNode owner = scenario.get(CONFIG_MAPS + "/home")
                .path("metadata")
                .path("ownerReferences")
                .path(0);
        assertThat(owner.path("kind").asString()).isEqualTo("Website");
        assertThat(owner.path("controller").asBoolean()).isTrue();
        assertThat(scenario.condition("home")).startsWith("True ChildrenReady");
    }

    @Test
    @Tag("M28")
    void sendsNothingAndCallsNobodyAtRest() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(scenario.changes())
                .containsExactly("PATCH " + CONFIG_MAPS + "/home", "PATCH " + WEBSITES + "/home/status");
        int first = calls.get();
        assertThat(first).isBetween(1, 2); // once more if the child's event comes before the answer to the request
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.changes()).isEmpty();
        assertThat(calls).hasValue(first);
    }

    @Test
    void writesNothingOnTheParentButTheCondition() {
        scenario.start(this::pages);
        ObjectNode created = scenario.website("home", "{text: hello}");
        scenario.rest();
        ObjectNode now = scenario.get(WEBSITES + "/home");
        assertThat(now.path("metadata").has("annotations")).isFalse();
        assertThat(now.path("metadata").has("finalizers")).isFalse();
        assertThat(now.path("spec")).isEqualTo(created.path("spec"));
    }

    @Test
    @Tag("M28")
    void defaultsOfTheServerAreNoDifference() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello, replicas: 2}");
        scenario.rest();
        JsonNode container = scenario.get(DEPLOYMENTS + "/home").at("/spec/template/spec/containers/0");
        assertThat(container.at("/ports/0/protocol").asString()).isEqualTo("TCP");
        scenario.changes();
        scenario.stop();
        scenario.start(this::pages).pass(Duration.ofMinutes(1));
        assertThat(calls).hasValueGreaterThan(1);
        assertThat(scenario.changes()).isEmpty();
    }

    @Test
    @Tag("M27")
    void changesFollowTheParent() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: bye}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("bye");
    }

    @Test
    @Tag("M29")
    void deletedChildrenComeBack() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.delete(CONFIG_MAPS + "/home");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
    }

    @Test
    @Tag("M29")
    @Tag("M30")
    void changesOfOthersAreUndone() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.edit(CONFIG_MAPS + "/home", "{data: {index: broken, other: mine}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.get(CONFIG_MAPS + "/home")
                        .path("data")
                        .path("other")
                        .asString())
                .isEqualTo("mine");
        scenario.changes();
        scenario.edit(CONFIG_MAPS + "/home", "{data: {other: still mine}, metadata: {labels: {x: y}}}");
        scenario.rest();
        assertThat(scenario.changes()).as("requests for fields of others").isEmpty();
    }

    @Test
    @Tag("M29")
    void removedFieldsLabelsAndOwnersComeBack() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.edit(
                CONFIG_MAPS + "/home",
                "{data: null, metadata: {labels: {app: null, kopf4j.dev/managed-by: null}, ownerReferences: null}}");
        scenario.rest();
        ObjectNode repaired = scenario.get(CONFIG_MAPS + "/home");
        assertThat(page("home")).isEqualTo("hello");
        assertThat(repaired.at("/metadata/labels/app").asString()).isEqualTo("home");
        assertThat(repaired.at("/metadata/ownerReferences")).hasSize(1);
    }

    @Test
    @Tag("M29")
    void whatHappensWhileNoOperatorRunsIsRepaired() {
        scenario.start(this::pages);
        scenario.website("one", "{text: hello}");
        scenario.website("two", "{text: hello}");
        scenario.website("three", "{text: hello}");
        scenario.rest();
        scenario.kill();
        scenario.edit(CONFIG_MAPS + "/one", "{data: {index: broken}}");
        scenario.delete(CONFIG_MAPS + "/two");
        scenario.changes();
        scenario.start(this::pages);
        scenario.rest();
        assertThat(page("one")).isEqualTo("hello");
        assertThat(page("two")).isEqualTo("hello");
        assertThat(scenario.changes()).noneMatch(request -> request.contains("three"));
    }

    /** The condition must not tell a generation that telling it makes outdated. */
    @Test
    void aRestartChangesNothingInParentsWithoutAStatusSubresourceEither() {
        ChildrenScenario plain = ChildrenScenario.withoutStatusSubresource();
        plain.start(this::pages);
        plain.website("one", "{text: hello}");
        plain.rest();
        assertThat(plain.get(WEBSITES + "/one")
                        .at("/status/conditions/0/status")
                        .asString())
                .isEqualTo("True");
        plain.stop();
        plain.changes();
        plain.start(this::pages);
        plain.rest();
        assertThat(plain.changes()).isEmpty();
    }

    @Test
    @Tag("M31")
    void childrenThatAreNotWantedAnyMoreAreDeletedAlsoAfterARestart() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello, replicas: 1}");
        scenario.website("other", "{text: hello, replicas: 1}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {replicas: null}}");
        scenario.rest();
        assertThat(scenario.find(DEPLOYMENTS + "/home")).isNull();
        scenario.kill();
        scenario.edit(WEBSITES + "/other", "{spec: {replicas: null}}");
        scenario.start(this::pages);
        scenario.rest();
        assertThat(scenario.find(DEPLOYMENTS + "/other")).isNull();
        assertThat(page("other")).isEqualTo("hello");
    }

    @Test
    @Tag("M31")
    void foreignObjectsOfTheSameOwnerAreLeftAlone() {
        scenario.start(this::pages);
        String uid =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        scenario.create(
                CONFIG_MAPS,
                ChildrenScenario.yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: mine,"
                        + " ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: home, uid: " + uid
                        + "}]}}"));
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: bye}}");
        scenario.rest();
        assertThat(scenario.find(CONFIG_MAPS + "/mine")).isNotNull();
    }

    /** A handler of children watches all of them, not only those that the operator has made. */
    @Test
    @Tag("M31")
    void foreignObjectsThatAreSeenAreLeftAloneToo() {
        scenario.start(operator -> pages(operator).onChild("websites", "configmaps", "look", context -> null));
        String uid =
                scenario.website("home", "{text: hello}").at("/metadata/uid").asString();
        scenario.create(
                CONFIG_MAPS,
                ChildrenScenario.yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: mine,"
                        + " ownerReferences: [{apiVersion: kopf.dev/v1, kind: Website, name: home, uid: " + uid
                        + "}]}}"));
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{spec: {text: bye}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("bye");
        assertThat(scenario.find(CONFIG_MAPS + "/mine")).isNotNull();
    }

    @Test
    @Tag("M33")
    void aNameThatAnotherParentsChildHasIsToldAndLeftToIt() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps"),
                context -> "{apiVersion: v1, kind: ConfigMap, metadata: {name: shared}, data: {index: " + context.name()
                        + "}}"));
        scenario.website("first", "{}");
        scenario.rest();
        scenario.website("second", "{}");
        scenario.rest();
        assertThat(page("shared")).isEqualTo("first");
        assertThat(scenario.condition("second")).contains("it belongs to another parent");
        assertThat(scenario.condition("first")).startsWith("True ChildrenReady");
    }

    @Test
    @Tag("M33")
    void aClusterScopedChildOfAnObjectInANamespaceIsRefusedInWords() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps", "clusterroles.v1.rbac.authorization.k8s.io"),
                context -> List.of(
                        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: wide}}",
                        PAGE)));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.condition("home"))
                .startsWith("False ChildRefused ClusterRole wide: it is cluster-scoped, and cannot be owned by an");
        assertThat(scenario.changes()).noneMatch(request -> request.contains("clusterroles"));
    }

    @Test
    @Tag("M32")
    void conflictsWithOtherAppliersAreToldAndNotForced() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.apply(
                CONFIG_MAPS + "/home",
                "argocd",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: home}, data: {index: mine, more: more}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("mine");
        assertThat(scenario.condition("home"))
                .startsWith("False ChildConflict ConfigMap home: ")
                .contains("'argocd' (data.index)");
        scenario.pass(Duration.ofSeconds(10));
        assertThat(scenario.list(EVENTS))
                .filteredOn(event -> event.path("reason").asString().equals("ChildConflict"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.at("/involvedObject/kind").asString()).isEqualTo("Website");
                    assertThat(event.path("message").asString())
                            .contains("argocd")
                            .contains("force");
                });
    }

    @Test
    @Tag("M32")
    void forceIsAChoice() {
        scenario.start(operator -> pages(operator, OnReconcile.Options::force));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.apply(
                CONFIG_MAPS + "/home",
                "argocd",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: home}, data: {index: mine, more: more}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.get(CONFIG_MAPS + "/home").at("/data/more").asString())
                .isEqualTo("more");
    }

    @Test
    void aFieldManagerOfAnotherNameTakesTheChildrenByForceForOneVersion() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.stop();
        scenario.start(operator -> pages(renamed(operator), options -> {}));
        scenario.edit(WEBSITES + "/home", "{spec: {text: bye}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.condition("home"))
                .startsWith("False ChildConflict ConfigMap home: ")
                .contains("metadata.labels.kopf4j.dev/managed-by", "children.fieldManager", "force = true")
                .doesNotContain("Leave these fields out");
        scenario.stop();
        scenario.start(operator -> pages(renamed(operator), OnReconcile.Options::force));
        scenario.rest();
        assertThat(page("home")).isEqualTo("bye");
        scenario.stop();
        scenario.start(operator -> pages(renamed(operator), options -> {}));
        scenario.edit(WEBSITES + "/home", "{spec: {text: again}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("again");
        assertThat(scenario.condition("home")).startsWith("True");
    }

    private static OperatorBuilder renamed(OperatorBuilder operator) {
        return operator.settings(settings -> settings.children().fieldManager("renamed"));
    }

    @Test
    @Tag("M33")
    void aChildThatIsRefusedDoesNotHoldUpTheOthers() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps", "services").backoff(Duration.ofSeconds(20)),
                context -> List.of(
                        "{apiVersion: v1, kind: Service, metadata: {name: NOT-VALID}, spec: {ports: [{port: 80}]}}",
                        PAGE,
                        "{apiVersion: v1, kind: Pod, metadata: {name: undeclared}}")));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.condition("home"))
                .startsWith("False Child")
                .contains("Service NOT-VALID")
                .contains("Pod undeclared: its kind (v1) is not watched");
        scenario.changes();
        scenario.pass(Duration.ofSeconds(21));
        assertThat(scenario.changes()).containsExactly("PATCH /api/v1/namespaces/default/services/NOT-VALID");
    }

    @Test
    @Tag("M34")
    void aHandlerThatFailsIsCalledAgainAndDeletesNothing() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.stop();
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> {
                    if (calls.incrementAndGet() < 4) {
                        throw new TemporaryException("not yet", Duration.ofSeconds(30));
                    }
                    return PAGE.replace("${spec.text}", "later");
                }));
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.condition("home")).isEqualTo("False ReconcileFailed Handler 'pages': not yet");
        scenario.pass(Duration.ofSeconds(95));
        assertThat(page("home")).isEqualTo("later");
    }

    @Test
    @Tag("M34")
    void aHandlerThatFailsForGoodWaitsForAChangeOfTheParent() {
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> {
                    calls.incrementAndGet();
                    if (!context.spec().has("text")) {
                        throw new PermanentException("no text");
                    }
                    return PAGE;
                }));
        scenario.website("home", "{}");
        scenario.pass(Duration.ofMinutes(10));
        assertThat(calls).hasValue(1);
        scenario.edit(WEBSITES + "/home", "{spec: {text: hello}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
    }

    @Test
    @Tag("M35")
    @Tag("M36")
    @Tag("M37")
    void laterChildrenWaitUntilEarlierOnesAreReady() {
        scenario.start(operator -> operator.onReconcile(
                "websites", "pages", options -> options.children("configmaps", "deployments.v1.apps"), context -> {
                    Child server = context.children().add(SERVER);
                    context.children().add(PAGE).after(server);
                    return null;
                }));
        scenario.website("home", "{text: hello, replicas: 1}");
        scenario.rest();
        assertThat(scenario.find(CONFIG_MAPS + "/home")).isNull();
        assertThat(scenario.condition("home"))
                .startsWith("False ChildrenNotReady Deployment home: ")
                .contains("ConfigMap home: it waits for Deployment home");
        scenario.edit(
                DEPLOYMENTS + "/home/status",
                "{status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1,"
                        + " availableReplicas: 1}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.condition("home")).startsWith("True");
    }

    @Test
    @Tag("M36")
    void handlersSayThemselvesWhenAChildIsReady() {
        scenario.start(operator -> operator.onReconcile(
                "websites", "pages", options -> options.children("deployments.v1.apps"), context -> {
                    context.children()
                            .add(SERVER)
                            .readyWhen(child -> child.status().getInt("readyReplicas", 0) > 0);
                    return null;
                }));
        scenario.website("home", "{replicas: 5}");
        scenario.rest();
        assertThat(scenario.condition("home")).startsWith("False");
        scenario.edit(DEPLOYMENTS + "/home/status", "{status: {replicas: 1, readyReplicas: 1}}");
        scenario.rest();
        assertThat(scenario.condition("home")).startsWith("True");
        scenario.changes();
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.changes()).isEmpty();
    }

    @Test
    void aTestOfAKindWithoutStateSeesTheWholeChildEachTime() {
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps.v1"), context -> {
                    Child first = context.children()
                            .add(configMap("first"))
                            .readyWhen(child -> child.get("data.token").isPresent());
                    context.children().add(configMap("second")).after(first);
                    return null;
                }));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.condition("home")).startsWith("False");
        assertThat(scenario.find(CONFIG_MAPS + "/second")).isNull();
        scenario.edit(CONFIG_MAPS + "/first", "{data: {token: abc}}");
        scenario.rest();
        assertThat(scenario.find(CONFIG_MAPS + "/second")).isNotNull();
        assertThat(scenario.condition("home")).startsWith("True");
        scenario.changes();
        scenario.edit(CONFIG_MAPS + "/first", "{data: {token: null}}");
        scenario.rest();
        assertThat(scenario.condition("home")).startsWith("False");
    }

    private static Map<String, Object> configMap(String name) {
        return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name));
    }

    @Test
    @Tag("M35")
    void parentsWithoutOrderHaveNoFinalizerAndTheGarbageCollectorTakesTheirChildren() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello, replicas: 1}");
        scenario.rest();
        assertThat(scenario.get(WEBSITES + "/home").at("/metadata/finalizers").isMissingNode())
                .isTrue();
        scenario.delete(WEBSITES + "/home");
        scenario.rest();
        assertThat(scenario.find(CONFIG_MAPS + "/home")).isNull();
        assertThat(scenario.find(DEPLOYMENTS + "/home")).isNull();
    }

    @Test
    @Tag("M35")
    void orderedChildrenAreDeletedBeforeTheParentInReverseOrder() {
        scenario.start(operator -> operator.onReconcile(
                "websites", "pages", options -> options.children("configmaps").ordered(), context -> {
                    Child first = context.children().add(config("first"));
                    Child second = context.children().add(config("second")).after(first);
                    context.children().add(config("third")).after(second);
                    return null;
                }));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.get(WEBSITES + "/home").at("/metadata/finalizers")).hasSize(1);
        scenario.edit(CONFIG_MAPS + "/second", "{metadata: {finalizers: [example.com/hold]}}");
        scenario.rest();
        scenario.delete(WEBSITES + "/home");
        scenario.rest();
        assertThat(scenario.find(CONFIG_MAPS + "/third")).isNull();
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNotNull();
        assertThat(scenario.find(WEBSITES + "/home")).isNotNull();
        scenario.edit(CONFIG_MAPS + "/second", "{metadata: {finalizers: null}}");
        scenario.rest();
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNull();
        assertThat(scenario.find(WEBSITES + "/home")).isNull();
    }

    @Test
    @Tag("M35")
    void orderedChildrenWaitForAHandlerThatCannotSayTheOrderUntilItHasFailedForGood() {
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        scenario.start(operator -> operator.onReconcile(
                "websites", "pages", options -> options.children("configmaps").ordered(), context -> {
                    if (failure.get() != null) {
                        throw failure.get();
                    }
                    Child first = context.children().add(config("first"));
                    context.children().add(config("second")).after(first);
                    return null;
                }));
        scenario.website("home", "{}");
        scenario.rest();
        failure.set(new TemporaryException("the price list is away", Duration.ofSeconds(30)));
        scenario.delete(WEBSITES + "/home");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNotNull();
        assertThat(scenario.find(CONFIG_MAPS + "/second")).isNotNull();
        failure.set(new PermanentException("the price list is gone"));
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNull();
        assertThat(scenario.find(WEBSITES + "/home")).isNull();
    }

    /** The parent is asked for by a PATCH that changes nothing; as long as that fails, nothing is known of it. */
    @Test
    @Tag("M37")
    void aParentThatCannotBeAskedForIsNotHandledAsIfItWereEmpty() {
        List<String> seen = new ArrayList<>();
        scenario.start(operator -> operator.onReconcile(
                        "websites", "pages", options -> options.children("configmaps"), context -> {
                            seen.add(context.spec().toJson());
                            return context.spec().getList("pages").stream()
                                    .map(page -> config(String.valueOf(page)))
                                    .toList();
                        })
                .onUpdate(
                        "websites",
                        "updated",
                        context -> seen.add("update of " + context.spec().toJson())));
        scenario.website("home", "{pages: [first, second]}");
        scenario.rest();
        scenario.failChanges("websites", 500);
        scenario.delete(CONFIG_MAPS + "/first");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(scenario.find(CONFIG_MAPS + "/second")).isNotNull();
        scenario.refuse("");
        scenario.pass(Duration.ofMinutes(15));
        assertThat(seen).containsOnly("{\"pages\":[\"first\",\"second\"]}");
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNotNull();
    }

    /** Somebody wants them to stay, or the deletion is held by somebody else's finalizer, or by the operator's. */
    @ParameterizedTest
    @Tag("M35")
    @ValueSource(strings = {"orphan", "example.com/hold"})
    void childrenWithoutAnOrderAreLeftToTheGarbageCollector(String finalizer) {
        scenario.start(operator -> pages(operator).onDelete("websites", "backup", context -> {
            throw new TemporaryException("not yet", Duration.ofMinutes(10));
        }));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.edit(
                WEBSITES + "/home",
                "{metadata: {finalizers: ['kopf.zalando.org/KopfFinalizerMarker', '" + finalizer + "']}}");
        scenario.rest();
        scenario.changes();
        scenario.delete(WEBSITES + "/home");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.find(CONFIG_MAPS + "/home")).isNotNull();
        assertThat(scenario.changes()).noneMatch(change -> change.startsWith("DELETE"));
    }

    /** {@code kubectl delete --cascade=orphan}. */
    @Test
    @Tag("M35")
    void orderedChildrenStayIfTheParentIsToLeaveItsDependents() {
        scenario.start(operator -> operator.onReconcile(
                "websites", "pages", options -> options.children("configmaps").ordered(), context -> config("first")));
        scenario.website("home", "{}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{metadata: {finalizers: ['kopf.zalando.org/KopfFinalizerMarker', orphan]}}");
        scenario.rest();
        scenario.changes();
        scenario.delete(WEBSITES + "/home");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.changes()).noneMatch(change -> change.startsWith("DELETE"));
    }

    /** The finalizer goes when the children have no owner any more, which their stream may tell later. */
    @Test
    @Tag("M35")
    void orderedChildrenStayAlsoWhenTheGarbageCollectorHasLeftThem() {
        scenario.start(operator -> ordered(operator).onDelete("websites", "backup", context -> {
            throw new TemporaryException("not yet", Duration.ofSeconds(10));
        }));
        scenario.website("home", "{pages: [first]}");
        scenario.rest();
        scenario.watches.hold("configmaps");
        scenario.changes();
        scenario.delete(WEBSITES + "/home?propagationPolicy=Orphan");
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.get(WEBSITES + "/home").at("/metadata/finalizers")).hasSize(1);
        assertThat(scenario.get(CONFIG_MAPS + "/first").at("/metadata/ownerReferences"))
                .isEmpty();
        assertThat(scenario.changes()).noneMatch(change -> change.startsWith("DELETE"));
    }

    /** What streams have not told yet decides, too. */
    @ParameterizedTest(name = "the parent goes: {0}")
    @ValueSource(booleans = {true, false})
    void aChildThatSomebodyHasJustTakenOffItsParentIsNotDeleted(boolean parentGoes) {
        scenario.start(this::ordered);
        scenario.website("home", "{pages: [first]}");
        scenario.rest();
        scenario.watches.hold("configmaps");
        scenario.edit(CONFIG_MAPS + "/first", "{metadata: {ownerReferences: null}}");
        if (parentGoes) {
            scenario.delete(WEBSITES + "/home");
        } else {
            scenario.edit(WEBSITES + "/home", "{spec: {pages: []}}");
        }
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.changes())
                .filteredOn(change -> change.startsWith("DELETE"))
                .hasSize(1);
        scenario.watches.release();
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNotNull();
        assertThat(scenario.find(WEBSITES + "/home") == null).isEqualTo(parentGoes);
    }

    /** Its status, say: the child is the parent's own all the time. */
    @ParameterizedTest(name = "the parent goes: {0}")
    @ValueSource(booleans = {true, false})
    void aChildThatChangesAllTheTimeIsDeletedInTheEnd(boolean parentGoes) {
        AtomicInteger changes = new AtomicInteger();
        scenario.beforeAnswers(request -> {
            boolean read = request.method().equals("PATCH") && request.path().equals(CONFIG_MAPS + "/first");
            if (read && changes.get() > 0) {
                scenario.edit(CONFIG_MAPS + "/first", "{data: {change: '" + changes.getAndDecrement() + "'}}");
            }
        });
        scenario.start(this::ordered);
        scenario.website("home", "{pages: [first]}");
        scenario.rest();
        scenario.watches.hold("configmaps");
        scenario.edit(CONFIG_MAPS + "/first", "{data: {change: first}}");
        changes.set(5);
        scenario.changes();
        if (parentGoes) {
            scenario.delete(WEBSITES + "/home");
        } else {
            scenario.edit(WEBSITES + "/home", "{spec: {pages: []}}");
        }
        scenario.pass(Duration.ofMinutes(1));
        assertThat(scenario.find(CONFIG_MAPS + "/first")).isNull();
        assertThat(scenario.changes())
                .filteredOn(change -> change.startsWith("DELETE"))
                .hasSizeBetween(7, 12);
        scenario.watches.release();
        scenario.rest();
        assertThat(scenario.find(WEBSITES + "/home") == null).isEqualTo(parentGoes);
        assertThat(scenario.list(EVENTS)).isEmpty();
    }

    private OperatorBuilder ordered(OperatorBuilder operator) {
        return operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps").ordered(),
                context -> context.spec().getList("pages").stream()
                        .map(page -> config(String.valueOf(page)))
                        .toList());
    }

    /** What is wrong with a child may be told to everybody who may read the parent. */
    @Test
    void mistakesInAChildAreToldWithoutItsValues() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("secrets").condition("Ready"),
                context -> Map.of("metadata", Map.of("name", "key"), "stringData", Map.of("password", "hunter2"))));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.condition("home"))
                .contains("a child needs apiVersion and kind; key has metadata, stringData");
        assertThat(scenario.get(WEBSITES + "/home").toString()).doesNotContain("hunter2");
    }

    private static Map<String, Object> config(String name) {
        return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name));
    }

    @Test
    void childrenOfParentsThatNoLongerMatchAreLeftAlone() {
        scenario.start(operator -> pages(operator, options -> options.labels("!paused")));
        scenario.website("home", "{text: hello}");
        scenario.rest();
        scenario.edit(WEBSITES + "/home", "{metadata: {labels: {paused: 'yes'}}}");
        scenario.edit(CONFIG_MAPS + "/home", "{data: {index: broken}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("broken");
        scenario.edit(WEBSITES + "/home", "{metadata: {labels: {paused: null}}}");
        scenario.rest();
        assertThat(page("home")).isEqualTo("hello");
    }

    @Test
    @Tag("Q01")
    void childrenOfAPausedParentAreNotRepairedUntilItIsResumed() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        String paused = "{metadata: {annotations: {kopf.zalando.org/paused: %s}}}";
        scenario.edit(WEBSITES + "/home", paused.formatted("'true'"));
        scenario.rest();
        scenario.changes();
        calls.set(0);

        scenario.edit(CONFIG_MAPS + "/home", "{data: {index: broken}}");
        scenario.edit(WEBSITES + "/home", "{spec: {text: bye}}");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(page("home")).isEqualTo("broken");
        scenario.delete(CONFIG_MAPS + "/home");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(scenario.find(CONFIG_MAPS + "/home")).isNull();
        scenario.stop();
        scenario.start(this::pages).pass(Duration.ofMinutes(5));
        assertThat(scenario.find(CONFIG_MAPS + "/home")).isNull();
        assertThat(scenario.changes()).isEmpty();
        assertThat(calls).hasValue(0);

        scenario.edit(WEBSITES + "/home", paused.formatted("null"));
        scenario.rest();
        assertThat(page("home")).isEqualTo("bye");
    }

    @Test
    @Tag("M38")
    void generatedNamesAreTheSameInEachCallAndAfterARestart() {
        Consumer<OperatorBuilder> jobs = operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps"),
                context -> List.of(
                        "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: page-}, data: {n: '1'}}",
                        "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: page-}, data: {n: '2'}}"));
        scenario.start(operator -> {
            jobs.accept(operator);
            return operator;
        });
        scenario.website("home", "{}");
        scenario.rest();
        scenario.kill();
        scenario.start(operator -> {
            jobs.accept(operator);
            return operator;
        });
        scenario.edit(WEBSITES + "/home", "{spec: {a: b}}");
        scenario.rest();
        assertThat(scenario.list(CONFIG_MAPS))
                .filteredOn(map -> map.at("/metadata/name").asString().startsWith("page-"))
                .hasSize(2);
    }

    @Test
    @Tag("M38")
    void generatedNamesStayWhenOtherChildrenComeBeforeThem() {
        scenario.start(operator ->
                operator.onReconcile("websites", "pages", options -> options.children("configmaps"), context -> {
                    List<String> pages = new ArrayList<>();
                    if (context.spec().has("a")) {
                        pages.add("{apiVersion: v1, kind: ConfigMap, metadata: {name: first}}");
                        pages.add("{apiVersion: v1, kind: ConfigMap, metadata: {generateName: other-}}");
                    }
                    pages.add("{apiVersion: v1, kind: ConfigMap, metadata: {generateName: page-}, data: {n: '1'}}");
                    return pages;
                }));
        scenario.website("home", "{}");
        scenario.rest();
        List<String> before = generated();
        assertThat(before).hasSize(1);
        scenario.edit(WEBSITES + "/home", "{spec: {a: b}}");
        scenario.rest();
        assertThat(scenario.list(CONFIG_MAPS)).hasSize(3);
        assertThat(generated()).isEqualTo(before);
    }

    /** As servers cut prefixes, too: names of Services, Pods and Jobs have 63 letters at most. */
    @Test
    void generatedNamesOfParentsWithLongNamesAreNotTooLong() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "services",
                options -> options.children("services"),
                context -> "{apiVersion: v1, kind: Service, metadata: {generateName: '${metadata.name}-'},"
                        + " spec: {ports: [{port: 80}]}}"));
        String parent = "w".repeat(60);
        scenario.website(parent + "-a", "{}");
        scenario.website(parent + "-b", "{}");
        scenario.rest();
        assertThat(scenario.list("/api/v1/namespaces/default/services"))
                .extracting(service -> service.at("/metadata/name").asString())
                .filteredOn(name -> name.startsWith("www"))
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.length() == 63);
    }

    private List<String> generated() {
        return scenario.list(CONFIG_MAPS).stream()
                .filter(map -> map.at("/metadata/name").asString().startsWith("page-"))
                .map(map -> map.at("/metadata/uid").asString())
                .toList();
    }

    @Test
    @Tag("M39")
    void whoChangesAChildBackAgainAndAgainIsNotAnsweredForEver() {
        scenario.start(this::pages);
        scenario.website("home", "{text: hello}");
        scenario.rest();
        for (int i = 0; i < 30; i++) {
            scenario.edit(CONFIG_MAPS + "/home", "{data: {index: broken-" + i + "}}");
            scenario.pass(Duration.ofMillis(200));
        }
        assertThat(scenario.changes().stream().filter(each -> each.contains("configmaps")))
                .as("two for each repair")
                .hasSizeLessThan(25);
        assertThat(scenario.condition("home"))
                .startsWith("False ChildChangedAgain")
                .contains("another operator with the same children.fieldManager, 'kopf4j' (operator.name)");
        scenario.pass(Duration.ofMinutes(2));
        assertThat(page("home")).isEqualTo("hello");
        assertThat(scenario.condition("home")).startsWith("True");
    }

    @Test
    @Tag("M26")
    @Tag("M28")
    void secretsAreComparedWithoutBeingReadAndTextsAreEncoded() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("secrets"),
                context -> "{apiVersion: v1, kind: Secret, stringData: {key: value}}"));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.get("/api/v1/namespaces/default/secrets/home")
                        .at("/data/key")
                        .asString())
                .isEqualTo("dmFsdWU=");
        assertThat(scenario.requests.stream()
                        .filter(request ->
                                request.method().equals("GET") && request.path().contains("/secrets"))
                        .map(request -> String.valueOf(request.headers().get("accept"))))
                .isNotEmpty()
                .allMatch(accept -> accept.contains("PartialObjectMetadata"));
        scenario.changes();
        scenario.stop();
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("secrets"),
                context -> "{apiVersion: v1, kind: Secret, stringData: {key: value}}"));
        scenario.rest();
        assertThat(scenario.changes()).isEmpty();
    }

    /** Without its texts, it would be ready with none of them, or with an empty password. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "stringData: {key: {password: hunter2}}",
                "stringData: {key: [hunter2]}",
                "stringData: [hunter2]",
                "stringData: hunter2",
                "data: hunter2, stringData: {key: hunter2}",
            })
    void aSecretWhoseTextsAreNoneIsRefused(String content) {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("secrets").condition("Ready"),
                context -> "{apiVersion: v1, kind: Secret, %s}".formatted(content)));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.find("/api/v1/namespaces/default/secrets/home")).isNull();
        assertThat(scenario.condition("home")).startsWith("False").contains("Secret home", "ata");
        assertThat(scenario.get(WEBSITES + "/home").toString()).doesNotContain("hunter2");
    }

    @Test
    void aSecretHasScalarsAsTexts() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("secrets"),
                context -> "{apiVersion: v1, kind: Secret, stringData: {key: 7}, data: {other: dmFsdWU=}}"));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.get("/api/v1/namespaces/default/secrets/home").at("/data"))
                .hasToString("{\"key\":\"Nw==\",\"other\":\"dmFsdWU=\"}");
    }

    @Test
    @Tag("M32")
    void childrenOfAnotherParentAreNotTakenAway() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("configmaps"),
                context -> PAGE.replace("metadata: {", "metadata: {name: shared, ")));
        scenario.website("first", "{text: one}");
        scenario.rest();
        scenario.website("second", "{text: two}");
        scenario.pass(Duration.ofMinutes(5));
        assertThat(page("shared")).isEqualTo("one");
        assertThat(scenario.condition("first")).startsWith("True");
        assertThat(scenario.condition("second")).startsWith("False ChildConflict ConfigMap shared: it belongs to");
        scenario.delete(WEBSITES + "/first");
        scenario.pass(Duration.ofMinutes(2));
        assertThat(page("shared")).isEqualTo("two");
        assertThat(scenario.condition("second")).startsWith("True");
    }

    @Test
    @Tag("M27")
    void aParentThatIsCreatedAnewGetsChildrenOfItsOwn() {
        scenario.start(this::pages);
        scenario.website("home", "{text: one}");
        scenario.rest();
        scenario.delete(WEBSITES + "/home");
        scenario.website("home", "{text: two}");
        scenario.pass(Duration.ofSeconds(5));
        assertThat(page("home")).isEqualTo("two");
        assertThat(scenario.condition("home")).startsWith("True");
    }

    @Test
    @Tag("M33")
    void clusterScopedChildrenOfParentsInNamespacesAreRefused() {
        scenario.start(operator -> operator.onReconcile(
                "websites",
                "pages",
                options -> options.children("namespaces"),
                context -> "{apiVersion: v1, kind: Namespace, metadata: {name: mine}}"));
        scenario.website("home", "{}");
        scenario.rest();
        assertThat(scenario.condition("home")).startsWith("False ChildRefused Namespace mine: it is cluster-scoped");
        assertThat(scenario.find("/api/v1/namespaces/mine")).isNull();
    }
}
