package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group admissionregistration.k8s.io. */
public final class AdmissionRegistrationStrategies {
    private AdmissionRegistrationStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                new MutatingWebhookConfigurationStrategy(),
                "validatingadmissionpolicies.admissionregistration.k8s.io",
                new PolicyStrategy(),
                "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                new PolicyBindingStrategy(),
                "validatingwebhookconfigurations.admissionregistration.k8s.io",
                new ValidatingWebhookConfigurationStrategy());
    }
}
