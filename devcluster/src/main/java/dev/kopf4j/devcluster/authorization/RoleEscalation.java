package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A user who writes a role must have its rights, or the right to {@code escalate} it: {@code Create} and {@code Update}
 * in {@code pkg/registry/rbac/role/policybased/storage.go}, v1.33. Thread-safe.
 */
final class RoleEscalation implements EscalationRule {
    private static final List<JsonNode> EVERYTHING =
            Json.parse("""
            [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}, {"verbs": ["*"], "nonResourceURLs": ["*"]}]
            """).valueStream().toList();

    private final RbacAuthorizer authorizer;

    RoleEscalation(RbacAuthorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public void check(UserInfo user, Resource resource, @Nullable ObjectNode before, ObjectNode role) {
        String namespace = Json.string(role, "metadata", "namespace");
        String name = Json.string(role, "metadata", "name");
        AuthorizationAttributes escalation =
                new AuthorizationAttributes("escalate", resource.group(), resource.plural(), "", namespace, name, "");
        if (authorizer.allows(user, escalation)) {
            return;
        }
        GrantedRules granted = new GrantedRules(authorizer, user, namespace);
        granted.check(resource.subject(name), role.path("rules").valueStream().toList());
        if ((aggregates(role) || (before != null && aggregates(before))) && !granted.cover(EVERYTHING)) {
            throw ApiException.forbidden(
                    resource.subject(name),
                    "must have cluster-admin privileges to use the aggregationRule",
                    List.of(),
                    "");
        }
    }

    /** Such a role can come to have any rules. */
    private static boolean aggregates(ObjectNode role) {
        return !role.path("aggregationRule").path("clusterRoleSelectors").isEmpty();
    }
}
