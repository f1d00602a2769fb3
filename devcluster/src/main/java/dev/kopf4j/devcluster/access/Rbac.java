package dev.kopf4j.devcluster.access;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.store.Store;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Role based access control over the roles and bindings in the store. Thread-safe. */
public final class Rbac {
    private static final String GROUP = "rbac.authorization.k8s.io/";
    private final Store store;

    /** Rights from that store. */
    public Rbac(Store store) {
        this.store = store;
    }

    /** Whether somebody may do something. */
    public boolean allows(User user, Attributes attributes) {
        return user.isMaster()
                || Basics.allow(user, attributes)
                || rules(user, attributes.namespace()).stream().anyMatch(rule -> covers(rule, attributes));
    }

    /** Which binding lets somebody do something, in words; nothing when none does. */
    Optional<String> reason(User user, Attributes attributes) {
        List<StoredObject> bindings = new ArrayList<>(list("clusterrolebindings", ""));
        if (!attributes.namespace().isEmpty()) {
            bindings.addAll(list("rolebindings", attributes.namespace()));
        }
        return bindings.stream()
                .filter(binding -> grants(binding, user, attributes))
                .map(binding -> "RBAC: allowed by " + words(binding, user))
                .findFirst();
    }

    private boolean grants(StoredObject binding, User user, Attributes attributes) {
        List<JsonNode> rules = new ArrayList<>();
        collect(user, binding, binding.namespace(), rules);
        return rules.stream().anyMatch(rule -> covers(rule, attributes));
    }

    private static String words(StoredObject binding, User user) {
        String namespace = binding.namespace();
        JsonNode tree = binding.tree();
        String who = tree.path("subjects")
                .valueStream()
                .filter(subject -> isHim(subject, user, namespace))
                .findFirst()
                .map(subject -> subjectWords(subject, namespace))
                .orElse("");
        String what = namespace.isEmpty()
                ? "ClusterRoleBinding " + Cause.quote(binding.name())
                : "RoleBinding " + Cause.quote(binding.name() + "/" + namespace);
        return what + " of " + Json.string(tree, "roleRef", "kind") + " "
                + Cause.quote(Json.string(tree, "roleRef", "name")) + " to " + who;
    }

    private static String subjectWords(JsonNode subject, String namespace) {
        String kind = Json.string(subject, "kind");
        String name = Json.string(subject, "name");
        String home = Json.string(subject, "namespace");
        return kind + " "
                + Cause.quote(kind.equals("ServiceAccount") ? name + "/" + (home.isEmpty() ? namespace : home) : name);
    }

    /** The rules that somebody has in a namespace, or in the cluster when it is empty. */
    public List<JsonNode> rules(User user, String namespace) {
        List<JsonNode> rules = new ArrayList<>();
        for (StoredObject binding : list("clusterrolebindings", "")) {
            collect(user, binding, "", rules);
        }
        if (!namespace.isEmpty()) {
            for (StoredObject binding : list("rolebindings", namespace)) {
                collect(user, binding, namespace, rules);
            }
        }
        return rules;
    }

    private List<StoredObject> list(String plural, String namespace) {
        return store.list(store.bucket(GROUP + plural), namespace).objects();
    }

    private void collect(User user, StoredObject binding, String namespace, List<JsonNode> into) {
        JsonNode tree = binding.tree();
        if (tree.path("subjects").valueStream().anyMatch(subject -> isHim(subject, user, namespace))) {
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
        StoredObject role =
                store.bucket(GROUP + (inNamespace ? "roles" : "clusterroles")).get(inNamespace ? namespace : "", name);
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

    private static boolean isHim(JsonNode subject, User user, String namespace) {
        String name = Json.string(subject, "name");
        return switch (Json.string(subject, "kind")) {
            case "User" -> name.equals(user.name());
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" -> {
                String home = Json.string(subject, "namespace");
                yield user.name().equals("system:serviceaccount:" + (home.isEmpty() ? namespace : home) + ":" + name);
            }
            default -> false;
        };
    }

    /** Whether a rule covers what is asked. */
    static boolean covers(JsonNode rule, Attributes attributes) {
        if (!names(rule.path("verbs"), attributes.verb())) {
            return false;
        }
        if (!attributes.isResource()) {
            return rule.path("nonResourceURLs")
                    .valueStream()
                    .map(JsonNode::stringValue)
                    .anyMatch(url -> url.equals("*")
                            || url.equals(attributes.path())
                            || (url.endsWith("*") && attributes.path().startsWith(url.substring(0, url.length() - 1))));
        }
        JsonNode allowed = rule.path("resourceNames");
        return names(rule.path("apiGroups"), attributes.group())
                && resource(rule.path("resources"), attributes)
                && (allowed.isEmpty() || names(allowed, attributes.name()));
    }

    private static boolean resource(JsonNode resources, Attributes attributes) {
        return names(resources, attributes.qualifiedResource())
                || (!attributes.subresource().isEmpty() && contains(resources, "*/" + attributes.subresource()));
    }

    private static boolean names(JsonNode words, String word) {
        return contains(words, "*") || contains(words, word);
    }

    private static boolean contains(JsonNode words, String word) {
        return words.valueStream().anyMatch(each -> each.stringValue().equals(word));
    }
}
