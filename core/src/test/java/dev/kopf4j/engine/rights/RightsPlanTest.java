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
        return new FrameworkRules(registry, settings, Set.of(RightScope.CLUSTER))
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

    @Test
    void eventsOfObjectsInNoNamespaceNeedTheRightInDefault() {
        FrameworkRules rules = new FrameworkRules(registry, new OperatorSettings(), Set.of(RightScope.of("web")));
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
