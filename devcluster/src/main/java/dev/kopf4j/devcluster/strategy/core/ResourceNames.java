package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import java.util.Set;

/**
 * Names of amounts, such as {@code cpu} or {@code example.com/gpu}: {@code validateResourceName} and its users in
 * {@code pkg/apis/core/validation/validation.go}, and {@code pkg/apis/core/helper/helpers.go}, v1.33. Pure.
 */
final class ResourceNames {
    private static final Set<String> STANDARD = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage",
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "storage",
            "requests.storage",
            "services.nodeports",
            "services.loadbalancers");

    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");

    private ResourceNames() {}

    /** What is wrong with a qualified name; nothing if it is right. */
    static List<String> qualifiedProblems(String name) {
        String problem = LabelSyntax.key(name);
        return problem.isEmpty() ? List.of() : List.of(problem);
    }

    /** Whether Kubernetes itself defines the amount. */
    static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    /** Requires a qualified name, or the short one of a standard amount. */
    static void check(String name, String path, FieldChecks checks) {
        qualified(name, path, checks);
        if (!name.contains("/") && !STANDARD.contains(name) && !isOfQuota(name)) {
            checks.problem("must be a standard resource type or fully qualified", path, name);
        }
    }

    /** The same for what a container may ask for. */
    static void checkOfContainer(String name, String path, FieldChecks checks) {
        check(name, path, checks);
        if (!name.contains("/") && !OF_CONTAINERS.contains(name) && !name.startsWith("hugepages-")) {
            checks.problem("must be a standard resource for containers", path, name);
        }
    }

    /** The same for what a quota may count. */
    static void checkOfQuota(String name, String path, FieldChecks checks) {
        check(name, path, checks);
        if (!name.contains("/") && !STANDARD.contains(name) && !isOfQuota(name)) {
            checks.problem("must be a standard resource for quota", path, name);
        }
    }

    private static boolean isOfQuota(String name) {
        return name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
    }

    private static void qualified(String name, String path, FieldChecks checks) {
        qualifiedProblems(name).forEach(problem -> checks.problem(problem, path, name));
    }

    /** Whether an amount is counted in whole numbers: objects, and all that is not native. */
    static boolean isWhole(String name) {
        return Set.of(
                                "pods",
                                "resourcequotas",
                                "services",
                                "replicationcontrollers",
                                "secrets",
                                "configmaps",
                                "persistentvolumeclaims",
                                "services.nodeports",
                                "services.loadbalancers")
                        .contains(name)
                || !isNative(name);
    }
}
