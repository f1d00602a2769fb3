package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A user who binds a role must have its rights, or the right to {@code bind} it: {@code Create} and {@code Update} in
 * {@code pkg/registry/rbac/rolebinding/policybased/storage.go}, v1.33. Thread-safe.
 */
final class BindingEscalation implements EscalationRule {
    private final RbacAuthorizer authorizer;

    BindingEscalation(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public void check(UserInfo user, Resource resource, @Nullable ObjectNode before, ObjectNode binding) {
        String namespace = Json.string(binding, "metadata", "namespace");
        RoleReference role = RoleReference.of(binding, namespace);
        AuthorizationAttributes bind =
                new AuthorizationAttributes("bind", resource.group(), role.plural(), "", namespace, role.name(), "");
        if (!authorizer.allows(user, bind)) {
            if (!authorizer.exists(role)) {
                throw ApiException.notFound(new StatusDetails(resource.group(), role.plural(), role.name()));
            }
            new GrantedRules(authorizer, user, namespace)
                    .check(resource.subject(Json.string(binding, "metadata", "name")), authorizer.rulesOf(role));
        }
    }
}
