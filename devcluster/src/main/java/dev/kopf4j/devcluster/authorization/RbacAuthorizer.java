package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Role based access control over the roles and bindings in the store. Thread-safe. */
public final class RbacAuthorizer {
    private static final String GROUP = "rbac.authorization.k8s.io/";
    private final ObjectStore objectStore;

    /** Rights from that store. */
    public RbacAuthorizer(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    /** Whether somebody may do something. */
    public boolean allows(UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        return userInfo.isMaster()
                || DefaultPermissions.allow(userInfo, authorizationAttributes)
                || rules(userInfo, authorizationAttributes.namespace()).stream()
                        .anyMatch(rule -> covers(rule, authorizationAttributes));
    }

    /** Which binding lets somebody do something, in words; nothing when none does. */
    Optional<String> reason(UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        List<StoredObject> bindings = new ArrayList<>(list("clusterrolebindings", ""));
        if (!authorizationAttributes.namespace().isEmpty()) {
            bindings.addAll(list("rolebindings", authorizationAttributes.namespace()));
        }
        return bindings.stream()
                .filter(binding -> grants(binding, userInfo, authorizationAttributes))
                .map(binding -> "RBAC: allowed by " + words(binding, userInfo))
                .findFirst();
    }

    private boolean grants(StoredObject binding, UserInfo userInfo, AuthorizationAttributes authorizationAttributes) {
        List<JsonNode> rules = new ArrayList<>();
        collect(userInfo, binding, binding.namespace(), rules);
        return rules.stream().anyMatch(rule -> covers(rule, authorizationAttributes));
    }

    private static String words(StoredObject binding, UserInfo userInfo) {
        String namespace = binding.namespace();
        JsonNode tree = binding.tree();
        String who = tree.path("subjects")
                .valueStream()
                .filter(subject -> isSubject(subject, userInfo, namespace))
                .findFirst()
                .map(subject -> subjectWords(subject, namespace))
                .orElse("");
        String what = namespace.isEmpty()
                ? "ClusterRoleBinding " + FieldError.quote(binding.name())
                : "RoleBinding " + FieldError.quote(binding.name() + "/" + namespace);
        return what + " of " + Json.string(tree, "roleRef", "kind") + " "
                + FieldError.quote(Json.string(tree, "roleRef", "name")) + " to " + who;
    }

    private static String subjectWords(JsonNode subject, String namespace) {
        String kind = Json.string(subject, "kind");
        String name = Json.string(subject, "name");
        String home = Json.string(subject, "namespace");
        return kind + " "
                + FieldError.quote(
                        kind.equals("ServiceAccount") ? name + "/" + (home.isEmpty() ? namespace : home) : name);
    }

    /** The rules that somebody has in a namespace, or in the cluster when it is empty. */
    public List<JsonNode> rules(UserInfo userInfo, String namespace) {
        List<JsonNode> rules = new ArrayList<>();
        for (StoredObject binding : list("clusterrolebindings", "")) {
            collect(userInfo, binding, "", rules);
        }
        if (!namespace.isEmpty()) {
            for (StoredObject binding : list("rolebindings", namespace)) {
                collect(userInfo, binding, namespace, rules);
            }
        }
        return rules;
    }

    private List<StoredObject> list(String plural, String namespace) {
        return objectStore.list(objectStore.bucket(GROUP + plural), namespace).objects();
    }

    private void collect(UserInfo userInfo, StoredObject binding, String namespace, List<JsonNode> into) {
        JsonNode tree = binding.tree();
        if (tree.path("subjects").valueStream().anyMatch(subject -> isSubject(subject, userInfo, namespace))) {
            JsonNode reference = tree.path("roleRef");
            boolean inNamespace = Json.string(reference, "kind").equals("Role");
            into.addAll(rulesOf(inNamespace, namespace, Json.string(reference, "name")));
        }
    }

    /** The rules of a role, or of a cluster role with those that it aggregates; none when there is no such role. */
    List<JsonNode> rulesOf(boolean inNamespace, String namespace, String name) {
        List<JsonNode> rules = new ArrayList<>();
        addRules(inNamespace, namespace, name, rules, new HashSet<>());
        return rules;
    }

    private void addRules(
            boolean inNamespace, String namespace, String name, List<JsonNode> into, Set<String> visited) {
        StoredObject role = objectStore
                .bucket(GROUP + (inNamespace ? "roles" : "clusterroles"))
                .get(inNamespace ? namespace : "", name);
        if (role == null || !visited.add(name)) {
            return;
        }
        JsonNode tree = role.tree();
        tree.path("rules").forEach(into::add);
        for (JsonNode selector : tree.path("aggregationRule").path("clusterRoleSelectors")) {
            LabelSelector wanted = LabelSelector.of(selector);
            for (StoredObject other : list("clusterroles", "")) {
                if (wanted.matches(other.tree().path("metadata").path("labels"))) {
                    addRules(false, "", other.name(), into, visited);
                }
            }
        }
    }

    private static boolean isSubject(JsonNode subject, UserInfo userInfo, String namespace) {
        String name = Json.string(subject, "name");
        return switch (Json.string(subject, "kind")) {
            case "User" -> name.equals(userInfo.name());
            case "Group" -> userInfo.groups().contains(name);
            case "ServiceAccount" -> {
                String home = Json.string(subject, "namespace");
                yield userInfo.name()
                        .equals("system:serviceaccount:" + (home.isEmpty() ? namespace : home) + ":" + name);
            }
            default -> false;
        };
    }

    /** Whether a rule covers what is asked. */
    static boolean covers(JsonNode rule, AuthorizationAttributes authorizationAttributes) {
        if (!names(rule.path("verbs"), authorizationAttributes.verb())) {
            return false;
        }
        if (!authorizationAttributes.isResource()) {
            return rule.path("nonResourceURLs")
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .anyMatch(url -> url.equals("*")
                            || url.equals(authorizationAttributes.path())
                            || (url.endsWith("*")
                                    && authorizationAttributes.path().startsWith(url.substring(0, url.length() - 1))));
        }
        JsonNode allowed = rule.path("resourceNames");
        return names(rule.path("apiGroups"), authorizationAttributes.group())
                && resource(rule.path("resources"), authorizationAttributes)
                && (allowed.isEmpty() || names(allowed, authorizationAttributes.name()));
    }

    private static boolean resource(JsonNode resources, AuthorizationAttributes authorizationAttributes) {
        return names(resources, authorizationAttributes.qualifiedResource())
                || (!authorizationAttributes.subresource().isEmpty()
                        && contains(resources, "*/" + authorizationAttributes.subresource()));
    }

    private static boolean names(JsonNode words, String word) {
        return contains(words, "*") || contains(words, word);
    }

    private static boolean contains(JsonNode words, String word) {
        return words.valueStream().anyMatch(each -> each.stringValue().equals(word));
    }
}
