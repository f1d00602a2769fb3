package dev.kopf4j.devcluster.access;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Subject;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps users from giving rights that they have not: by writing a role, unless they may {@code escalate}, or by binding
 * one, unless they may {@code bind}. See "Privilege escalation prevention and bootstrapping" in Kubernetes'
 * documentation of RBAC. Thread-safe.
 */
public final class Escalation {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private final boolean on;
    private final Rbac rbac;

    /** Checks by these rights, or lets everything pass. */
    public Escalation(boolean on, Rbac rbac) {
        this.on = on;
        this.rbac = rbac;
    }

    /** Refuses the new state of an object by 403 if it gives more rights than its writer has. */
    public void check(User user, String group, String plural, ObjectNode object) {
        if (!on || !group.equals(GROUP) || user.isMaster()) {
            return;
        }
        String namespace = Json.string(object, "metadata", "namespace");
        String name = Json.string(object, "metadata", "name");
        switch (plural) {
            case "roles", "clusterroles" -> {
                if (!may(user, "escalate", plural, namespace, name)) {
                    refuseMissing(user, namespace, new Subject(group, plural, name), rulesOf(object));
                }
            }
            case "rolebindings", "clusterrolebindings" -> {
                JsonNode reference = object.path("roleRef");
                boolean local = Json.string(reference, "kind").equals("Role");
                String role = Json.string(reference, "name");
                if (!may(user, "bind", local ? "roles" : "clusterroles", namespace, role)) {
                    List<JsonNode> given = rbac.rulesOf(local, namespace, role);
                    refuseMissing(user, namespace, new Subject(group, plural, name), given);
                }
            }
            default -> {}
        }
    }

    private boolean may(User user, String verb, String plural, String namespace, String name) {
        return rbac.allows(user, new Attributes(verb, GROUP, plural, "", namespace, name, ""));
    }

    private static List<JsonNode> rulesOf(ObjectNode role) {
        return role.path("rules").valueStream().toList();
    }

    private void refuseMissing(User user, String namespace, Subject subject, List<JsonNode> given) {
        List<JsonNode> owned = rbac.rules(user, namespace);
        for (JsonNode rule : given) {
            for (Attributes single : singles(rule, namespace)) {
                if (owned.stream().noneMatch(each -> Rbac.covers(each, single))) {
                    throw ApiException.forbidden(
                            subject,
                            "user \"" + user.name() + "\" (groups=" + Json.text(Json.array(user.groups()))
                                    + ") is attempting to grant RBAC permissions not currently held: "
                                    + Json.text(rule),
                            List.of(),
                            "");
                }
            }
        }
    }

    /** All that a rule allows, one by one; a star stands for itself, which only a star covers. */
    private static List<Attributes> singles(JsonNode rule, String namespace) {
        List<Attributes> singles = new ArrayList<>();
        for (String verb : words(rule, "verbs")) {
            for (String url : words(rule, "nonResourceURLs")) {
                singles.add(new Attributes(verb, "", "", "", "", "", url));
            }
            for (String group : words(rule, "apiGroups")) {
                for (String resource : words(rule, "resources")) {
                    List<String> names = words(rule, "resourceNames");
                    for (String name : names.isEmpty() ? List.of("") : names) {
                        int slash = resource.indexOf('/');
                        String plural = slash < 0 ? resource : resource.substring(0, slash);
                        String subresource = slash < 0 ? "" : resource.substring(slash + 1);
                        singles.add(new Attributes(verb, group, plural, subresource, namespace, name, ""));
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
