package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The subjects of bindings: {@code appliesToUser} and {@code describeSubject} in
 * {@code pkg/registry/rbac/validation/rule.go}, v1.33. Pure.
 */
final class BindingSubjects {
    private BindingSubjects() {}

    /**
     * The first subject of a binding that stands for a user.
     *
     * @param namespace the namespace of the binding; empty for one in the cluster
     */
    static Optional<JsonNode> find(JsonNode binding, UserInfo user, String namespace) {
        return binding.path("subjects")
                .valueStream()
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
    static String describe(JsonNode subject, String namespace) {
        String kind = Json.string(subject, "kind");
        String name = Json.string(subject, "name");
        boolean account = kind.equals("ServiceAccount");
        return kind + " " + FieldError.quote(account ? name + "/" + home(subject, namespace) : name);
    }
}
