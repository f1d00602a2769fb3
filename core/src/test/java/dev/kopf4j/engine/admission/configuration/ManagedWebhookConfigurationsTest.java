package dev.kopf4j.engine.admission.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.Handler;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorState;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.Spec;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link ManagedWebhookConfigurations}: when a running operator writes which webhooks. */
class ManagedWebhookConfigurationsTest extends ManagedWebhooksScenario {

    /** Kubernetes kills a process that takes long to end. */
    @Test
    void anOperatorThatMayNotTakeItsWebhooksBackEndsSoon() {
        OperatorHandle operator = start(ManagedWebhooksScenario::simple);
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.method().equals("PATCH") && request.path().contains("webhookconfigurations")
                        ? new TransportResponse(403, Map.of(), new byte[0])
                        : null;
            }
        });
        operator.stop();
        world.runFor(Duration.ofSeconds(10));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    @Test
    @Tag("J09")
    @Tag("J12")
    void eachHandlerHasAWebhookInTheConfigurationOfItsKind() {
        start(ManagedWebhooksScenario::simple);
        assertThat(webhooks(VALIDATING)).hasSize(1);
        assertThat(webhooks(VALIDATING).get(0)).isEqualTo(Scenario.json("""
                {'name': 'check.auto.kopf.dev', 'sideEffects': 'None', 'failurePolicy': 'Fail', 'matchPolicy': 'Equivalent',
                 'rules': [{'apiGroups': ['kopf.dev'], 'apiVersions': ['v1'], 'resources': ['kopfexamples'], 'operations': ['*'], 'scope': '*'}],
                 'clientConfig': {'url': 'https://host:9443/hooks/check', 'caBundle': 'UEVN'},
                 'timeoutSeconds': 30, 'admissionReviewVersions': ['v1', 'v1beta1']}"""));
        assertThat(webhooks(MUTATING).get(0).path("name").asString()).isEqualTo("fill.auto.kopf.dev");
    }

    @Test
    @Tag("J09")
    @Tag("J03")
    @Tag("J12")
    @Tag("L13")
    @Tag("L39")
    void theOptionsOfAHandlerAreThoseOfItsWebhook() {
        address = WebhookClientConfig.service("ns", "hooks", 443);
        start(builder -> builder.onMutate(
                "kopfexamples",
                "Fill_ü<x>",
                h -> h.operations(AdmissionOperation.CREATE, AdmissionOperation.UPDATE)
                        .subresource("status")
                        .sideEffects()
                        .ignoreFailures()
                        .timeoutSeconds(3)
                        .labels("app in (b, a), tier != x, ready, !old")
                        .label("size", value -> true)
                        .namespaceSelector("team")
                        .matchPolicy(MatchPolicy.EXACT)
                        .reinvocationPolicy(ReinvocationPolicy.IF_NEEDED)
                        .field("spec.size"),
                context -> null));
        assertThat(webhooks(MUTATING).get(0)).isEqualTo(Scenario.json("""
                {'name': 'fill-c3bc3cx3e.spec.size.auto.kopf.dev', 'sideEffects': 'NoneOnDryRun', 'failurePolicy': 'Ignore', 'matchPolicy': 'Exact',
                 'rules': [{'apiGroups': ['kopf.dev'], 'apiVersions': ['v1'], 'resources': ['kopfexamples/status'], 'operations': ['CREATE', 'UPDATE'], 'scope': '*'}],
                 'objectSelector': {'matchExpressions': [{'key': 'app', 'operator': 'In', 'values': ['a', 'b']},
                  {'key': 'tier', 'operator': 'NotIn', 'values': ['x']}, {'key': 'ready', 'operator': 'Exists'}, {'key': 'old', 'operator': 'DoesNotExist'}]},
                 'namespaceSelector': {'matchExpressions': [{'key': 'team', 'operator': 'Exists'}]},
                 'matchConditions': [{'name': 'field', 'expression': '%s'}],
                 'clientConfig': {'service': {'namespace': 'ns', 'name': 'hooks', 'path': '/fill-c3bc3cx3e/spec.size', 'port': 443}},
                 'timeoutSeconds': 3, 'reinvocationPolicy': 'IfNeeded', 'admissionReviewVersions': ['v1', 'v1beta1']}""".formatted(
                        """
                'spec' in BODY && type(BODY['spec']) == map && 'size' in BODY['spec']""".replace("'", "\\\"").replace("BODY", "(object != null ? object : oldObject)"))));
    }

    @Test
    @Tag("J03")
    @Tag("J09")
    void allSubresourcesAreAskedAboutWithTheObjectItself() {
        start(builder -> builder.onValidate("kopfexamples", "check", h -> h.subresource("*"), context -> null));
        assertThat(webhooks(VALIDATING).at("/0/rules/0"))
                .isEqualTo(Scenario.json("{'apiGroups': ['kopf.dev'], 'apiVersions': ['v1'],"
                        + " 'resources': ['kopfexamples/*', 'kopfexamples'], 'operations': ['*'], 'scope': '*'}"));
    }

    /** Of an operator that was killed, and has lost a handler since. */
    @Test
    @Tag("J10")
    void webhooksThatWereLeftBehindGo() {
        OperatorHandle operator = start(
                builder -> simple(builder).onValidate("kopfexamples", "extra", h -> h.persistent(), context -> null));
        operator.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(webhooks(VALIDATING))
                .extracting(each -> each.path("name").asString(""))
                .containsExactly("extra.auto.kopf.dev");
        start(builder -> builder.onMutate("kopfexamples", "fill", context -> null));
        assertThat(webhooks(VALIDATING)).isEmpty();
    }

    private OperatorHandle startWithoutHandlers(UnaryOperator<OperatorBuilder> more) {
        return start(builder -> more.apply(builder.onEvent("kopfexamples", "see", context -> null)));
    }

    /** Nobody answers for them: each request would be refused, the operator's own ones, too. */
    @Test
    @Tag("J10")
    void anOperatorWithoutItsLastHandlerTakesItsWebhooksAway() {
        stop(startShared());
        assertThat(webhooks(VALIDATING)).hasSize(1);
        assertThat(webhooks(MUTATING)).hasSize(1);
        startWithoutHandlers(builder -> builder);
        assertThat(webhooks(VALIDATING)).isEmpty();
        assertThat(webhooks(MUTATING)).isEmpty();
        int before = writes().size();
        world.runFor(Duration.ofMinutes(15));
        assertThat(writes()).hasSize(before);
    }

    @Test
    @Tag("J10")
    void whatAnOldReplicaHasWrittenBackIsTakenAwayOnceItIsGone() {
        OperatorHandle old = startShared();
        startWithoutHandlers(builder -> builder);
        assertThat(webhooks(VALIDATING)).isEmpty();
        world.runFor(Duration.ofSeconds(70));
        assertThat(webhooks(VALIDATING)).as("the old replica's look").hasSize(1);
        stop(old);
        world.runFor(Duration.ofMinutes(2));
        assertThat(webhooks(VALIDATING)).isEmpty();
    }

    @Test
    @Tag("J10")
    void webhooksOfOtherNamesStayAndNothingIsMadeWithoutHandlers() {
        cluster.put(VALIDATING, null, "auto.kopf.dev", """
                {'webhooks': [{'name': 'check.auto.kopf.dev'}, {'name': 'mine.example.com'}]}""");
        startWithoutHandlers(builder -> builder);
        assertThat(webhooks(VALIDATING))
                .extracting(each -> each.path("name").asString(""))
                .containsExactly("mine.example.com");
        assertThat(writes()).containsExactly("PATCH validating");
    }

    /** A test in a namespace of its own, or somebody's part of an operator, has the name of the whole. */
    @ParameterizedTest
    @ValueSource(strings = {"team-a", "team-*", "!team-b"})
    @Tag("J10")
    void anOperatorOfSomeNamespacesOnlyTellsOfWebhooksThatItDoesNotServe(String namespaces) {
        cluster.put(VALIDATING, null, "auto.kopf.dev", "{'webhooks': [{'name': 'check.auto.kopf.dev'}]}");
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            startWithoutHandlers(builder -> builder.namespaces(namespaces));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("kubectl delete validatingwebhookconfiguration auto.kopf.dev");
        }
        assertThat(webhooks(VALIDATING)).hasSize(1);
        assertThat(writes()).isEmpty();
    }

    @Test
    @Tag("J10")
    void webhooksThatMayOnlyBeToldAreLookedForAgainAfterAnError() {
        cluster.put(VALIDATING, null, "auto.kopf.dev", "{'webhooks': [{'name': 'check.auto.kopf.dev'}]}");
        AtomicBoolean failing = new AtomicBoolean(true);
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return failing.get() && request.path().contains("webhookconfigurations")
                        ? TinyCluster.status(500, "InternalError", "no etcd")
                        : null;
            }
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            startWithoutHandlers(builder -> builder.namespaces("team-a"));
            world.runFor(Duration.ofMinutes(1));
            assertThat(log.lines(Level.WARN)).isEmpty();
            failing.set(false);
            world.runFor(Duration.ofMinutes(15));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("kubectl delete validatingwebhookconfiguration auto.kopf.dev");
        }
    }

    /** What it may not take away, may be another's, and not be there at all. */
    @ParameterizedTest
    @ValueSource(strings = {"", "team-a"})
    @Tag("J10")
    void anOperatorWithoutHandlersGoesOnWithoutRights(String namespaces) {
        cluster.put(VALIDATING, null, "auto.kopf.dev", "{'webhooks': [{'name': 'check.auto.kopf.dev'}]}");
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains("webhookconfigurations")
                        ? TinyCluster.status(403, "Forbidden", "no")
                        : null;
            }
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            OperatorHandle operator =
                    startWithoutHandlers(builder -> namespaces.isEmpty() ? builder : builder.namespaces(namespaces));
            assertThat(log.lines(Level.WARN))
                    .hasSize(namespaces.isEmpty() ? 2 : 0)
                    .allMatch(line -> line.contains("get and patch are missing"));
            assertThat(operator.state()).isNotEqualTo(OperatorState.STARTING);
            assertThat(operator.hasEnded()).isFalse();
        }
    }

    @Test
    @Tag("J10")
    void theyAreWrittenAnewWhenTheAddressOrTheResourcesChangeAndNotIfNothingDoes() {
        cluster.serving("kopf.dev", "others", "Other", true).stopServing("others");
        start(builder -> builder.onValidate(
                ResourceSelector.matching(r -> r.group().equals("kopf.dev")), "check", context -> null));
        assertThat(writes()).containsExactly("POST validating", "PATCH validating", "POST mutating");

        publisher.accept(WebhookClientConfig.url("https://other:9443"));
        world.runFor(Duration.ofSeconds(5));
        assertThat(webhooks(VALIDATING).at("/0/clientConfig"))
                .isEqualTo(Scenario.json("{'url': 'https://other:9443/check'}"));

        cluster.serving("kopf.dev", "others", "Other", true);
        cluster.put("customresourcedefinitions", null, "others.kopf.dev", OTHERS);
        world.runFor(Duration.ofSeconds(10));
        assertThat(webhooks(VALIDATING).at("/0/rules")).hasSize(2);

        int before = writes().size();
        publisher.accept(WebhookClientConfig.url("https://other:9443"));
        world.runFor(Duration.ofSeconds(5));
        assertThat(writes()).hasSize(before);
    }

    @Test
    @Tag("J10")
    void aRestartedOperatorWritesNothingThatStandsThereAlready() {
        OperatorHandle first = start(
                builder -> simple(builder).settings(s -> s.leaderElection().enabled(true)));
        first.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(first.hasEnded()).isTrue();
        start(builder -> simple(builder).settings(s -> s.leaderElection().enabled(true)));
        assertThat(writes()).filteredOn(write -> write.startsWith("PATCH")).hasSize(2);
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    /**
     * The operator does not know the objects of others, and is not to judge them, nor to hold them up when it is down.
     */
    @ParameterizedTest
    @Tag("J09")
    @CsvSource(
            delimiter = '|',
            value = {
                "team-b team-a | pods                  | -              | kubernetes.io/metadata.name=team-a,team-b",
                "team-a        | pods                  | team           | team= kubernetes.io/metadata.name=team-a",
                "team-a        | pods                  | kubernetes.io/metadata.name!=x | kubernetes.io/metadata.name=x",
                "team-a        | pods nodes            | -              | kubernetes.io/metadata.name=team-a",
                "team-a        | nodes                 | -              | -",
                "team-a        | namespaces            | -              | -",
                "team-a        | pods namespaces       | -              | -",
                "team-* team-a | pods                  | -              | -",
                "-             | pods                  | -              | -"
            })
    void anOperatorOfSomeNamespacesIsAskedAboutTheirObjects(
            String names, String resources, String selector, String expected) {
        cluster.serving("", "pods", "Pod", true)
                .serving("", "nodes", "Node", false)
                .serving("", "namespaces", "Namespace", false);
        List<String> asked = List.of(resources.split(" ", -1));
        start(builder -> (names.equals("-") ? builder : builder.namespaces(names.split(" ", -1)))
                .onValidate(
                        ResourceSelector.matching(resource -> asked.contains(resource.plural())),
                        "check",
                        h -> h.namespaceSelector(selector.equals("-") ? new String[0] : new String[] {selector}),
                        context -> null));
        assertThat(webhooks(VALIDATING)).hasSize(1);
        String expressions = webhooks(VALIDATING)
                .at("/0/namespaceSelector/matchExpressions")
                .valueStream()
                .map(each -> each.path("key").asString("") + "="
                        + each.path("values")
                                .valueStream()
                                .map(value -> value.asString(""))
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(" "));
        assertThat(expressions).isEqualTo(expected.equals("-") ? "" : expected);
    }

    @ParameterizedTest
    @Tag("J09")
    @CsvSource({
        "kopfexamples, tier=a, check, check--validate, check--mutate",
        "kopfexamples, tier=a, fill,  check,           fill",
        "others,       '',     check, check,           check"
    })
    void whereFiltersChooseBetweenTwoKindsOfOneIdTheAddressHasTheKind(
            String resource, String labels, String id, String validating, String mutating) {
        cluster.serving("kopf.dev", "others", "Other", true);
        Handler both = context -> null;
        String[] selector = labels.isEmpty() ? new String[0] : new String[] {labels};
        start(builder -> builder.onValidate("kopfexamples", "check", h -> h.labels("tier=b"), both)
                .onMutate(resource, id, h -> h.labels(selector), both));
        assertThat(webhooks(VALIDATING).at("/0/clientConfig/url").asString()).endsWith("/hooks/" + validating);
        assertThat(webhooks(MUTATING).at("/0/clientConfig/url").asString()).endsWith("/hooks/" + mutating);
        assertThat(webhooks(MUTATING).at("/0/name").asString()).isEqualTo(id + ".auto.kopf.dev");
    }

    /** The next start serves it before it writes anything. */
    @Test
    @Tag("J09")
    void aPersistentWebhookKeepsTheAddressWithTheKind() {
        Handler both = context -> null;
        stop(start(builder -> builder.onValidate(
                        "kopfexamples", "check", h -> h.labels("tier=b").persistent(), both)
                .onMutate("kopfexamples", "check", h -> h.labels("tier=a"), both)));
        assertThat(webhooks(VALIDATING).at("/0/clientConfig/url").asString()).endsWith("/hooks/check--validate");
        assertThat(webhooks(MUTATING)).isEmpty();
    }

    /** As two annotations of one method do. */
    @Test
    @Tag("J09")
    void handlersOfOneIdShareAWebhookWithTheRulesOfAll() {
        cluster.serving("kopf.dev", "others", "Other", true);
        Handler check = context -> null;
        start(builder -> builder.onValidate(
                        "kopfexamples", "check", h -> h.operations(AdmissionOperation.CREATE), check)
                .onValidate("others", "check", h -> h.persistent(), check)
                .onValidate("others", "check", check));
        assertThat(webhooks(VALIDATING)).hasSize(1);
        assertThat(webhooks(VALIDATING).at("/0/rules"))
                .extracting(rule -> rule.at("/resources/0").asString() + " "
                        + rule.at("/operations/0").asString())
                .containsExactly("kopfexamples CREATE", "others *");
    }

    @Test
    @Tag("J09")
    void handlersOfOneIdWithOtherOptionsAreRefused() {
        OperatorHandle operator = start(builder -> builder.onValidate("kopfexamples", "check", context -> null)
                .onValidate("others", "check", h -> h.labels("a=b"), context -> null));
        assertThat(operator.hasEnded()).isTrue();
        assertThatThrownBy(operator::join)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("@OnValidate handlers with the id 'check'")
                .hasMessageContaining("'check.auto.kopf.dev'")
                .hasMessageContaining("Give one of them another id");
        assertThat(writes()).isEmpty();
    }

    /** Servers store no empty list of rules, so that it looked as if somebody had changed it. */
    @Test
    @Tag("J09")
    void aHandlerWhoseResourceIsNotServedHasNoWebhookAndCostsNoWrites() {
        start(builder -> simple(builder).onValidate("others.kopf.dev", "later", context -> null));
        assertThat(webhooks(VALIDATING))
                .extracting(each -> each.path("name").asString(""))
                .containsExactly("check.auto.kopf.dev");
        int before = writes().size();
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            world.runFor(Duration.ofMinutes(10));
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
        assertThat(writes()).hasSize(before);
    }

    @Test
    @Tag("J11")
    void whatWasNeverWrittenIsNotTakenBack() {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.method().equals("PATCH") && request.path().contains("webhookconfigurations")
                        ? TinyCluster.status(422, "Invalid", "no")
                        : null;
            }
        });
        OperatorHandle operator = start(ManagedWebhooksScenario::simple);
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            operator.stop();
            world.runFor(Duration.ofSeconds(20));
            assertThat(log.lines(Level.INFO)).noneMatch(line -> line.contains("somebody else"));
        }
    }

    /** Otherwise a check that is for all objects by now would still be asked about some. */
    @Test
    @Tag("J10")
    void anOptionThatIsTakenOutGoesFromTheStoredWebhooks() {
        UnaryOperator<OperatorBuilder> leading =
                builder -> builder.settings(s -> s.leaderElection().enabled(true));
        OperatorHandle first = start(builder -> leading.apply(builder)
                .onValidate("kopfexamples", "check", h -> h.labels("team=a"), context -> null)
                .onMutate(
                        "kopfexamples",
                        "fill",
                        h -> h.annotations("fill")
                                .namespaceSelector("team")
                                .reinvocationPolicy(ReinvocationPolicy.IF_NEEDED),
                        context -> null));
        first.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(webhooks(VALIDATING).at("/0").has("objectSelector")).isTrue();
        start(builder -> leading.apply(builder)
                .onValidate("kopfexamples", "check", context -> null)
                .onMutate("kopfexamples", "fill", context -> null));
        assertThat(webhooks(VALIDATING).get(0).propertyNames()).doesNotContain("objectSelector");
        assertThat(webhooks(MUTATING).get(0).propertyNames())
                .doesNotContain("matchConditions", "namespaceSelector", "reinvocationPolicy");
    }

    @ParameterizedTest
    @Tag("J10")
    @CsvSource(
            delimiter = '|',
            value = {
                "matchConditions    | [{\"name\": \"off\", \"expression\": \"false\"}]     | true",
                "objectSelector     | {\"matchLabels\": {\"a\": \"b\"}}                     | true",
                "namespaceSelector  | {\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"Exists\"}]} | true",
                "objectSelector     | {}                                               | false",
                "namespaceSelector  | {}                                               | false",
                "reinvocationPolicy | \"Never\"                                        | false"
            })
    void whatSwitchesAWebhookOffIsTakenOutAndTheDefaultsOfTheServerStay(String key, String value, boolean goes) {
        start(ManagedWebhooksScenario::simple);
        ObjectNode webhook = (ObjectNode) webhooks(VALIDATING).get(0).deepCopy();
        webhook.set(key, Json.parse(value));
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': [" + webhook + "]}");
        int before = writes().size();
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING).get(0).has(key)).isEqualTo(!goes);
        assertThat(writes()).hasSize(before + (goes ? 1 : 0));
    }

    /** The operator that had caInjectedFrom and the one that has it no more would both say whom to trust. */
    @Test
    @Tag("J37")
    void whatIsLeftToCertManagerThoughTheOptionIsGoneIsToldWithTheWayOut() {
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaInjectedFrom("ns/certificate");
        start(ManagedWebhooksScenario::simple).stop();
        world.runFor(Duration.ofSeconds(20));
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaBundle("PEM");
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            start(ManagedWebhooksScenario::simple);
            publisher.accept(WebhookClientConfig.service("ns", "hooks", 443).withCaBundle("NEXT"));
            world.runFor(Duration.ofSeconds(20));
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("kubectl annotate"))
                    .hasSize(2)
                    .first()
                    .asString()
                    .contains(
                            "kubectl annotate validatingwebhookconfiguration auto.kopf.dev cert-manager.io/inject-ca-from-");
        }
    }

    /** The other replicas are asked by the same webhooks. */
    @ParameterizedTest
    @Tag("J10")
    @CsvSource({"leaderElection.enabled, true, 1", "sharding.shards, 2, 1", "leaderElection.enabled, false, 0"})
    void whoeverIsOneOfSeveralReplicasLeavesTheWebhooksToTheOthers(String setting, String value, int left) {
        OperatorHandle operator = start(builder -> simple(builder).settings(s -> s.set(setting, value)));
        assertThat(webhooks(VALIDATING)).hasSize(1);
        operator.stop();
        world.runFor(Duration.ofMinutes(1));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).hasSize(left);
    }

    /** As in a rolling update: the new pod has written its own certificate before the old one ends. */
    @Test
    @Tag("J10")
    void whatSomebodyElseHasWrittenMeanwhileIsNotTakenBack() {
        OperatorHandle old = start(ManagedWebhooksScenario::simple);
        address = WebhookClientConfig.url("https://host:9443/hooks/").withCaBundle("OTHER PEM");
        OperatorHandle next = start(ManagedWebhooksScenario::simple);
        old.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(old.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).hasSize(1);
        next.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(webhooks(VALIDATING)).isEmpty();
        assertThat(webhooks(MUTATING)).hasSize(1);
    }

    @Test
    @Tag("J11")
    void onlyPersistentWebhooksOutliveTheOperator() {
        OperatorHandle operator = start(ManagedWebhooksScenario::simple);
        operator.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).isEmpty();
        assertThat(webhooks(MUTATING)).hasSize(1);
    }

    /** All pods have the same certificate then, and who comes next finds all as it ought to be. */
    @Test
    @Tag("J10")
    @Tag("J37")
    void webhooksWhoseAuthorityCertManagerWritesStayForTheNextPod() {
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaInjectedFrom("ns/certificate");
        OperatorHandle old = start(ManagedWebhooksScenario::simple);
        start(ManagedWebhooksScenario::simple);
        old.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(old.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    @Test
    @Tag("J10")
    void whoHasNoHandlersOfAKindSaysNothingOfItAtTheEnd() {
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            OperatorHandle operator = start(builder -> builder.onValidate("kopfexamples", "check", context -> null));
            operator.stop();
            world.runFor(Duration.ofSeconds(20));
            assertThat(log.lines(Level.INFO)).noneMatch(line -> line.contains("somebody else"));
        }
    }

    @Test
    @Tag("J37")
    void certManagerWritesTheAuthoritiesOfAConfigurationWithItsAnnotation() {
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaInjectedFrom("ns/certificate");
        start(ManagedWebhooksScenario::simple);
        assertThat(cluster.get(VALIDATING, null, "auto.kopf.dev")
                        .at("/metadata/annotations/cert-manager.io~1inject-ca-from")
                        .asString(""))
                .isEqualTo("ns/certificate");
        assertThat(webhooks(VALIDATING).at("/0/clientConfig").has("caBundle")).isFalse();

        String injected = webhooks(VALIDATING).toString().replace("\"service\"", "\"caBundle\":\"Q0E=\",\"service\"");
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + injected + "}");
        int before = writes().size();
        publisher.accept(address);
        world.runFor(Duration.ofSeconds(5));
        assertThat(writes()).hasSize(before);

        publisher.accept(WebhookClientConfig.service("ns", "other", 443).withCaInjectedFrom("ns/certificate"));
        world.runFor(Duration.ofSeconds(5));
        assertThat(webhooks(VALIDATING).at("/0/clientConfig/service/name").asString(""))
                .isEqualTo("other");
        assertThat(webhooks(VALIDATING).at("/0/clientConfig/caBundle").asString(""))
                .isEqualTo("Q0E=");
    }

    @Test
    @Tag("J10")
    void whatSomebodyElseHasWrittenIsReadBeforeEachWrite() {
        start(ManagedWebhooksScenario::simple);
        cluster.delete(VALIDATING, null, "auto.kopf.dev");
        publisher.accept(WebhookClientConfig.url("https://host:9443/other/").withCaBundle("PEM"));
        world.runFor(Duration.ofSeconds(5));
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    @Test
    @Tag("J09")
    void missingPermissionsEndTheOperatorInWords() {
        forbid("POST");
        try (LoggerCapture logs = new LoggerCapture("kopf4j.admission")) {
            OperatorHandle operator = start(ManagedWebhooksScenario::simple);
            world.runFor(Duration.ofMinutes(2));
            assertThat(operator.hasEnded()).isTrue();
            assertThatThrownBy(operator::join)
                    .isInstanceOf(OperatorException.class)
                    .hasMessageContaining("settings.admission().managed()");
            assertThat(logs.lines(Level.ERROR))
                    .anyMatch(line ->
                            line.contains("Not enough RBAC permissions to create a validatingwebhookconfigurations"));
        }
    }

    @Test
    @Tag("J09")
    void whoMayNotReadThemWritesThemAllTheSame() {
        cluster.put(VALIDATING, null, "auto.kopf.dev", "{}");
        forbid("GET");
        start(ManagedWebhooksScenario::simple);
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    /** Operators in Python do so when they end, also when this one has taken over before. */
    @ParameterizedTest
    @Tag("J10")
    @ValueSource(strings = {"NOTHING", "GET"})
    void webhooksThatAnotherOperatorEmptiesAtItsEndAreWrittenAgain(String forbidden) {
        cluster.put(VALIDATING, null, "auto.kopf.dev", "{}");
        forbid(forbidden);
        start(ManagedWebhooksScenario::simple);
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': []}");
        world.runFor(Duration.ofSeconds(70));
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    @Test
    @Tag("J10")
    void looksCostNoWritesAndNothingWithoutHandlersOfTheKind() {
        start(builder -> builder.onValidate("kopfexamples", "check", context -> null));
        int before = writes().size();
        int reads = reads().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(writes()).hasSize(before);
        assertThat(reads().subList(reads, reads().size()))
                .hasSizeBetween(9, 11)
                .allMatch(path -> path.contains(VALIDATING));
    }

    private List<String> reads() {
        return cluster.requests().stream()
                .filter(request ->
                        request.method().equals("GET") && request.path().contains("webhookconfigurations"))
                .map(TinyCluster.Request::path)
                .toList();
    }

    /** Its persistent webhook leads to nobody: it stays there alone. */
    @Test
    @Tag("J10")
    void whatAnotherOperatorLeavesOfTheWebhooksIsReplacedWhenItStays() {
        start(builder -> simple(builder).onValidate("kopfexamples", "extra", context -> null));
        cluster.patch(
                VALIDATING,
                null,
                "auto.kopf.dev",
                "{'webhooks': [{'name': 'extra.auto.kopf.dev', 'clientConfig': {'url': 'https://gone/extra'}}]}");
        world.runFor(Duration.ofSeconds(50));
        assertThat(webhooks(VALIDATING)).hasSize(1);
        world.runFor(Duration.ofSeconds(90));
        assertThat(webhooks(VALIDATING)).hasSize(2);
    }

    /** Two that write what the other one has overwritten would flood the server. */
    @Test
    @Tag("J10")
    void whoeverAlwaysChangesTheWebhooksIsMetMoreAndMoreRarely() {
        start(ManagedWebhooksScenario::simple);
        int before = writes().size();
        for (int minute = 0; minute < 200; minute++) {
            cluster.patch(
                    VALIDATING,
                    null,
                    "auto.kopf.dev",
                    "{'webhooks': [{'name': 'x.auto.kopf.dev', 'clientConfig': {'url': 'https://other/x'}}]}");
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(writes().size() - before).isBetween(4, 10);
    }

    /** Its pods have gone, and those that are left do not start anew: nobody else writes. */
    @ParameterizedTest
    @Tag("J10")
    @ValueSource(booleans = {true, false})
    void webhooksOfAVersionThatWasRolledBackGoSoonIfTheyAreAskedForInVain(boolean asked) {
        start(ManagedWebhooksScenario::simple);
        String other = webhooks(VALIDATING).toString().replace("check", "check2");
        for (int starts = 0; starts < 30; starts++) {
            cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + other + "}");
            world.runFor(Duration.ofMinutes(2));
        }
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + other + "}");
        for (int minute = 0; minute < 5; minute++) {
            if (asked) {
                askFor("check2");
            }
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(webhooks(VALIDATING).at("/0/name").asString(""))
                .isEqualTo(asked ? "check.auto.kopf.dev" : "check2.auto.kopf.dev");
    }

    private static OperatorBuilder withoutFill(OperatorBuilder builder) {
        return builder.onValidate("kopfexamples", "check", context -> null);
    }

    /** Nobody takes it away at its end, as other replicas may serve it. */
    private void startAnOldReplicaThatWritesItsWebhooksBackAndEnds(UnaryOperator<OperatorBuilder> next) {
        OperatorHandle old = startShared();
        start(next);
        assertThat(webhooks(MUTATING)).isEmpty();
        world.runFor(Duration.ofSeconds(70));
        assertThat(webhooks(MUTATING)).as("the old replica's look").hasSize(1);
        stop(old);
    }

    @ParameterizedTest
    @Tag("J10")
    @ValueSource(strings = {"", "team-a"})
    void whatAnOldReplicaHasWrittenBackOfTheOnlyHandlerOfAKindGoesOnceItIsAskedForInVain(String namespaces) {
        startAnOldReplicaThatWritesItsWebhooksBackAndEnds(
                builder -> withoutFill(namespaces.isEmpty() ? builder : builder.namespaces(namespaces)));
        ArrayNode more = (ArrayNode) webhooks(MUTATING).deepCopy();
        more.add(Scenario.json("{'name': 'mine.example.com', 'clientConfig': {'url': 'https://host:9443/hooks/x'}}"));
        more.add(Scenario.json("{'name': 'x.auto.kopf.dev', 'clientConfig': {'url': 'https://host:9443/hook/x'}}"));
        cluster.patch(MUTATING, null, "auto.kopf.dev", "{'webhooks': " + more + "}");
        int reads = reads().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(webhooks(MUTATING)).as("without being asked").hasSize(3);
        assertThat(reads().subList(reads, reads().size())).noneMatch(path -> path.contains(MUTATING));

        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            askFor("fill");
            world.runFor(Duration.ofSeconds(50));
            assertThat(webhooks(MUTATING)).as("before two looks").hasSize(3);
            world.runFor(Duration.ofSeconds(90));
            assertThat(webhooks(MUTATING))
                    .extracting(each -> each.path("name").asString(""))
                    .containsExactly("mine.example.com", "x.auto.kopf.dev");
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("mutating webhook auto.kopf.dev", "in vain", "taken away (fill.auto.kopf.dev)");
        }
        assertThat(webhooks(VALIDATING)).hasSize(1);
        int before = writes().size();
        int readsAfter = reads().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(writes()).hasSize(before);
        assertThat(reads().subList(readsAfter, reads().size())).noneMatch(path -> path.contains(MUTATING));
    }

    record Spec(int size) {}

    /** Its server runs, and so it hears of it, too: the looks after its start may be over. */
    @ParameterizedTest
    @Tag("J10")
    @ValueSource(strings = {"", "team-a"})
    void anOperatorWithConversionsOnlyTakesAwayWhatItIsAskedForInVain(String namespaces) {
        start(builder -> (namespaces.isEmpty() ? builder : builder.namespaces(namespaces))
                .onConvert("kopfexamples.kopf.dev", "v1", "v2", Spec.class, spec -> spec));
        assertThat(writes()).isEmpty();
        world.runFor(Duration.ofMinutes(15));
        for (String plural : List.of(VALIDATING, MUTATING)) {
            cluster.put(plural, null, "auto.kopf.dev", """
                    {'webhooks': [{'name': 'check.auto.kopf.dev', 'failurePolicy': 'Fail',
                     'clientConfig': {'url': 'https://host:9443/hooks/check'}}]}""");
        }
        askFor("check");
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING)).isEmpty();
        assertThat(webhooks(MUTATING)).isEmpty();
    }

    /** Whoever is reached elsewhere answers himself; and a webhook that ignores failures refuses nothing. */
    @ParameterizedTest
    @Tag("J10")
    @CsvSource({
        "fill.auto.kopf.dev, hooks, 443, /hooks/fill, Fail, true",
        "fill.auto.kopf.dev, hooks, 443, /hooks/fill, Ignore, false",
        "fill.auto.kopf.dev, hooks, 443, /other/fill, Fail, false",
        "fill.auto.kopf.dev, hooks, 444, /hooks/fill, Fail, false",
        "fill.auto.kopf.dev, other, 443, /hooks/fill, Fail, false",
        "fill.example.com, hooks, 443, /hooks/fill, Fail, false"
    })
    void onlyWebhooksThatRefuseRequestsAtTheOwnAddressAreTakenAway(
            String name, String service, String port, String path, String failurePolicy, boolean gone) {
        address = WebhookClientConfig.service("ns", "hooks", 443).withPath("hooks");
        start(ManagedWebhookConfigurationsTest::withoutFill);
        cluster.put(MUTATING, null, "auto.kopf.dev", """
                {'webhooks': [{'name': '%s', 'failurePolicy': '%s',
                 'clientConfig': {'service': {'namespace': 'ns', 'name': '%s', 'port': %s, 'path': '%s'}}}]}""".formatted(name, failurePolicy, service, port, path));
        for (int minute = 0; minute < 5; minute++) {
            askFor("fill");
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(webhooks(MUTATING)).hasSize(gone ? 0 : 1);
    }

    /** This one does not know that the resource is served, and is asked in vain for something else. */
    @Test
    @Tag("J10")
    void whatAnotherReplicaOfTheSameVersionHasWrittenIsNotTakenAway() {
        start(builder -> withoutFill(builder).onMutate("absents", "fill", context -> null));
        cluster.put(MUTATING, null, "auto.kopf.dev", """
                {'webhooks': [{'name': 'fill.auto.kopf.dev', 'failurePolicy': 'Fail',
                 'clientConfig': {'url': 'https://host:9443/hooks/fill'}}]}""");
        for (int minute = 0; minute < 5; minute++) {
            askFor("unknown");
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(webhooks(MUTATING)).hasSize(1);
    }

    /** A rollout stands still, for hours: the old replica writes an empty list again at once. */
    @Test
    @Tag("J10")
    void anOldReplicaAndTheNextVersionWithoutTheOnlyHandlerOfAKindWriteRarely() {
        startShared();
        start(ManagedWebhookConfigurationsTest::withoutFill);
        int before = writes().size();
        for (int minute = 0; minute < 120; minute++) {
            askFor("fill");
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(writes().size() - before).isBetween(50, 66);
    }

    @Test
    @Tag("J10")
    void whoMayNotTakeAwayWhatItIsAskedForInVainTellsTheWayOutOnce() {
        startAnOldReplicaThatWritesItsWebhooksBackAndEnds(ManagedWebhookConfigurationsTest::withoutFill);
        forbid("PATCH");
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (int minute = 0; minute < 20; minute++) {
                askFor("fill");
                world.runFor(Duration.ofMinutes(1));
            }
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("kubectl delete mutatingwebhookconfiguration auto.kopf.dev", "could not be taken away");
        }
        assertThat(webhooks(MUTATING)).hasSize(1);
    }

    private void askFor(String id) {
        assertThat(answerOf(id, Json.object())).isEqualTo(404);
    }

    /** The HTTP status of the answer. */
    private int answerOf(String id, ObjectNode review) {
        AtomicInteger status = new AtomicInteger(200);
        world.spawn("api server", () -> {
            try {
                Objects.requireNonNull(server)
                        .answer(WebhookRequest.of(Json.bytes(review)).forHandler(id));
            } catch (WebhookException e) {
                status.set(e.status());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        world.runFor(Duration.ofSeconds(1));
        return status.get();
    }

    /** To let it pass would let it pass unchecked, while replicas of both versions are asked. */
    @Test
    @Tag("J01")
    void whatAnotherVersionOfAHandlerIsForIsNotAllowedByThisOne() {
        cluster.serving("kopf.dev", "others", "Other", true);
        start(builder -> builder.onValidate("kopfexamples", "check", context -> null)
                .onValidate("others", "other", context -> null));
        ObjectNode review = Scenario.json("""
                {'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview',
                 'request': {'uid': 'u', 'operation': 'CREATE', 'userInfo': {}, 'object': {'metadata': {'name': 'x'}},
                 'resource': {'group': 'kopf.dev', 'version': 'v1', 'resource': 'others'}}}""");
        assertThat(answerOf("other", review)).isEqualTo(200);
        assertThat(answerOf("check", review)).isEqualTo(404);

        review.withObject("/request/resource").put("resource", "kopfexamples");
        assertThat(answerOf("check", review)).isEqualTo(200);
    }

    /** Both are asked in vain, for hours, as a rollout stands still. */
    @Test
    @Tag("J10")
    void versionsThatAreBothAskedInVainWriteInTurnButRarely() {
        start(ManagedWebhooksScenario::simple);
        String other = webhooks(VALIDATING).toString().replace("check", "check2");
        int before = writes().size();
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            for (int minute = 0; minute < 120; minute++) {
                cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + other + "}");
                askFor("check2");
                world.runFor(Duration.ofMinutes(1));
            }
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("of another version") && line.contains("restarted"))
                    .hasSize(1);
        }
        assertThat(writes().size() - before).isBetween(20, 32);
    }

    /** The API server has asked for something else: of what a person has changed there, nothing is told. */
    @Test
    @Tag("J10")
    void onlyWhatRefusesRequestsIsToldToBeOfAnotherVersion() {
        start(ManagedWebhooksScenario::simple);
        String other = webhooks(VALIDATING).toString().replace("check", "check2");
        String edited = webhooks(MUTATING).toString().replace("\"timeoutSeconds\":30", "\"timeoutSeconds\":29");
        assertThat(edited).isNotEqualTo(webhooks(MUTATING).toString());
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + other + "}");
        cluster.patch(MUTATING, null, "auto.kopf.dev", "{'webhooks': " + edited + "}");
        askFor("check2");
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            world.runFor(Duration.ofSeconds(70));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("validating webhook", "of another version");
        }
    }

    /** A rollout stands still; the new version is never asked in vain, and would wait longer and longer. */
    @Test
    @Tag("J10")
    void whatANewVersionAddsAndLetsFailStandsThereAsOftenAsItDoesNot() {
        startShared();
        WebhookServer.WebhookContext old = server;
        world.runFor(Duration.ofMinutes(30));
        start(builder -> simple(builder)
                .onValidate("kopfexamples", "check2", h -> h.ignoreFailures(), context -> null)
                .settings(s -> s.leaderElection().enabled(true).leaseNamespace("default")));
        server = old;
        int configured = 0;
        for (int minute = 0; minute < 720; minute++) {
            if (webhooks(VALIDATING).size() == 2) {
                configured++;
                askFor("check2");
            }
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(configured).isBetween(260, 460);
    }

    /** As the admissions enforcer of AKS does, within a second. */
    @ParameterizedTest
    @ValueSource(strings = {"-", "team-a"})
    void whoeverAlwaysAddsASelectorIsGivenInTo(String namespace) {
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            start(builder -> simple(namespace.equals("-") ? builder : builder.namespaces(namespace)));
            int before = writes().size();
            for (int minute = 0; minute < 300; minute++) {
                narrow();
                world.runFor(Duration.ofMinutes(1));
            }
            assertThat(writes().size() - before).isEqualTo(4);
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("it is written again"))
                    .hasSize(4)
                    .allMatch(line -> line.contains("(check.auto.kopf.dev: namespaceSelector)"));
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("admissions.enforcer/disabled"))
                    .hasSize(1);
            assertThat(webhooks(VALIDATING).at("/0/namespaceSelector/matchExpressions"))
                    .hasSize(namespace.equals("-") ? 1 : 2);

            change(webhook -> webhook.put("timeoutSeconds", 1));
            world.runFor(Duration.ofMinutes(40));
            assertThat(webhooks(VALIDATING).at("/0/timeoutSeconds").asInt()).isEqualTo(30);
        }
    }

    /** After a long peace, a change is a single one again. */
    @Test
    void whoeverHasStoppedAddingASelectorIsNotGivenInTo() {
        start(ManagedWebhooksScenario::simple);
        for (int minute = 0; minute < 40; minute++) {
            narrow();
            world.runFor(Duration.ofMinutes(1));
        }
        change(webhook -> webhook.remove("namespaceSelector"));
        world.runFor(Duration.ofMinutes(40));
        narrow();
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING).at("/0").has("namespaceSelector")).isFalse();
    }

    /** Somebody else may have made the many changes: a single selector switches no check off for good. */
    @Test
    void whoeverAddsASelectorOnceAfterManyOtherChangesIsNotGivenInTo() {
        start(ManagedWebhooksScenario::simple);
        int before = writes().size();
        for (int minute = 0; minute < 35; minute++) {
            change(webhook -> webhook.put("timeoutSeconds", 1));
            world.runFor(Duration.ofMinutes(1));
        }
        assertThat(writes()).as("four other changes").hasSize(before + 4);
        change(webhook -> webhook.put("timeoutSeconds", 30));
        narrow();
        world.runFor(Duration.ofMinutes(40));
        assertThat(webhooks(VALIDATING).at("/0").has("namespaceSelector")).isFalse();
    }

    /** What is not there is not as it ought to be either. */
    @Test
    void aTimeWithoutTheConfigurationIsNoPeace() {
        start(ManagedWebhooksScenario::simple);
        for (int minute = 0; minute < 40; minute++) {
            narrow();
            world.runFor(Duration.ofMinutes(1));
        }
        String narrowed = "{'webhooks': " + webhooks(VALIDATING) + "}";
        cluster.delete(VALIDATING, null, "auto.kopf.dev");
        world.runFor(Duration.ofMinutes(40));
        cluster.put(VALIDATING, null, "auto.kopf.dev", narrowed);
        world.runFor(Duration.ofMinutes(10));
        assertThat(webhooks(VALIDATING).at("/0").has("namespaceSelector")).isTrue();
    }

    private void narrow() {
        JsonNode enforced = Scenario.json("{'key': 'control-plane', 'operator': 'DoesNotExist'}");
        change(webhook -> {
            ArrayNode expressions = webhook.withObject("/namespaceSelector").withArray("matchExpressions");
            if (expressions.valueStream().noneMatch(enforced::equals)) {
                expressions.add(enforced);
            }
        });
    }

    @Test
    @Tag("J10")
    void anotherOperatorThatAnswersForAllWebhooksKeepsThem() {
        start(ManagedWebhooksScenario::simple);
        cluster.patch(
                VALIDATING,
                null,
                "auto.kopf.dev",
                "{'webhooks': [{'name': 'check.auto.kopf.dev', 'clientConfig': {'url': 'https://other/check'}}]}");
        world.runFor(Duration.ofMinutes(10));
        assertThat(webhooks(VALIDATING).at("/0/clientConfig/url").asString("")).isEqualTo("https://other/check");
    }

    @ParameterizedTest
    @Tag("J10")
    @CsvSource({"other.auto.kopf.dev, true", "other.example.com, false"})
    void anotherOperatorOfTheSameNameIsToldByName(String name, boolean told) {
        start(ManagedWebhooksScenario::simple);
        cluster.patch(
                VALIDATING,
                null,
                "auto.kopf.dev",
                "{'webhooks': [{'name': '" + name + "', 'clientConfig': {'url': 'https://other/other'}}]}");
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            world.runFor(Duration.ofMinutes(3));
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("Somebody has changed"))
                    .singleElement()
                    .asString()
                    .matches(line -> line.contains("give one another name in admission.managed") == told);
        }
    }

    /** The API server takes no two webhooks of one name. */
    @Test
    @Tag("J09")
    void twoIdsWithOneNameAreRefused() {
        OperatorHandle operator =
                start(builder -> builder.onValidate("kopfexamples", "n5", h -> h.field("spec.n"), context -> null)
                        .onMutate("kopfexamples", "n5.spec", context -> null)
                        .onValidate("kopfexamples", "n5.spec.n", context -> null));
        assertThat(operator.hasEnded()).isTrue();
        assertThatThrownBy(operator::join)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("'n5/spec.n' and 'n5.spec.n' have one name, 'n5.spec.n.auto.kopf.dev'");
        assertThat(writes()).isEmpty();
    }

    /** CEL has no such numbers: the configuration would be refused for ever. */
    @ParameterizedTest
    @Tag("J09")
    @CsvSource({
        "9223372036854775807,   true",
        "18446744073709551616,  false",
        "-9223372036854775809,  false",
        "1.5,                   true",
        "1e400,                 false"
    })
    void aNumberThatCelDoesNotHaveIsLeftToTheOperator(String number, boolean asked) {
        Number value = number.matches("-?\\d+") ? new BigInteger(number) : new BigDecimal(number);
        start(builder -> builder.onValidate(
                "kopfexamples", "check", h -> h.field("spec.n").fieldValue(value), context -> null));
        assertThat(webhooks(VALIDATING)).hasSize(1);
        assertThat(webhooks(VALIDATING).get(0).has("matchConditions")).isEqualTo(asked);
    }

    /** Nobody has written in turn meanwhile: those who cannot be asked wait for no growing while. */
    @Test
    void whatCouldNotBeWrittenAgainIsSoonAfterTheRightIsThere() {
        start(ManagedWebhooksScenario::simple);
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            forbid("PATCH");
            replaceBundle(VALIDATING, "''");
            world.runFor(Duration.ofMinutes(20));
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("could not be written again", "check.auto.kopf.dev: clientConfig", "not allowed");
        }
        forbid("NOTHING");
        world.runFor(Duration.ofMinutes(2));
        assertThat(bundle(VALIDATING)).isEqualTo("UEVN");
    }

    /** A webhook without a process behind it would block each request. */
    @Test
    @Tag("J10")
    void webhooksWithAnEmptiedBundleAreTakenBackAtTheEnd() {
        OperatorHandle operator = start(ManagedWebhooksScenario::simple);
        replaceBundle(VALIDATING, "null");
        operator.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(operator.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).isEmpty();
    }

    /** Its cainjector writes the bundle again after each write of ours. */
    @Test
    @Tag("J37")
    void aBundleThatCertManagerWritesByAnAnnotationOfSomebodyElseIsLeftToIt() {
        start(ManagedWebhooksScenario::simple);
        cluster.patch(
                VALIDATING,
                null,
                "auto.kopf.dev",
                "{'metadata': {'annotations': {'cert-manager.io/inject-ca-from': 'ns/certificate'}}}");
        replaceBundle(VALIDATING, "'T1RIRVI='");
        int before = writes().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(writes()).hasSize(before);
    }

    @Test
    @Tag("J37")
    void whatPeopleChangeBesideTheBundleOfCertManagerIsWrittenAgain() {
        address = WebhookClientConfig.service("ns", "hooks", 443).withCaInjectedFrom("ns/certificate");
        start(ManagedWebhooksScenario::simple);
        replaceBundle(VALIDATING, "'Q0E='");
        JsonNode webhooks = webhooks(VALIDATING).deepCopy();
        ((ObjectNode) webhooks.get(0)).put("timeoutSeconds", 1);
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': " + webhooks + "}");
        world.runFor(Duration.ofSeconds(140));
        assertThat(webhooks(VALIDATING).at("/0/timeoutSeconds").asInt()).isEqualTo(30);
        assertThat(bundle(VALIDATING)).isEqualTo("Q0E=");
    }

    @Test
    @Tag("J10")
    void aConfigurationThatWasDeletedToGetOutOfABlockStaysSo() {
        start(ManagedWebhooksScenario::simple);
        cluster.delete(VALIDATING, null, "auto.kopf.dev");
        int before = writes().size();
        world.runFor(Duration.ofMinutes(10));
        assertThat(writes()).hasSize(before);
    }

    /** Otherwise the next one, which has written them meanwhile, would never be asked. */
    @Test
    @Tag("J10")
    void whoMayNotGetThemLeavesThoseOfItsSuccessor() {
        cluster.put(VALIDATING, null, "auto.kopf.dev", "{}");
        cluster.put(MUTATING, null, "auto.kopf.dev", "{}");
        forbid("GET");
        OperatorHandle old = start(ManagedWebhooksScenario::simple);
        address = WebhookClientConfig.url("https://host:9443/hooks/").withCaBundle("OTHER PEM");
        start(ManagedWebhooksScenario::simple);
        old.stop();
        world.runFor(Duration.ofSeconds(20));
        assertThat(old.hasEnded()).isTrue();
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    /** In a roll-out the new version's check must not go because somebody applies the definitions once more. */
    @Test
    void whatOthersHaveWrittenWaitsForTheLooksIfNothingOfTheOperatorsOwnHasChanged() {
        start(ManagedWebhookConfigurationsTest::simple);
        int before = writes().size();
        change(webhook -> webhook.put("timeoutSeconds", 1));
        publisher.accept(address);
        world.runFor(Duration.ofSeconds(5));
        assertThat(writes()).hasSize(before);
        assertThat(webhooks(VALIDATING).at("/0/timeoutSeconds").asInt()).isEqualTo(1);
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING).at("/0/timeoutSeconds").asInt()).isEqualTo(30);
    }

    /** A new definition is no reason to write over the newer version's webhooks, which has heard of it, too. */
    @ParameterizedTest
    @CsvSource({"check, https://other/check", "added, https://hooks:9443/added"})
    void anotherVersionsWebhooksStayWhenADefinitionComes(String id, String url) {
        cluster.serving("kopf.dev", "others", "Other", true).stopServing("others");
        start(builder -> builder.onValidate(
                ResourceSelector.matching(r -> r.group().equals("kopf.dev")), "check", context -> null));
        cluster.patch(
                VALIDATING,
                null,
                "auto.kopf.dev",
                "{'webhooks': [{'name': '" + id + ".auto.kopf.dev', 'clientConfig': {'url': '" + url + "'}}]}");
        int before = writes().size();
        cluster.serving("kopf.dev", "others", "Other", true);
        cluster.put("customresourcedefinitions", null, "others.kopf.dev", OTHERS);
        world.runFor(Duration.ofSeconds(10));
        assertThat(writes()).hasSize(before);
        assertThat(webhooks(VALIDATING).at("/0/clientConfig/url").asString()).isEqualTo(url);
    }

    private static final String OTHERS = """
            {'spec': {'group': 'kopf.dev', 'names': {'plural': 'others', 'kind': 'Other'}, 'scope': 'Namespaced',
             'versions': [{'name': 'v1', 'served': true, 'storage': true}]}}""";

    /** Its own former webhook is nobody else's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWebhookGoesWithItsDefinition(boolean oneOfTwo) {
        cluster.serving("kopf.dev", "others", "Other", true);
        cluster.put("customresourcedefinitions", null, "others.kopf.dev", OTHERS);
        start(builder ->
                (oneOfTwo ? simple(builder) : builder).onValidate("others.kopf.dev", "second", context -> null));
        assertThat(webhooks(VALIDATING)).hasSize(oneOfTwo ? 2 : 1);
        try (LoggerCapture log = new LoggerCapture("kopf4j.admission")) {
            cluster.stopServing("others");
            cluster.delete("customresourcedefinitions", null, "others.kopf.dev");
            world.runFor(Duration.ofSeconds(30));
            assertThat(webhooks(VALIDATING)).hasSize(oneOfTwo ? 1 : 0);
            world.runFor(Duration.ofMinutes(5));
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
    }

    /** A handler that the next version has changed is not changed back because a definition comes. */
    @Test
    void aChangedWebhookWaitsForTheLooksWhenADefinitionComes() {
        cluster.serving("kopf.dev", "others", "Other", true).stopServing("others");
        start(builder -> simple(builder).onValidate("others.kopf.dev", "second", context -> null));
        change(webhook -> webhook.put("timeoutSeconds", 7));
        cluster.serving("kopf.dev", "others", "Other", true);
        cluster.put("customresourcedefinitions", null, "others.kopf.dev", OTHERS);
        world.runFor(Duration.ofSeconds(10));
        assertThat(webhooks(VALIDATING)).hasSize(1);
        assertThat(webhooks(VALIDATING).at("/0/timeoutSeconds").asInt()).isEqualTo(7);
        world.runFor(Duration.ofMinutes(3));
        assertThat(webhooks(VALIDATING)).hasSize(2);
        cluster.stopServing("others");
        cluster.delete("customresourcedefinitions", null, "others.kopf.dev");
        world.runFor(Duration.ofSeconds(30));
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    /** As AKS does: what it leaves of a webhook is its operator's all the same. */
    @Test
    void aDefinitionThatComesToNarrowedWebhooksIsWrittenAtOnce() {
        cluster.serving("kopf.dev", "others", "Other", true).stopServing("others");
        start(builder -> simple(builder).onValidate("others.kopf.dev", "second", context -> null));
        narrow();
        cluster.serving("kopf.dev", "others", "Other", true);
        cluster.put("customresourcedefinitions", null, "others.kopf.dev", OTHERS);
        world.runFor(Duration.ofSeconds(30));
        assertThat(webhooks(VALIDATING)).hasSize(2);
    }

    /** It does so before it shows another certificate: the API server must trust it by then. */
    @Test
    @Tag("J32")
    void whoPublishesTheSameOnceMoreIsTrustedAtOnce() {
        cluster.serving("coordination.k8s.io", "leases", "Lease", true);
        startShared();
        String own = bundle(VALIDATING);
        replaceBundle(VALIDATING, "'T1RIRVI='");
        publisher.accept(address);
        world.runFor(Duration.ofSeconds(5));
        assertThat(bundle(VALIDATING)).isEqualTo(own);
    }

    /** Its checks would be off for as long as somebody else's definition cannot be written. */
    @Test
    @Tag("J10")
    void webhooksAreLookedAfterAlsoWhileADefinitionCannotBeWritten() {
        String definition = "widgets.example.com";
        cluster.serving("example.com", "widgets", "Widget", true);
        cluster.put("customresourcedefinitions", null, definition, """
                {'spec': {'group': 'example.com', 'names': {'plural': 'widgets', 'kind': 'Widget'}, 'scope': 'Namespaced',
                 'conversion': {'strategy': 'None'}, 'versions': [{'name': 'v1', 'served': true, 'storage': true},
                 {'name': 'v2', 'served': true, 'storage': false}]}, 'status': {'storedVersions': ['v1']}}""");
        start(builder -> simple(builder)
                .onConvert(definition, "v1", "v2", Spec.class, spec -> spec)
                .onConvert(definition, "v2", "v1", Spec.class, spec -> spec)
                .settings(settings -> settings.admission().managedConversions(true)));
        world.runFor(Duration.ofMinutes(1));
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.path().contains("customresourcedefinitions")
                                && request.method().equals("PATCH")
                        ? TinyCluster.status(422, "Invalid", "not valid")
                        : null;
            }
        });
        cluster.patch(
                "customresourcedefinitions",
                null,
                definition,
                "{'spec': {'conversion': {'strategy': 'None', 'webhook': null}}}");
        world.runFor(Duration.ofSeconds(20));
        cluster.patch(VALIDATING, null, "auto.kopf.dev", "{'webhooks': []}");
        world.runFor(Duration.ofMinutes(5));
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }

    /** As where a tool applies a definition again and again: nothing would be looked at for as long. */
    @Test
    void looksComeAlsoIfTheWriterIsWokenMoreOften() {
        start(ManagedWebhookConfigurationsTest::simple);
        change(webhook -> webhook.put("timeoutSeconds", 1));
        for (int half = 0; half < 8; half++) {
            world.runFor(Duration.ofSeconds(30));
            publisher.accept(address);
        }
        world.runFor(Duration.ofSeconds(1));
        assertThat(webhooks(VALIDATING).at("/0/timeoutSeconds").asInt()).isEqualTo(30);
    }

    @Test
    void whatCouldNotBeWrittenIsTriedAgainAlsoIfItIsTheSame() {
        forbid("PATCH");
        start(ManagedWebhookConfigurationsTest::simple);
        assertThat(webhooks(VALIDATING)).isEmpty();
        cluster.faults(new TinyCluster.Faults() {});
        world.runFor(Duration.ofMinutes(2));
        assertThat(webhooks(VALIDATING)).hasSize(1);
    }
}
