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

/**
 * Role based access control over the roles and bindings in the store: {@code plugin/pkg/auth/authorizer/rbac/rbac.go},
 * v1.33. Thread-safe.
 */
public final class RbacAuthorizer {
    private static final Set<String> PUBLIC =
            Set.of("/healthz", "/livez", "/readyz", "/version", "/version/", "/healthz/ping");
    private static final List<String> DISCOVERY = List.of("/api", "/apis", "/openapi");
    private static final Set<String> SELF =
            Set.of("selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews");

    private static final String GROUP = "rbac.authorization.k8s.io/";
    private final ObjectStore objectStore;

    /** Authorizes by the roles and bindings in a store. */
    public RbacAuthorizer(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    /** Whether a user may do something. */
    public boolean allows(UserInfo user, AuthorizationAttributes attributes) {
        return user.isMaster()
                || allowsEverybody(user, attributes)
                || rules(user, attributes.namespace()).stream().anyMatch(rule -> PolicyRule.covers(rule, attributes));
    }

    /** Names the binding that lets a user do something; empty if there is none. */
    Optional<String> reason(UserInfo user, AuthorizationAttributes attributes) {
        return bindings(attributes.namespace()).stream()
                .filter(binding ->
                        granted(binding, user).stream().anyMatch(rule -> PolicyRule.covers(rule, attributes)))
                .map(binding -> "RBAC: allowed by " + describe(binding, user))
                .findFirst();
    }

    private static String describe(StoredObject binding, UserInfo user) {
        String namespace = binding.namespace();
        JsonNode tree = binding.tree();
        String who = subjectFor(tree, user, namespace)
                .map(subject -> describeSubject(subject, namespace))
                .orElse("");
        String what = namespace.isEmpty()
                ? "ClusterRoleBinding " + FieldError.quote(binding.name())
                : "RoleBinding " + FieldError.quote(binding.name() + "/" + namespace);
        return what + " of " + Json.string(tree, "roleRef", "kind") + " "
                + FieldError.quote(Json.string(tree, "roleRef", "name")) + " to " + who;
    }

    /** The rules that a user has in a namespace, or in the cluster if it is empty. */
    public List<JsonNode> rules(UserInfo user, String namespace) {
        return bindings(namespace).stream()
                .flatMap(binding -> granted(binding, user).stream())
                .toList();
    }

    private List<StoredObject> bindings(String namespace) {
        List<StoredObject> bindings = new ArrayList<>(list("clusterrolebindings", ""));
        if (!namespace.isEmpty()) {
            bindings.addAll(list("rolebindings", namespace));
        }
        return bindings;
    }

    private List<StoredObject> list(String plural, String namespace) {
        return objectStore.list(objectStore.bucket(GROUP + plural), namespace).objects();
    }

    /** The rules that a binding gives a user. */
    private List<JsonNode> granted(StoredObject binding, UserInfo user) {
        JsonNode tree = binding.tree();
        return subjectFor(tree, user, binding.namespace()).isEmpty()
                ? List.of()
                : rulesOf(RoleReference.of(tree, binding.namespace()));
    }

    /** The rules of a role, or of a cluster role with those that it aggregates; none if there is no such role. */
    List<JsonNode> rulesOf(RoleReference role) {
        List<JsonNode> rules = new ArrayList<>();
        addRules(role, rules, new HashSet<>());
        return rules;
    }

    /** Whether there is such a role. */
    boolean exists(RoleReference role) {
        return objectStore.bucket(GROUP + role.plural()).get(role.namespace(), role.name()) != null;
    }

    private void addRules(RoleReference reference, List<JsonNode> into, Set<String> visited) {
        StoredObject role = objectStore.bucket(GROUP + reference.plural()).get(reference.namespace(), reference.name());
        if (role == null || !visited.add(reference.name())) {
            return;
        }
        JsonNode tree = role.tree();
        tree.path("rules").forEach(into::add);
        for (JsonNode selector : tree.path("aggregationRule").path("clusterRoleSelectors")) {
            LabelSelector wanted = LabelSelector.of(selector);
            for (StoredObject other : list("clusterroles", "")) {
                if (wanted.matches(other.tree().path("metadata").path("labels"))) {
                    addRules(new RoleReference("", other.name()), into, visited);
                }
            }
        }
    }

    /**
     * The first subject of a binding that stands for a user: {@code appliesToUser} in
     * {@code pkg/registry/rbac/validation/rule.go}, v1.33.
     *
     * @param namespace the namespace of the binding; empty for one in the cluster
     */
    private static Optional<JsonNode> subjectFor(JsonNode binding, UserInfo user, String namespace) {
        return Json.items(binding, "subjects")
                .filter(subject -> is(subject, user, namespace))
                .findFirst();
    }

    private static boolean is(JsonNode subject, UserInfo user, String namespace) {
        String name = Json.string(subject, "name");
        return switch (Json.string(subject, "kind")) {
            case "User" -> name.equals(user.name());
            case "Group" -> user.groups().contains(name);
            case "ServiceAccount" ->
                user.name().equals("system:serviceaccount:" + home(subject, namespace) + ":" + name);
            default -> false;
        };
    }

    private static String home(JsonNode subject, String namespace) {
        String own = Json.string(subject, "namespace");
        return own.isEmpty() ? namespace : own;
    }

    /** Describes a subject, as reviews and messages do. */
    private static String describeSubject(JsonNode subject, String namespace) {
        String kind = Json.string(subject, "kind");
        String name = Json.string(subject, "name");
        boolean account = kind.equals("ServiceAccount");
        return kind + " " + FieldError.quote(account ? name + "/" + home(subject, namespace) : name);
    }

    /**
     * What every user may do: ask for the server's health, discover what it serves, and review their own access;
     * {@code system:public-info-viewer}, {@code system:discovery} and {@code system:basic-user} of
     * {@code plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go}, v1.33.
     */
    private static boolean allowsEverybody(UserInfo user, AuthorizationAttributes attributes) {
        boolean known = user.groups().contains(UserInfo.AUTHENTICATED);
        if (!attributes.isResource()) {
            boolean reads = attributes.verb().equals("get") || attributes.verb().equals("head");
            return reads
                    && (PUBLIC.contains(attributes.path())
                            || (known && DISCOVERY.stream().anyMatch(attributes.path()::startsWith)));
        }
        return known && attributes.verb().equals("create") && SELF.contains(attributes.resource());
    }
}
