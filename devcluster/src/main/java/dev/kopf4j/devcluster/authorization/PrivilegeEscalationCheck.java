package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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

    /**
     * A user who binds a role must have its rights, or the right to {@code bind} it: {@code Create} and {@code Update}
     * in {@code pkg/registry/rbac/rolebinding/policybased/storage.go}, v1.33. Thread-safe.
     */
    private static final class BindingEscalation implements EscalationRule {
        private final RbacAuthorizer authorizer;

        BindingEscalation(RbacAuthorizer authorizer) {
            this.authorizer = authorizer;
        }

        @Override
        public void check(UserInfo user, Resource resource, @Nullable ObjectNode before, ObjectNode binding) {
            String namespace = Json.string(binding, "metadata", "namespace");
            RoleReference role = RoleReference.of(binding, namespace);
            AuthorizationAttributes bind = new AuthorizationAttributes(
                    "bind", resource.group(), role.plural(), "", namespace, role.name(), "");
            if (!authorizer.allows(user, bind)) {
                if (!authorizer.exists(role)) {
                    throw ApiException.notFound(new StatusDetails(resource.group(), role.plural(), role.name()));
                }
                new GrantedRules(authorizer, user, namespace)
                        .check(resource.subject(Json.string(binding, "metadata", "name")), authorizer.rulesOf(role));
            }
        }
    }

    /**
     * A user who writes a role must have its rights, or the right to {@code escalate} it: {@code Create} and
     * {@code Update} in {@code pkg/registry/rbac/role/policybased/storage.go}, v1.33. Thread-safe.
     */
    private static final class RoleEscalation implements EscalationRule {
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
            AuthorizationAttributes escalation = new AuthorizationAttributes(
                    "escalate", resource.group(), resource.plural(), "", namespace, name, "");
            if (authorizer.allows(user, escalation)) {
                return;
            }
            GrantedRules granted = new GrantedRules(authorizer, user, namespace);
            granted.check(resource.subject(name), Json.items(role, "rules").toList());
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

    /** Keeps users from giving away rights that they do not have, by one kind of object. Thread-safe. */
    @FunctionalInterface
    private interface EscalationRule {
        /**
         * Refuses an object with 403 if it gives rights that its writer does not have.
         *
         * @param before the object before the change; null if it is new
         */
        void check(UserInfo user, Resource resource, @Nullable ObjectNode before, ObjectNode object);
    }

    /**
     * Compares the rules that a user gives away with those that the user has: {@code ConfirmNoEscalation} in
     * {@code pkg/registry/rbac/validation/rule.go}, v1.33. Confined to one check.
     */
    private static final class GrantedRules {
        private final UserInfo user;
        private final String namespace;
        private final List<JsonNode> owned;

        GrantedRules(RbacAuthorizer authorizer, UserInfo user, String namespace) {
            this.user = user;
            this.namespace = namespace;
            this.owned = authorizer.rules(user, namespace);
        }

        /** Whether the user has all of these rules. */
        boolean cover(List<JsonNode> rules) {
            return rules.stream()
                    .flatMap(rule -> singles(rule).stream())
                    .allMatch(single -> owned.stream().anyMatch(each -> PolicyRule.covers(each, single)));
        }

        /** Refuses an object with 403 if it gives away a rule that the user does not have. */
        void check(StatusDetails object, List<JsonNode> given) {
            for (JsonNode rule : given) {
                for (AuthorizationAttributes single : singles(rule)) {
                    if (owned.stream().noneMatch(each -> PolicyRule.covers(each, single))) {
                        throw ApiException.forbidden(
                                object,
                                "user \"" + user.name() + "\" (groups=" + Json.text(Json.array(user.groups()))
                                        + ") is attempting to grant RBAC permissions not currently held: "
                                        + Json.text(rule),
                                List.of(),
                                "");
                    }
                }
            }
        }

        /**
         * All single acts that a rule allows. A star stays a star, which only another star covers. See
         * {@code BreakdownRule} in {@code auth/rbac/validation/policy_comparator.go} of component-helpers, v1.33.
         */
        private List<AuthorizationAttributes> singles(JsonNode rule) {
            List<AuthorizationAttributes> singles = new ArrayList<>();
            for (String verb : words(rule, "verbs")) {
                for (String url : words(rule, "nonResourceURLs")) {
                    singles.add(AuthorizationAttributes.ofPath(verb, url));
                }
                for (String group : words(rule, "apiGroups")) {
                    for (String resource : words(rule, "resources")) {
                        singles(verb, group, resource, words(rule, "resourceNames"), singles);
                    }
                }
            }
            return singles;
        }

        private void singles(
                String verb, String group, String resource, List<String> names, List<AuthorizationAttributes> into) {
            int slash = resource.indexOf('/');
            String plural = slash < 0 ? resource : resource.substring(0, slash);
            String subresource = slash < 0 ? "" : resource.substring(slash + 1);
            for (String name : names.isEmpty() ? List.of("") : names) {
                into.add(new AuthorizationAttributes(verb, group, plural, subresource, namespace, name, ""));
            }
        }

        private static List<String> words(JsonNode rule, String field) {
            return Json.items(rule, field).map(JsonNode::stringValue).toList();
        }
    }
}
