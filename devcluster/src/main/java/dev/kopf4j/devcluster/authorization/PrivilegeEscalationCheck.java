package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps users from giving rights that they have not: by writing a role, unless they may {@code escalate}, or by binding
 * one, unless they may {@code bind}. See "Privilege escalation prevention and bootstrapping" in Kubernetes'
 * documentation of RBAC. Thread-safe.
 */
public final class PrivilegeEscalationCheck {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private final boolean on;
    private final RbacAuthorizer rbacAuthorizer;

    /** Checks by these rights, or lets everything pass. */
    public PrivilegeEscalationCheck(boolean on, RbacAuthorizer rbacAuthorizer) {
        this.on = on;
        this.rbacAuthorizer = rbacAuthorizer;
    }

    /** Refuses the new state of an object by 403 if it gives more rights than its writer has. */
    public void check(UserInfo userInfo, String group, String plural, ObjectNode object) {
        if (!on || !group.equals(GROUP) || userInfo.isMaster()) {
            return;
        }
        String namespace = Json.string(object, "metadata", "namespace");
        String name = Json.string(object, "metadata", "name");
        switch (plural) {
            case "roles", "clusterroles" -> {
                if (!may(userInfo, "escalate", plural, namespace, name)) {
                    refuseMissing(userInfo, namespace, new StatusDetails(group, plural, name), rulesOf(object));
                }
            }
            case "rolebindings", "clusterrolebindings" -> {
                JsonNode reference = object.path("roleRef");
                boolean local = Json.string(reference, "kind").equals("Role");
                String role = Json.string(reference, "name");
                if (!may(userInfo, "bind", local ? "roles" : "clusterroles", namespace, role)) {
                    List<JsonNode> given = rbacAuthorizer.rulesOf(local, namespace, role);
                    refuseMissing(userInfo, namespace, new StatusDetails(group, plural, name), given);
                }
            }
            default -> {}
        }
    }

    private boolean may(UserInfo userInfo, String verb, String plural, String namespace, String name) {
        return rbacAuthorizer.allows(
                userInfo, new AuthorizationAttributes(verb, GROUP, plural, "", namespace, name, ""));
    }

    private static List<JsonNode> rulesOf(ObjectNode role) {
        return role.path("rules").valueStream().toList();
    }

    private void refuseMissing(UserInfo userInfo, String namespace, StatusDetails statusDetails, List<JsonNode> given) {
        List<JsonNode> owned = rbacAuthorizer.rules(userInfo, namespace);
        for (JsonNode rule : given) {
            for (AuthorizationAttributes single : singles(rule, namespace)) {
                if (owned.stream().noneMatch(each -> RbacAuthorizer.covers(each, single))) {
                    throw ApiException.forbidden(
                            statusDetails,
                            "user \"" + userInfo.name() + "\" (groups=" + Json.text(Json.array(userInfo.groups()))
                                    + ") is attempting to grant RBAC permissions not currently held: "
                                    + Json.text(rule),
                            List.of(),
                            "");
                }
            }
        }
    }

    /** All that a rule allows, one by one; a star stands for itself, which only a star covers. */
    private static List<AuthorizationAttributes> singles(JsonNode rule, String namespace) {
        List<AuthorizationAttributes> singles = new ArrayList<>();
        for (String verb : words(rule, "verbs")) {
            for (String url : words(rule, "nonResourceURLs")) {
                singles.add(new AuthorizationAttributes(verb, "", "", "", "", "", url));
            }
            for (String group : words(rule, "apiGroups")) {
                for (String resource : words(rule, "resources")) {
                    List<String> names = words(rule, "resourceNames");
                    for (String name : names.isEmpty() ? List.of("") : names) {
                        int slash = resource.indexOf('/');
                        String plural = slash < 0 ? resource : resource.substring(0, slash);
                        String subresource = slash < 0 ? "" : resource.substring(slash + 1);
                        singles.add(new AuthorizationAttributes(verb, group, plural, subresource, namespace, name, ""));
                    }
                }
            }
        }
        return singles;
    }

    private static List<String> words(JsonNode rule, String field) {
        return rule.path(field).valueStream().map(JsonNode::stringValue).toList();
    }
}
