package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import java.util.Locale;
import java.util.Set;

/** The resources that the framework itself uses. Every cluster serves them, so they need no discovery. */
public final class WellKnownResources {
    /** Namespaces. */
    public static final Resource NAMESPACES = resource("", "namespaces", "Namespace", Set.of("ns"), false);

    /** Events, as {@code kubectl describe} shows them with an object. */
    public static final Resource EVENTS = resource("", "events", "Event", Set.of("ev"), true);

    /** Custom resource definitions. */
    public static final Resource CUSTOM_RESOURCE_DEFINITIONS = resource(
            "apiextensions.k8s.io",
            "customresourcedefinitions",
            "CustomResourceDefinition",
            Set.of("crd", "crds"),
            false);

    /** Leases, by which replicas choose a leader. */
    public static final Resource LEASES = resource("coordination.k8s.io", "leases", "Lease", Set.of(), true);

    /** Secrets. */
    public static final Resource SECRETS = resource("", "secrets", "Secret", Set.of(), true);

    /** The configurations of validating webhooks. */
    public static final Resource VALIDATING_WEBHOOK_CONFIGURATIONS = resource(
            "admissionregistration.k8s.io",
            "validatingwebhookconfigurations",
            "ValidatingWebhookConfiguration",
            Set.of(),
            false);

    /** The configurations of mutating webhooks. */
    public static final Resource MUTATING_WEBHOOK_CONFIGURATIONS = resource(
            "admissionregistration.k8s.io",
            "mutatingwebhookconfigurations",
            "MutatingWebhookConfiguration",
            Set.of(),
            false);

    /** Questions about the rights of the account in use; they are only created. */
    public static final Resource SELF_SUBJECT_ACCESS_REVIEWS =
            resource("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", Set.of(), false);

    private WellKnownResources() {}

    private static Resource resource(
            String group, String plural, String kind, Set<String> shortNames, boolean namespaced) {
        return new Resource(
                group,
                "v1",
                new Resource.Names(plural, kind, kind.toLowerCase(Locale.ROOT), shortNames, Set.of()),
                Set.of("status"),
                namespaced,
                true,
                Set.of("list", "watch"));
    }
}
