package dev.kopf4j.engine.rights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan.FrameworkRules;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookAuthority;
import dev.kopf4j.webhook.WebhookServer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link RightsPlan}: what the framework itself needs. The commands that print rights test the rest. */
class RightsPlanTest {
    private final LocalWebhookServer local = WebhookServer.local().service("web", "hooks", 443);
    private final HandlerRegistry registry = RegistryBuilder.build(
            OperatorPlan.of(Operator.builder().clusterwide().onValidate("pods", "check", context -> null))
                    .registrations());

    /** What the server of webhooks needs, in short. */
    private List<String> ofServer(WebhookServer server) {
        OperatorSettings settings = new OperatorSettings();
        settings.admission().server(server);
        return new FrameworkRules(registry, settings, Set.of(RightScope.CLUSTER), true)
                .webhooks().stream()
                        .map(rule -> rule.scope().namespace() + " " + rule.verbs() + " " + rule.resource()
                                + rule.resourceNames())
                        .toList();
    }

    @Test
    void aServerThatIsChosenByTheClusterNeedsTheAuthorityThatReplicasShare() {
        LocalWebhookServer sharing = local.authority(WebhookAuthority.inSecret("web", "ca"));
        List<String> rights = List.of("web [create] secrets[]", "web [get, update] secrets[ca]");
        assertThat(ofServer(sharing)).isEqualTo(rights);
        assertThat(ofServer(WebhookServer.auto().fallback(sharing))).isEqualTo(rights);
        assertThat(ofServer(WebhookServer.autoTunnel().fallback(sharing))).isEqualTo(rights);
    }

    /** An operator of some namespaces takes nothing of the whole away, and need not see it either. */
    @ParameterizedTest
    @CsvSource({"true, true, 2", "false, true, 0", "true, false, 0"})
    void whoMayTakeLeftWebhooksAwayHasTheRightsForIt(boolean ofAll, boolean served, int rights) {
        OperatorSettings settings = new OperatorSettings();
        settings.admission().managed("auto.example.com").server(served ? local : null);
        HandlerRegistry without = RegistryBuilder.build(
                OperatorPlan.of(Operator.builder().clusterwide().onEvent("pods", "see", context -> null))
                        .registrations());
        assertThat(new FrameworkRules(without, settings, Set.of(RightScope.CLUSTER), ofAll).webhooks())
                .hasSize(rights)
                .allMatch(rule -> rule.verbs().equals(List.of("get", "patch")));
    }

    @Test
    void eventsOfObjectsInNoNamespaceNeedTheRightInDefault() {
        FrameworkRules rules =
                new FrameworkRules(registry, new OperatorSettings(), Set.of(RightScope.of("web")), false);
        assertThat(rules.events(false))
                .extracting(rule -> rule.scope().namespace())
                .containsExactly("web");
        assertThat(rules.events(true))
                .extracting(rule -> rule.scope().namespace())
                .containsExactly("web", "default");
    }

    @Test
    void aServerReadsTheSecretWithItsCertificate() {
        LocalWebhookServer reading = local.certificateSecret("web", "tls");
        assertThat(ofServer(reading)).containsExactly("web [get] secrets[tls]");
        assertThat(ofServer(WebhookServer.auto().fallback(reading))).containsExactly("web [get] secrets[tls]");
        assertThat(ofServer(local)).isEmpty();
    }
}
