package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps users from giving rights that they do not have: by writing a role, unless they may {@code escalate}, or by
 * binding one, unless they may {@code bind}. See the packages {@code policybased} below {@code pkg/registry/rbac},
 * v1.33. Thread-safe.
 */
public final class PrivilegeEscalationCheck {
    private final Map<String, EscalationRule> rules;

    /**
     * Creates the check.
     *
     * @param on whether it checks anything
     */
    public PrivilegeEscalationCheck(boolean on, RbacAuthorizer authorizer) {
        EscalationRule role = new RoleEscalation(authorizer);
        EscalationRule binding = new BindingEscalation(authorizer);
        this.rules = on
                ? Map.of(
                        "roles.rbac.authorization.k8s.io", role,
                        "clusterroles.rbac.authorization.k8s.io", role,
                        "rolebindings.rbac.authorization.k8s.io", binding,
                        "clusterrolebindings.rbac.authorization.k8s.io", binding)
                : Map.of();
    }

    /**
     * Refuses the next state of an object with 403 if it gives rights that its writer does not have.
     *
     * @param before the present state; null for a new object
     */
    public void check(UserInfo user, Resource resource, @Nullable ObjectNode before, ObjectNode object) {
        EscalationRule rule = rules.get(resource.qualified());
        if (rule != null && !user.isMaster() && !onlyReleases(before, object)) {
            rule.check(user, resource, before, object);
        }
    }

    /** Owners and finalizers may always change, so that an object can be collected as garbage. */
    private static boolean onlyReleases(@Nullable ObjectNode before, ObjectNode object) {
        return before != null && JsonEquality.same(withoutOwners(before), withoutOwners(object));
    }

    private static ObjectNode withoutOwners(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("ownerReferences", "finalizers", "managedFields"));
        }
        return copy;
    }
}
