package dev.kopf4j.devcluster.meta;

import dev.kopf4j.devcluster.resource.Resource;
import java.util.Set;

/**
 * How the metadata of a kind is checked: by how many layers at an update, which report the same error each, and whether
 * finalizers need a domain. Two layers are those of all kinds ({@code BeforeUpdate} in
 * {@code pkg/registry/rest/update.go} of the apiserver library); most kinds call {@code ValidateObjectMetaUpdate} too,
 * many also {@code ValidateX}, once or twice (their {@code ValidateUpdate} in {@code pkg/registry}, v1.33).
 *
 * @param onUpdate the number of layers at an update
 * @param qualifiesFinalizers whether the validation of {@code pkg/apis/core} is one of them
 */
record MetadataChecks(int onUpdate, boolean qualifiesFinalizers) {
    private static final int GENERIC = 2;
    private static final Set<String> GENERIC_ONLY = Set.of("events", "poddisruptionbudgets.policy");

    private static final Set<String> ONCE_MORE = Set.of(
            "configmaps",
            "endpoints",
            "persistentvolumes",
            "pods",
            "replicationcontrollers",
            "secrets",
            "serviceaccounts",
            "services",
            "namespaces",
            "nodes",
            "daemonsets.apps",
            "replicasets.apps",
            "jobs.batch",
            "ingresses.networking.k8s.io",
            "ingressclasses.networking.k8s.io",
            "networkpolicies.networking.k8s.io",
            "runtimeclasses.node.k8s.io",
            "storageclasses.storage.k8s.io",
            "csinodes.storage.k8s.io",
            "csistoragecapacities.storage.k8s.io",
            "volumeattachments.storage.k8s.io",
            "apiservices.apiregistration.k8s.io");

    private static final Set<String> TWICE_MORE = Set.of(
            "persistentvolumeclaims",
            "controllerrevisions.apps",
            "roles.rbac.authorization.k8s.io",
            "rolebindings.rbac.authorization.k8s.io",
            "clusterroles.rbac.authorization.k8s.io",
            "clusterrolebindings.rbac.authorization.k8s.io");

    private static final Set<String> GENERIC_FINALIZERS = Set.of(
            "events",
            "leases.coordination.k8s.io",
            "runtimeclasses.node.k8s.io",
            "poddisruptionbudgets.policy",
            "validatingwebhookconfigurations.admissionregistration.k8s.io",
            "mutatingwebhookconfigurations.admissionregistration.k8s.io",
            "validatingadmissionpolicies.admissionregistration.k8s.io",
            "validatingadmissionpolicybindings.admissionregistration.k8s.io",
            "apiservices.apiregistration.k8s.io",
            "customresourcedefinitions.apiextensions.k8s.io");

    static MetadataChecks of(Resource resource) {
        String name = resource.qualified();
        if (resource.isCustom() || GENERIC_ONLY.contains(name)) {
            return new MetadataChecks(GENERIC, false);
        }
        int more = TWICE_MORE.contains(name) ? 3 : ONCE_MORE.contains(name) ? 2 : 1;
        return new MetadataChecks(GENERIC + more, !GENERIC_FINALIZERS.contains(name));
    }
}
