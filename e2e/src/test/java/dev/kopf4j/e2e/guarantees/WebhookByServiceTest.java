package dev.kopf4j.e2e.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnStartup;
import dev.kopf4j.OnValidate;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.webhook.WebhookServer;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** Webhooks that are reached by a Service are registered, whatever the handlers are called. */
class WebhookByServiceTest {
    private static final String CONFIGURATION = "guarantees.kopf4j.dev";

    static class Rules {
        @OnStartup
        void configure(OperatorSettings settings) {
            settings.admission()
                    .server(WebhookServer.local().service("default", "guarantees", 443))
                    .managed(CONFIGURATION);
        }

        // The filter keeps the webhook from objects of others, as nobody answers behind the Service.
        @OnValidate(value = "configmaps", labels = "kopf4j-guarantees=yes")
        void checkSize() {}

        @OnValidate(value = "configmaps", labels = "kopf4j-guarantees=yes", id = "_Check/spec.URL_")
        void odd() {}
    }

    @Test
    @KopfTest(Rules.class)
    void theApiServerTakesTheirAddresses(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        ValidatingWebhookConfiguration stored = client.admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .withName(CONFIGURATION)
                .get();
        assertThat(stored).as("the configuration").isNotNull();
        assertThat(stored.getWebhooks())
                .extracting(ValidatingWebhook::getName)
                .containsExactly("check-size." + CONFIGURATION, "check.spec.u-r-l." + CONFIGURATION);
        assertThat(stored.getWebhooks())
                .extracting(webhook -> webhook.getClientConfig().getService().getPath())
                .containsExactly("/check-size", "/check/spec.u-r-l");
    }
}
