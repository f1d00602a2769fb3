package dev.kopf4j.engine.admission.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Operator;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What people who write webhook configurations by hand are given. */
@Tag("J36")
class WebhookManifestsTest {
    private static final List<Resource> DEFINED = WebhookManifests.defined(Scenario.json("""
            {'kind': 'CustomResourceDefinition', 'spec': {'group': 'example.com', 'scope': 'Namespaced',
             'names': {'plural': 'boxes', 'kind': 'Box', 'singular': 'box', 'shortNames': ['bx'], 'categories': ['all']},
             'versions': [{'name': 'v1', 'served': true}, {'name': 'v2', 'served': true, 'storage': true}, {'name': 'v0'}]}}"""));

    /** The last one is that of the objects in storage; those in brackets are not served. */
    @ParameterizedTest
    @CsvSource({
        "v1 v2,                        v2",
        "v2 v1,                        v2",
        "v2beta1 v10 v9,               v10",
        "v3alpha1 v1beta1,             v1beta1",
        "v1beta2 v1beta11 v2alpha12,   v1beta11",
        "zeta alpha v1alpha1 (v2),     v1alpha1",
        "zeta alpha (v01),             alpha",
        "v99999999999999999999 v1,     v1"
    })
    void theServedVersionThatServersPreferIsThatOfNamesWithoutOne(String versions, String preferred) {
        String listed = Stream.of(versions.split(" "))
                .map(each -> "{'name':'" + each.replaceAll("[()]", "") + "','served':" + !each.startsWith("(")
                        + ",'storage':" + versions.endsWith(each) + "}")
                .collect(Collectors.joining(","));
        ObjectNode definition = Scenario.json("{'kind':'CustomResourceDefinition','spec':{'group':'example.com',"
                + "'names':{'plural':'boxes','kind':'Box'},'versions':[" + listed + "]}}");
        assertThat(WebhookManifests.defined(definition).stream().filter(Resource::preferred))
                .extracting(Resource::version)
                .containsExactly(preferred);
    }

    private static WebhookManifests manifests(ResourceSelector selector) {
        return OperatorAssembly.webhooks(
                Operator.builder().onValidate(selector, "check", context -> null),
                "auto.example.com",
                DEFINED,
                WebhookClientConfig.service("ns", "hooks", 443));
    }

    @ParameterizedTest
    @CsvSource({
        "boxes,              example.com v2 boxes,  0",
        "box,                example.com v2 boxes,  0",
        "bx,                 example.com v2 boxes,  0",
        "Box,                example.com v2 boxes,  0",
        "boxes.v1.example.com, example.com v1 boxes, 0",
        "boxes.v0.example.com, example.com v0 boxes, 1",
        "deployments.v1.apps, apps v1 deployments,  1",
        "pods,               * * pods,              1"
    })
    void rulesAreThoseOfTheDefinitionOrOfTheDeclaration(String selector, String rule, int remarks) {
        String[] parts = selector.split("\\.", 3);
        WebhookManifests manifests = manifests(
                parts.length == 1
                        ? ResourceSelector.of(selector)
                        : ResourceSelector.of(parts[0]).inVersion(parts[1]).inGroup(parts[2]));
        assertThat(manifests.remarks()).hasSize(remarks);
        JsonNode rules = manifests.objects().getFirst().at("/webhooks/0/rules");
        assertThat(rules).hasSize(1);
        assertThat(rules.at("/0/apiGroups/0").asString("") + " "
                        + rules.at("/0/apiVersions/0").asString("") + " "
                        + rules.at("/0/resources/0").asString(""))
                .isEqualTo(rule);
    }

    @Test
    void rulesOfTestsAreLeftToPeople() {
        WebhookManifests manifests =
                manifests(ResourceSelector.matching(resource -> resource.group().equals("other")));
        assertThat(manifests.remarks()).singleElement().asString().contains("'check'", "only the cluster knows");
        assertThat(manifests.objects()).hasSize(1);
    }

    @Test
    void twoKindsOfOneIdAreRefused() {
        Handler both = context -> null;
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> OperatorAssembly.webhooks(
                        Operator.builder().onValidate("boxes", "check", both).onMutate("boxes", "check", both),
                        "auto.example.com",
                        DEFINED,
                        WebhookClientConfig.service("ns", "hooks", 443)))
                .withMessageContaining("Give one of them another id");
    }
}
