package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group rbac.authorization.k8s.io. */
public final class RbacStrategies {
    private RbacStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "clusterrolebindings.rbac.authorization.k8s.io", new ClusterRoleBindingStrategy(),
                "clusterroles.rbac.authorization.k8s.io", new ClusterRoleStrategy(),
                "rolebindings.rbac.authorization.k8s.io", new RoleBindingStrategy(),
                "roles.rbac.authorization.k8s.io", new RoleStrategy());
    }
}
