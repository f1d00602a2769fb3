package dev.kopf4j.cli.rbac;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The rights that manifests grant. A role of the cluster counts where it is bound; without a binding, in the whole
 * cluster. Pure.
 *
 * @param objects all objects, of which roles and bindings count
 */
public record GrantedRoles(List<JsonNode> objects) {
    /** Copies the list. */
    public GrantedRoles {
        objects = List.copyOf(objects);
    }

    List<Grant> grants() {
        List<Grant> grants = new ArrayList<>();
        for (JsonNode object : objects) {
            String name = object.at("/metadata/name").asString("");
            switch (object.path("kind").asString("")) {
                case "ClusterRole" -> places(name).forEach(place -> add(object, place, grants));
                case "Role" -> add(object, object.at("/metadata/namespace").asString("default"), grants);
                default -> {}
            }
        }
        return grants;
    }

    private Set<@Nullable String> places(String clusterRole) {
        Set<@Nullable String> places = new HashSet<>();
        for (JsonNode object : objects) {
            boolean binds = object.at("/roleRef/kind").asString("").equals("ClusterRole")
                    && object.at("/roleRef/name").asString("").equals(clusterRole);
            if (binds) {
                places.add(
                        object.path("kind").asString("").equals("ClusterRoleBinding")
                                ? null
                                : object.at("/metadata/namespace").asString("default"));
            }
        }
        if (places.isEmpty()) {
            places.add(null);
        }
        return places;
    }

    private static void add(JsonNode role, @Nullable String namespace, List<Grant> grants) {
        String origin =
                role.path("kind").asString() + " " + role.at("/metadata/name").asString();
        for (JsonNode rule : role.path("rules")) {
            List<String> names = texts(rule.path("resourceNames"));
            for (String group : texts(rule.path("apiGroups"))) {
                for (String resource : texts(rule.path("resources"))) {
                    for (String verb : texts(rule.path("verbs"))) {
                        grants.add(new Grant(verb, group, resource, namespace, names, origin));
                    }
                }
            }
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        for (JsonNode each : array) {
            texts.add(each.asString(""));
        }
        return texts;
    }

    /** True if there is a role at all. */
    public boolean hasRoles() {
        return !grants().isEmpty();
    }
}
