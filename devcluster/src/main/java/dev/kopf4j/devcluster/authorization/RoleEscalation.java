package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import tools.jackson.databind.node.ObjectNode;

/**
 * A user who writes a role must have its rights, or the right to {@code escalate} it: {@code Create} and {@code Update}
 * in {@code pkg/registry/rbac/role/policybased/storage.go}, v1.33. Thread-safe.
 */
final class RoleEscalation implements EscalationRule {
    private final RbacAuthorizer authorizer;

    RoleEscalation(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public void check(UserInfo user, Resource resource, ObjectNode role) {
        String namespace = Json.string(role, "metadata", "namespace");
        String name = Json.string(role, "metadata", "name");
        AuthorizationAttributes escalation =
                new AuthorizationAttributes("escalate", resource.group(), resource.plural(), "", namespace, name, "");
        if (!authorizer.allows(user, escalation)) {
            new GrantedRules(authorizer, user, namespace)
                    .check(
                            resource.subject(name),
                            role.path("rules").valueStream().toList());
        }
    }
}
